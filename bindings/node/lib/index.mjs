import manila from './index.cjs'

export const { ManilaError, Opened, Outcome, Report, check, convert, decide, effects, open, run } = manila
export default manila
