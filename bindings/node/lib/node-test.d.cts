import type { CheckOptions, Report } from './index.cjs'

export interface VerifyOptions {
  /** Arguments of `manila verify`, such as `["--fixtures", "tests/json"]`. */
  arguments?: readonly string[]
  /** The directory with `manila.lock`. */
  cwd?: string
}

/** Rejects, with the whole report, unless a program conforms. */
export declare function conforms(argv?: readonly string[], options?: CheckOptions): Promise<Report>
/**
 * Rejects, with every difference, unless a program keeps the contract in `manila.lock`. Skips the test where
 * this manila has no command `verify`.
 */
export declare function verifies(
  t: { skip(message?: string): void },
  argv?: readonly string[],
  options?: VerifyOptions,
): Promise<void>
