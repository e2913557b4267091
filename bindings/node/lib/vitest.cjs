'use strict'
// Matchers for vitest: `expect.extend(matchers)`, then `await expect(["./notes"]).toConform()`.

const { NO_VERIFY, conformity, contract } = require('./assertion.cjs')

const matchers = {
  async toConform(argv, options) {
    const { pass, message } = await conformity(argv, options)
    return { pass, message: () => message }
  },

  async toKeepItsContract(argv, options) {
    const kept = await contract(argv, options)
    if (kept === null) throw new Error(NO_VERIFY)
    return { pass: kept.pass, message: () => kept.message }
  },
}

module.exports = { matchers }
