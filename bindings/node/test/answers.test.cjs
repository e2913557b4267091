'use strict'
// What can be said without running anything, and a check.

const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const test = require('node:test')
const { directory, load, root, script } = require('./support.cjs')

const { ManilaError, check, convert, decide, effects, open, run } = load('manila')

const RATE =
  '{"ok":false,"data":null,"error":{"code":"RATE_LIMIT_EXCEEDED","message":"slow down","retryable":true,"retry_after":30},"warnings":[],"meta":{"duration_ms":6}}'
const UNHELPFUL = `case "$*" in
*--help*) echo 'Usage: sulk [OPTIONS]'; echo; echo 'Options:'; echo '  --json  JSON'; echo '  --help  Help'; exit 3 ;;
*--version*) echo 'sulk 1.0' ;;
*) echo '{"ok":false,"data":null,"error":{"code":"NOT_FOUND","message":"m"},"warnings":[],"meta":{}}' ;;
esac`
const RULE = 'help-fails'

test('open', async () => {
  const opened = await open(`Warning: x\n${RATE}`, { exitCode: 11 })
  assert.deepEqual([opened.ok, opened.error.code, opened.error.waitMs], [false, 'RATE_LIMIT_EXCEEDED', 30000])
  assert.deepEqual([opened.dialect, opened.exitClass], ['response-envelope/1.0', 'RATE_LIMITED'])
  assert.deepEqual(opened.facts.map((fact) => fact.fact), ['prose-before'])
  await assert.rejects(open('hello\n'), (error) => error instanceof ManilaError && error.kind === 'no-envelope' && error.hint !== null)
  await assert.rejects(open(''), { kind: 'empty' })
  await assert.rejects(open(RATE, { status: 1 }), { name: 'TypeError', message: /open\(\) has no option "status"/ })
})

test('decide', async () => {
  const first = await decide(RATE, { exitCode: 11 })
  assert.deepEqual([first.action, first.waitMs], ['retry', 30000])
  assert.notEqual((await decide(RATE, { exitCode: 11, attempt: 9 })).action, 'retry')
  const reset = 'fatal: the remote end hung up unexpectedly\n'
  const about = (argv) => decide('', { stderr: reset, exitCode: 128, argv })
  assert.equal((await about(['git', 'fetch'])).action, 'retry')
  assert.equal((await about(['git', 'push', '--force'])).action, 'inspect-state')
  const outcome = await run(['sh', '-c', 'exit 9'])
  assert.equal((await decide(outcome)).action, outcome.next.action)
})

test('convert', async () => {
  const converted = await convert(RATE, { to: 'td/1', exitCode: 11 })
  assert.deepEqual([converted.stream, converted.exitCode], ['stderr', 1])
  assert(converted.losses.some((loss) => loss.field === 'meta.duration_ms' && loss.fate === 'dropped'))
  assert.deepEqual(JSON.parse((await convert(await run(['echo', '[1]']), { to: 'animus/1' })).document).data, [1])
  await assert.rejects(convert(RATE, { to: 'tt/1' }), { name: 'TypeError', message: /"tt\/1" is not a dialect/ })
})

test('effects', async () => {
  const log = await effects(['git', 'log'])
  assert.deepEqual([log.effect, log.repeatable], ['none', true])
  const line = await effects('git log && rm -rf build')
  assert.deepEqual([line.effect, line.part, line.repeatable], ['destroys', 'rm -rf build', false])
})

test('a broken program is a report', async () => {
  const report = await check([script(directory(), 'sulk', UNHELPFUL)], { select: [RULE], unconfined: true })
  assert.deepEqual([report.conforms, report.outcome], [false, 'does-not-conform'])
  assert.deepEqual([...new Set(report.findings.map((finding) => finding.rule))], [RULE])
  assert.match(report.render(), new RegExp(RULE))
  assert.equal(JSON.parse(report.render('sarif')).version, '2.1.0')
  assert.throws(() => report.render('pdf'), { name: 'TypeError', message: /"pdf" is not a format/ })
})

test('a check that cannot be made is our failure', async () => {
  await assert.rejects(check(['/no/such/program']), { name: 'ManilaError', kind: 'not-found' })
  await assert.rejects(check(['true'], { select: ['no-such-rule'] }), /neither a rule nor a family/)
})

test('assertions for node:test', async () => {
  const { conforms } = load('manila/node-test')
  const sulk = script(directory(), 'sulk', UNHELPFUL)
  await assert.rejects(conforms([sulk], { select: [RULE] }), { name: 'AssertionError', message: new RegExp(RULE) })
  assert.equal((await conforms([sulk], { select: ['version-unclear'] })).conforms, true)
})

test('a contract is kept or not', async (t) => {
  const { verifies } = load('manila/node-test')
  const { matchers } = load('manila/vitest')
  const cwd = directory()
  const record = async (name, data) => {
    const answer = JSON.stringify({ ok: true, data, error: null, warnings: [], meta: { duration_ms: 1 } })
    const program = script(cwd, 'notes', `echo '${answer}'`)
    assert((await run([program, 'list', '--json'], { record: join(cwd, name) })).ok)
    return { arguments: ['--run', join(cwd, name)], cwd }
  }
  const before = await record('before', { id: 1, title: 'x' })
  const after = await record('after', { id: '1' })
  const bin = join(root, 'bin', 'manila.cjs')
  const froze = spawnSync(process.execPath, [bin, 'freeze', ...before.arguments], { cwd, encoding: 'utf8' })
  assert.equal(froze.status, 0, froze.stdout + froze.stderr)
  await verifies(t, [], before)
  await assert.rejects(verifies(t, [], after), { name: 'AssertionError', message: /title/ })
  assert.equal((await matchers.toKeepItsContract([], before)).pass, true)
  assert.match((await matchers.toKeepItsContract([], after)).message(), /title/)
  await assert.rejects(verifies(t, [], { arguments: ['--run', '/no/such/directory'], cwd }), { name: 'ManilaError' })
})

test('matchers for vitest', async () => {
  const { matchers } = load('manila/vitest')
  const sulk = script(directory(), 'sulk', UNHELPFUL)
  const broken = await matchers.toConform([sulk], { select: [RULE] })
  assert.equal(broken.pass, false)
  assert.match(broken.message(), new RegExp(RULE))
  assert.equal((await matchers.toConform([sulk], { select: ['version-unclear'] })).pass, true)
})
