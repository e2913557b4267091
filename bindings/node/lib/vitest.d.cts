import type { CheckOptions } from './index.cjs'
import type { VerifyOptions } from './node-test.cjs'

interface Verdict {
  pass: boolean
  message: () => string
}

/** `expect.extend(matchers)`; declare `ManilaMatchers` on vitest's `Matchers` to have them typed. */
export declare const matchers: {
  toConform(argv: readonly string[], options?: CheckOptions): Promise<Verdict>
  toKeepItsContract(argv: readonly string[], options?: VerifyOptions): Promise<Verdict>
}

export interface ManilaMatchers<R = unknown> {
  /** Fails, with the whole report, unless the program conforms. */
  toConform(options?: CheckOptions): Promise<R>
  /** Fails, with every difference, unless the program keeps the contract in `manila.lock`. */
  toKeepItsContract(options?: VerifyOptions): Promise<R>
}
