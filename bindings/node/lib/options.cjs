'use strict'
// The options of the functions, and how they are written for the native part.

const RUN = [
  'timeout', 'deadline', 'grace', 'linger', 'maxOutput', 'retries', 'maxAttempts', 'maxPages', 'cursorFlag',
  'idempotent', 'reads', 'accept', 'maxWait', 'retryWindow', 'trust', 'hops', 'deniedArgs', 'fixes', 'refresh',
  'refreshFromPacks', 'dialect', 'speaks', 'redirectStore', 'cache', 'record', 'log', 'spans', 'cwd', 'extraEnv',
  'nonInteractive',
]
const SOURCE = ['exitCode', 'argv', 'dialect', 'maxBytes', 'maxDepth']
const DECIDE = [
  ...SOURCE, 'attempt', 'after', 'seenCursors', 'followed', 'refreshed', 'fixed', 'reissued', 'retries', 'hops',
  'jitter', 'remainingMs', 'idempotent', 'cached', 'fixes', 'refresh', 'redirects',
]
const CHECK = [
  'config', 'deadline', 'limit', 'jobs', 'select', 'ignore', 'failOn', 'strict', 'quick', 'keepNetwork', 'unconfined', 'record',
]
const TIMES = new Set(['timeout', 'deadline', 'grace', 'linger', 'maxWait', 'retryWindow'])

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function milliseconds(name, time) {
  if (typeof time !== 'number') throw new TypeError(`${name} is a number of milliseconds, not ${typeof time}`)
  if (!Number.isFinite(time) || time < 0 || time > 1e15) throw new RangeError(`${name} is ${time}, which is no time to wait`)
  return Math.ceil(time)
}

/** The options as JSON, with the names of the native part. What is undefined or null is as if it were left out. */
function written(of, known, options, change = (name, value) => [name, value]) {
  const fields = {}
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name)) throw new TypeError(`${of}() has no option ${JSON.stringify(name)}: they are ${known.join(', ')}`)
    if (value === undefined || value === null) continue
    const [field, plain] = change(name, value)
    fields[snake(field)] = plain instanceof URL ? require('node:url').fileURLToPath(plain) : plain
  }
  return JSON.stringify(fields)
}

const runOptions = (options) =>
  written('run', RUN, options, (name, value) =>
    TIMES.has(name) && typeof value !== 'string' ? [name, `${milliseconds(name, value)}ms`] : [name, value])
const sourceOptions = (of, options) => written(of, SOURCE, options)
const decideOptions = (options) => written('decide', DECIDE, options)
const checkOptions = (options) =>
  written('check', CHECK, options, (name, value) =>
    name === 'deadline' || name === 'limit' ? [`${name}Ms`, milliseconds(name, value)] : [name, value])

function words(argv) {
  if (!Array.isArray(argv) || !argv.every((word) => typeof word === 'string')) {
    throw new TypeError('argv is an array of words, such as ["git", "status"]; no shell is involved')
  }
  return argv
}

function bytes(name, value) {
  if (typeof value === 'string') return Buffer.from(value)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  throw new TypeError(`${name} is a string or a Uint8Array, not ${typeof value}`)
}

module.exports = { bytes, checkOptions, decideOptions, runOptions, sourceOptions, words }
