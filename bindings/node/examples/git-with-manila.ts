// The same caller of `git` on the package.

import { run, type Next, type RunOptions } from 'manila'

export class GitError extends Error {
  constructor(
    message: string,
    readonly exitCode: number | null,
    readonly next: Next,
  ) {
    super(message)
  }
}

export async function git(args: string[], options: RunOptions = {}): Promise<string> {
  const outcome = await run(['git', ...args], { timeout: '60s', nonInteractive: true, ...options })
  if (!outcome.ok) throw new GitError(outcome.error?.message ?? 'git failed', outcome.exitCode, outcome.next)
  return outcome.stdout.toString()
}
