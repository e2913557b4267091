export * from './vitest.cjs'
