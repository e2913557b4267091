import vitest from './vitest.cjs'

export const { matchers } = vitest
