// A caller of `git` as many projects have written it: a loop around `spawn`. It knows the phrases of failures that
// pass, and waits twice as long after each of them.

import { spawn } from 'node:child_process'

export interface GitResult {
  stdout: string
  stderr: string
  exitCode: number | null
}

export interface GitOptions {
  cwd?: string
  timeoutMs?: number
  attempts?: number
  baseDelayMs?: number
}

export class GitError extends Error {
  constructor(
    message: string,
    readonly exitCode: number | null,
  ) {
    super(message)
  }
}

const TRANSIENT = [
  'index.lock',
  'another git process seems to be running',
  'cannot lock ref',
  'could not resolve host',
  'connection reset',
  'connection timed out',
  'the remote end hung up unexpectedly',
  'early eof',
  'rpc failed',
  'returned error: 429',
  'returned error: 502',
  'returned error: 503',
]

function isTransient(stderr: string): boolean {
  const text = stderr.toLowerCase()
  return TRANSIENT.some((phrase) => text.includes(phrase))
}

function gitOnce(args: string[], options: GitOptions): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {
      cwd: options.cwd,
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 60_000)
    child.stdout.setEncoding('utf8')
    child.stderr.setEncoding('utf8')
    child.stdout.on('data', (chunk: string) => (stdout += chunk))
    child.stderr.on('data', (chunk: string) => (stderr += chunk))
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(new GitError(error.message, null))
    })
    child.on('close', (exitCode) => {
      clearTimeout(timer)
      resolve({ stdout, stderr, exitCode })
    })
  })
}

export async function git(args: string[], options: GitOptions = {}): Promise<string> {
  const attempts = options.attempts ?? 4
  for (let attempt = 1; ; attempt += 1) {
    const result = await gitOnce(args, options)
    if (result.exitCode === 0) return result.stdout
    if (!isTransient(result.stderr) || attempt >= attempts) {
      throw new GitError(result.stderr.trim(), result.exitCode)
    }
    const delay = (options.baseDelayMs ?? 150) * 2 ** (attempt - 1)
    await new Promise((resolve) => setTimeout(resolve, delay))
  }
}
