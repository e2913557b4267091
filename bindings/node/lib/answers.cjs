'use strict'
// What the functions answer.

const { understood } = require('./error.cjs')

/** A getter that computes its value once. */
function once(object, name, value) {
  Object.defineProperty(object, name, { value, enumerable: true })
  return value
}

/** What the native part answers, or an error that says what it could not do. */
function ask(question) {
  try {
    return question()
  } catch (error) {
    throw understood(error)
  }
}

function failure(error) {
  if (!error) return null
  const { code, message, retryable = null, wait_ms: waitMs = null, suggestion = null } = error
  return { code, message, retryable, waitMs, suggestion, raw: error }
}

function conversion(json) {
  const { dialect, stream, exit_code: exitCode, document, losses } = JSON.parse(json)
  return { dialect, stream, exitCode, document, losses }
}

class Outcome {
  #inner

  constructor(inner) {
    this.#inner = inner
  }

  get ok() {
    return this.#inner.ok
  }

  get data() {
    const json = this.#inner.dataJson()
    return once(this, 'data', json === null || json === undefined ? null : JSON.parse(json))
  }

  get error() {
    return once(this, 'error', this.ok ? null : failure(this.envelope.error))
  }

  get next() {
    const { do: action, after_ms: afterMs = null, why } = JSON.parse(ask(() => this.#inner.nextJson()))
    return once(this, 'next', { action, afterMs, why })
  }

  get exitCode() {
    return this.summary.exit_code ?? null
  }

  get signal() {
    return this.summary.signal ?? null
  }

  get stopped() {
    return this.#inner.stopped ?? null
  }

  get stdout() {
    return once(this, 'stdout', this.#inner.stdout)
  }

  get stderr() {
    return once(this, 'stderr', this.#inner.stderr)
  }

  get exitClass() {
    return this.summary.class
  }

  get attempts() {
    return this.summary.attempts
  }

  get rule() {
    return this.summary.rule ?? null
  }

  get dialect() {
    return this.summary.dialect ?? null
  }

  get warnings() {
    return this.envelope.warnings
  }

  get envelope() {
    return once(this, 'envelope', JSON.parse(ask(() => this.#inner.envelopeJson())))
  }

  get trace() {
    return once(this, 'trace', JSON.parse(ask(() => this.#inner.traceJson())))
  }

  get summary() {
    return once(this, 'summary', JSON.parse(ask(() => this.#inner.summaryJson())))
  }

  convert(to) {
    return conversion(ask(() => this.#inner.convert(to)))
  }

  [Symbol.for('nodejs.util.inspect.custom')](_depth, _options, inspect) {
    const { ok, exitCode, next } = this
    return `Outcome ${inspect({ ok, exitCode, ...(ok ? {} : { error: this.error.code }), next })}`
  }
}

class Opened {
  constructor(json) {
    this.raw = JSON.parse(json)
    this.envelope = this.raw.envelope
    this.ok = this.envelope.ok
    this.data = this.envelope.data
    this.error = failure(this.envelope.error)
    this.exitClass = this.envelope.exit
    this.dialect = this.raw.dialect
    this.confidence = this.raw.confidence
    this.stream = this.raw.stream
    this.facts = this.raw.facts
  }
}

function decision(json) {
  const raw = JSON.parse(json)
  return {
    action: raw.do,
    waitMs: raw.wait_ms ?? null,
    why: raw.reason,
    row: raw.row,
    notes: raw.notes,
    dialect: raw.dialect,
    exitClass: raw.exit_class,
    rule: raw.rule,
    effects: raw.effects,
    error: failure(raw.error),
    raw,
  }
}

function effect(json) {
  const fields = JSON.parse(json)
  return { ...fields, repeatable: fields.effect === 'none' || fields.effect === 'idempotent' }
}

class Report {
  #inner

  constructor(inner) {
    this.#inner = inner
  }

  get conforms() {
    return this.#inner.conforms
  }

  get outcome() {
    return this.raw.outcome
  }

  get findings() {
    const findings = this.raw.rules.flatMap((rule) =>
      rule.findings.map(({ command, message, reproduce }) => ({
        rule: rule.id, severity: rule.severity, command, message, reproduce,
      })))
    return once(this, 'findings', findings)
  }

  get raw() {
    return once(this, 'raw', JSON.parse(this.render('json')))
  }

  render(format = 'human') {
    return ask(() => this.#inner.render(format))
  }
}

module.exports = { Opened, Outcome, Report, conversion, decision, effect }
