'use strict'
// Both callers of `git` in examples/ behave the same, but for what only one of them knows.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } = require('node:fs')
const { join } = require('node:path')
const test = require('node:test')
const { directory, lines, project, script, tool } = require('./support.cjs')

const EXAMPLES = join(__dirname, '..', 'examples')
const tsc = tool('typescript/bin/tsc')
const skip = tsc && project ? false : 'SKIPPED: typescript is not installed'

/** A `git` that fails FAKE_FAILURES times with FAKE_ERROR, and counts its calls. */
const FAKE = `echo "$*" >> "$FAKE_DIR/calls"
if [ "$(wc -l < "$FAKE_DIR/calls")" -le "$FAKE_FAILURES" ]; then echo "$FAKE_ERROR" >&2; exit 128; fi
echo "$FAKE_ANSWER"`
const LOCKED = "fatal: Unable to create '/r/.git/index.lock': File exists."
const HUNG_UP = 'fatal: the remote end hung up unexpectedly'

/** Both callers, compiled where the package is installed. */
function callers() {
  const out = join(project, 'examples')
  mkdirSync(out, { recursive: true })
  const files = ['git-by-hand.ts', 'git-with-manila.ts'].map((name) => join(EXAMPLES, name))
  for (const file of files) {
    const copy = join(out, file.split('/').at(-1).replace('.ts', '.cts'))
    copyFileSync(file, copy)
  }
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']
  const sources = ['git-by-hand.cts', 'git-with-manila.cts'].map((name) => join(out, name))
  const compiled = spawnSync(process.execPath, [tsc, ...options, ...sources], { cwd: project, encoding: 'utf8' })
  assert.equal(compiled.status, 0, compiled.stdout)
  return {
    byHand: require(join(out, 'git-by-hand.cjs')),
    withManila: require(join(out, 'git-with-manila.cjs')),
  }
}

function fake() {
  const inside = directory()
  script(inside, 'git', FAKE)
  process.env.FAKE_DIR = inside
  process.env.PATH = `${inside}:/usr/bin:/bin`
  const calls = join(inside, 'calls')
  return {
    answers(answer, { after = 0, error = '' } = {}) {
      rmSync(calls, { force: true })
      Object.assign(process.env, { FAKE_ANSWER: answer, FAKE_FAILURES: String(after), FAKE_ERROR: error })
    },
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').split('\n').length - 1 : 0),
  }
}

test('the callers of git', { skip }, async (t) => {
  const { byHand, withManila } = callers()
  const git = fake()
  const quick = { baseDelayMs: 0 }
  const both = [[byHand, quick], [withManila, {}]]

  await t.test('an answer is text', async () => {
    for (const [{ git: call }, options] of both) {
      git.answers('main')
      assert.equal(await call(['branch', '--show-current'], options), 'main\n')
    }
  })

  await t.test('a lock that is held is waited for', async () => {
    for (const [{ git: call }, options] of both) {
      git.answers('', { after: 1, error: LOCKED })
      assert.equal(await call(['add', '.'], options), '\n')
      assert.equal(git.calls(), 2)
    }
  })

  await t.test('a connection that is lost is made again for a fetch', async () => {
    for (const [{ git: call }, options] of both) {
      git.answers('', { after: 1, error: HUNG_UP })
      await call(['fetch', 'origin'], options)
      assert.equal(git.calls(), 2)
    }
  })

  await t.test('a failure that lasts is thrown at once', async () => {
    for (const [{ git: call, GitError }, options] of both) {
      git.answers('', { after: 9, error: "fatal: couldn't find remote ref nope" })
      await assert.rejects(call(['fetch', 'origin', 'nope'], options), (error) =>
        error instanceof GitError && error.exitCode === 128 && /remote ref nope/.test(error.message))
      assert.equal(git.calls(), 1)
    }
  })

  await t.test('only manila does not repeat a push that may have landed', async () => {
    git.answers('', { after: 1, error: HUNG_UP })
    await byHand.git(['push', 'origin', 'main'], quick)
    assert.equal(git.calls(), 2, 'by hand, it is pushed again over whatever came between')
    git.answers('', { after: 1, error: HUNG_UP })
    await assert.rejects(withManila.git(['push', 'origin', 'main']), (error) => error.next.action === 'inspect-state')
    assert.equal(git.calls(), 1)
  })
})

test('it deletes more than it adds', () => {
  const [byHand, withManila] = ['git-by-hand.ts', 'git-with-manila.ts'].map((name) => lines(join(EXAMPLES, name)).length)
  assert(withManila * 2 < byHand, `${withManila} lines instead of ${byHand}`)
})
