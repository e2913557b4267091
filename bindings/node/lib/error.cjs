'use strict'
// The one error of the package, and how the native part spells it.

/** Something that manila itself could not do. What a program does wrong is never an error. */
class ManilaError extends Error {
  constructor(message, kind, hint = null) {
    super(hint ? `${message} (hint: ${hint})` : message)
    this.name = 'ManilaError'
    this.kind = kind
    this.hint = hint
  }
}

/** The error that an error of the native part stands for. */
function understood(error) {
  let fields
  try {
    fields = JSON.parse(error.message)
  } catch {
    return error
  }
  const [kind, message, hint] = fields
  return kind === 'invalid-option' ? new TypeError(message) : new ManilaError(message, kind, hint)
}

module.exports = { ManilaError, understood }
