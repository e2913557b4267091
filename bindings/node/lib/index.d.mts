export * from './index.cjs'
import * as manila from './index.cjs'
export default manila
