'use strict'
// Assertions for node:test: does a program conform, and does it keep its contract?

const { AssertionError } = require('node:assert')
const { NO_VERIFY, conformity, contract } = require('./assertion.cjs')

/** Rejects, with the whole report, unless a program conforms. */
async function conforms(argv = [], options = {}) {
  const { pass, message, report } = await conformity(argv, options)
  if (!pass) throw new AssertionError({ message, stackStartFn: conforms })
  return report
}

/** Rejects, with every difference, unless a program keeps its contract. Skips the test where `verify` is missing. */
async function verifies(t, argv = [], options = {}) {
  const kept = await contract(argv, options)
  if (kept === null) return t.skip(NO_VERIFY)
  if (!kept.pass) throw new AssertionError({ message: kept.message, stackStartFn: verifies })
}

module.exports = { conforms, verifies }
