'use strict'
// The native part of the package.

try {
  module.exports = require('../manila.node')
} catch (cause) {
  const message = `cannot load the native part of manila: ${cause.message} (hint: npm run build in the package's directory)`
  throw new Error(message, { cause })
}
