export * from './node-test.cjs'
