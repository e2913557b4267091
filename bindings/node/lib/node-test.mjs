import assertions from './node-test.cjs'

export const { conforms, verifies } = assertions
