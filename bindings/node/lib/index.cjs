'use strict'
// The functions of the package. Each returns a promise, and none blocks the event loop.

const native = require('./native.cjs')
const { ManilaError, understood } = require('./error.cjs')
const { bytes, checkOptions, decideOptions, runOptions, sourceOptions, words } = require('./options.cjs')
const { Opened, Outcome, Report, conversion, decision, effect } = require('./answers.cjs')

/** What `start` begins on a thread of its own; the signal ends it, and the promise is rejected after that. */
function background(signal, start) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    let abort
    const done = (error, answer) => {
      signal?.removeEventListener('abort', abort)
      if (signal?.aborted) reject(signal.reason)
      else if (error) reject(understood(error))
      else resolve(answer)
    }
    let call
    try {
      call = start(done)
    } catch (error) {
      throw understood(error)
    }
    abort = () => call.cancel()
    signal?.addEventListener('abort', abort)
  })
}

/** What a task of the thread pool answers. */
async function computed(start) {
  try {
    return await start()
  } catch (error) {
    throw understood(error)
  }
}

async function run(argv, options = {}) {
  const { signal, input = null, ...rest } = options
  const given = input === null ? null : bytes('input', input)
  const [called, written] = [words(argv), runOptions(rest)]
  return new Outcome(await background(signal, (done) => native.run(called, written, given, done)))
}

async function check(argv = [], options = {}) {
  const { signal, ...rest } = options
  const [called, written] = [words(argv), checkOptions(rest)]
  return new Report(await background(signal, (done) => native.check(called, written, done)))
}

async function open(stdout = '', { stderr = '', ...options } = {}) {
  const [out, err] = [bytes('stdout', stdout), bytes('stderr', stderr)]
  const written = sourceOptions('open', options)
  return new Opened(await computed(() => native.open(out, err, written)))
}

async function decide(answer = '', options = {}) {
  let [stdout, given] = [answer, options]
  if (answer instanceof Outcome) {
    const code = answer.exitCode ?? (answer.signal === null ? null : -answer.signal)
    const argv = answer.trace.steps.at(-1)?.argv ?? []
    stdout = answer.stdout
    given = { stderr: answer.stderr, exitCode: code, argv, ...options }
  }
  const { stderr = '', ...rest } = given
  const [out, err] = [bytes('stdout', stdout), bytes('stderr', stderr)]
  const written = decideOptions(rest)
  return decision(await computed(() => native.decide(out, err, written)))
}

async function convert(answer, { to, stderr = '', ...options }) {
  if (typeof to !== 'string') throw new TypeError('convert() needs the id of a dialect as `to`')
  if (answer instanceof Outcome) return answer.convert(to)
  const [out, err] = [bytes('stdout', answer), bytes('stderr', stderr)]
  const written = sourceOptions('convert', options)
  return conversion(await computed(() => native.convert(out, err, to, written)))
}

async function effects(call) {
  const asked = typeof call === 'string' ? native.effectsOfLine(call) : native.effects(words(call))
  return effect(await computed(() => asked))
}

module.exports = { ManilaError, Opened, Outcome, Report, check, convert, decide, effects, open, run }
