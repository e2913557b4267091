'use strict'
// What the matchers for node:test and vitest share.

const { execFile } = require('node:child_process')
const { join } = require('node:path')
const { check } = require('./index.cjs')
const { ManilaError } = require('./error.cjs')

/** The exit code of `manila verify` for a contract that is not kept. */
const FINDINGS = 100

/**
 * Whether a program conforms, and the report. Where the system cannot confine the program, every call is made
 * all the same: a project trusts its own program.
 */
async function conformity(argv, options = {}) {
  const report = await check(argv, { unconfined: true, ...options })
  return { pass: report.conforms, message: report.render(), report }
}

/**
 * Whether a program keeps the contract in `manila.lock`, and every difference. With `MANILA_BLESS=1` in the
 * environment the contract is rewritten instead. `null` if this manila has no `verify`.
 */
async function contract(argv, { arguments: more = [], cwd } = {}) {
  if ((await manila(['verify', '--help'], cwd)).code !== 0) return null
  const bless = process.env.MANILA_BLESS === '1' ? ['--bless'] : []
  const program = argv.length > 0 ? ['--', ...argv] : []
  const { code, said } = await manila(['verify', ...bless, ...more, ...program], cwd)
  if (code !== 0 && code !== FINDINGS) throw new ManilaError(said, 'verify')
  return { pass: code === 0, message: said }
}

function manila(args, cwd) {
  const bin = join(__dirname, '..', 'bin', 'manila.cjs')
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { cwd, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      resolve({ code: error ? (error.code ?? 1) : 0, said: (stdout + stderr).trim() })
    })
  })
}

const NO_VERIFY = 'this manila has no command `verify`; install one that has'

module.exports = { NO_VERIFY, conformity, contract }
