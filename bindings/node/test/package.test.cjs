'use strict'
// The package as it is installed: the program, both kinds of modules, the types, and vitest.

const assert = require('node:assert/strict')
const { spawn, spawnSync } = require('node:child_process')
const { readFile } = require('node:fs/promises')
const { mkdirSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const test = require('node:test')
const { directory, fifo, isAlive, load, project, root, script, tool } = require('./support.cjs')

const BIN = join(root, 'bin', 'manila.cjs')
const manila = (...args) => spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8' })
const needsProject = project ? {} : { skip: 'SKIPPED: the package is not installed in a project; .ci/bindings does that' }

test('the program ends as the program it ran', () => {
  assert.match(manila('--version').stdout, /^manila /)
  const ran = manila('run', 'sh', '-c', 'echo out; echo err >&2; exit 7')
  assert.deepEqual([ran.status, ran.stdout, ran.stderr], [7, 'out\n', 'err\n'])
  assert.equal(manila('run', 'sh', '-c', 'kill -USR1 $$').signal, 'SIGUSR1')
  const wrong = manila('open', '--json', '/no/such/file')
  assert.deepEqual([wrong.status, JSON.parse(wrong.stdout).error.code], [5, 'FILE_NOT_FOUND'])
})

test('an interrupt ends the program and what it runs', async () => {
  for (const mode of [[], ['--json']]) {
    const pipe = fifo(directory())
    const argv = [BIN, 'run', ...mode, '--', 'sh', '-c', `echo $$ > ${pipe}; exec sleep 600`]
    const child = spawn(process.execPath, argv, { stdio: 'ignore' })
    const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal)))
    const pid = Number(await readFile(pipe, 'utf8'))
    child.kill('SIGINT')
    assert.notEqual(await ended, 0)
    assert.equal(isAlive(pid), false)
  }
})

test('modules of both kinds are the same', needsProject, () => {
  const code = `import named, { run, Outcome } from 'manila'
    import { conforms } from 'manila/node-test'
    import { matchers } from 'manila/vitest'
    import { createRequire } from 'node:module'
    const required = createRequire(import.meta.url)('manila')
    const outcome = await run(['true'])
    console.log(required.run === run, named.run === run, outcome instanceof required.Outcome, typeof conforms, typeof matchers)`
  writeFileSync(join(project, 'both.mjs'), code)
  const ran = spawnSync(process.execPath, ['both.mjs'], { cwd: project, encoding: 'utf8' })
  assert.equal(ran.stdout.trim(), 'true true true function object', ran.stderr)
})

test('every export is in the types, and the other way round', () => {
  const exported = Object.keys(load('manila')).sort()
  const types = require('node:fs').readFileSync(join(root, 'lib', 'index.d.cts'), 'utf8')
  const declared = [...types.matchAll(/^export declare (?:class|function) (\w+)/gm)].map(([, name]) => name).sort()
  assert.deepEqual(declared, exported)
})

const tsc = tool('typescript/bin/tsc')
test('the types accept what is right and refuse what is wrong', tsc && project ? {} : { skip: 'SKIPPED: typescript is not installed' }, () => {
  const inside = join(project, 'types')
  mkdirSync(inside, { recursive: true })
  const imports = `import { run, check, convert, decide, effects, open, type Outcome } from 'manila'
    import { conforms } from 'manila/node-test'
    import { matchers } from 'manila/vitest'\n`
  const right = `const outcome: Outcome<{ n: number }> = await run<{ n: number }>(['x'], { timeout: 5, extraEnv: { A: null } })
    const n: number = outcome.data.n
    const code: number | null = outcome.exitCode
    if (outcome.next.action === 'retry') console.log(outcome.next.afterMs, n, code, outcome.error?.code)
    const bytes: Buffer = outcome.stdout
    console.log((await convert(outcome, { to: 'td/1' })).losses, (await decide(bytes)).action, (await open('')).facts)
    console.log((await effects('a')).effect === 'none', (await check(['x'], { failOn: 'note' })).findings, conforms, matchers)`
  const wrong = [
    "run('git status')",
    "run(['x'], { tiemout: 1 })",
    "run(['x'], { trust: 'everybody' })",
    "(await run(['x'])).exitCode + 1",
    "(await run(['x'])).error.code",
    "convert('', {})",
  ]
  const files = {
    'right.mts': imports + right,
    'right.cts': `${imports}async function main() { ${right} }\nmain()`,
    'wrong.mts': `import { run, convert } from 'manila'\n${wrong.map((line) => `;${line}`).join('\n')}\n`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(inside, name), text)
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']
  const sources = Object.keys(files).map((name) => join('types', name))
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, ...sources], { cwd: project, encoding: 'utf8' })
  const errors = [...stdout.matchAll(/^types\/(\w+\.\wts)\((\d+)/gm)].map(([, file, line]) => `${file}:${line}`)
  assert.deepEqual([...new Set(errors)], wrong.map((_, index) => `wrong.mts:${index + 2}`), stdout)
})

const vitest = tool('vitest/vitest.mjs')
test('vitest has the matchers', vitest && project ? {} : { skip: 'SKIPPED: vitest is not installed' }, () => {
  const sulk = script(directory(), 'sulk', 'echo sulk 1.0; [ "$1" != --help ]')
  const code = `import { expect, test } from 'vitest'
    import { matchers } from 'manila/vitest'
    expect.extend(matchers)
    test('conforms', () => expect(['${sulk}']).toConform({ select: ['version-unclear'] }))
    test('does not', () => expect(['${sulk}']).not.toConform({ select: ['help-fails'] }))`
  writeFileSync(join(project, 'matchers.test.mjs'), code)
  const ran = spawnSync(process.execPath, [vitest, 'run', 'matchers.test.mjs'], { cwd: project, encoding: 'utf8' })
  assert.equal(ran.status, 0, ran.stdout + ran.stderr)
})
