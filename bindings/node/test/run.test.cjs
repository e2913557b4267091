'use strict'
// A call: what comes of it, what is refused, and that others go on meanwhile.

const assert = require('node:assert/strict')
const { setMaxListeners } = require('node:events')
const { readFile, writeFile } = require('node:fs/promises')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const test = require('node:test')
const { directory, fifo, isAlive, load, script } = require('./support.cjs')

const { Outcome, run } = load('manila')

test('text is data and raw bytes', async () => {
  const outcome = await run(['printf', 'a\\377b'])
  assert(outcome instanceof Outcome)
  assert.equal(outcome.ok, true)
  assert.equal(outcome.error, null)
  assert.deepEqual(outcome.stdout, Buffer.from([0x61, 0xff, 0x62]))
  assert.deepEqual([outcome.exitCode, outcome.signal, outcome.next.action], [0, null, 'accept'])
  assert.deepEqual((await run(['echo', 'hello'])).data, { stdout: 'hello\n' })
  assert.deepEqual((await run(['echo', '[1, {"a": null}]'])).data, [1, { a: null }])
})

test('an envelope is opened in its dialect', async () => {
  const answer = '{"ok":false,"data":null,"error":{"code":"NO_SUCH_NOTE","message":"no note 7"},"warnings":[],"meta":{}}'
  const outcome = await run([script(directory(), 'notes', `echo '${answer}'; exit 5`)])
  assert.equal(outcome.ok, false)
  assert.deepEqual([outcome.error.code, outcome.error.message], ['NO_SUCH_NOTE', 'no note 7'])
  assert.deepEqual([outcome.exitClass, outcome.dialect], ['NOT_FOUND', 'response-envelope/1.0'])
  assert.equal(outcome.convert('td/1').stream, 'stderr')
})

test('a failure is an outcome', async () => {
  const failed = await run(['sh', '-c', 'echo broken >&2; exit 3'])
  assert.deepEqual([failed.ok, failed.exitCode, failed.stderr.toString()], [false, 3, 'broken\n'])
  const missing = await run(['no-such-program-anywhere'])
  assert.equal(missing.exitCode, null)
  assert.match(missing.error.message, /no-such-program-anywhere/)
  const killed = await run(['sh', '-c', 'kill -KILL $$'])
  assert.deepEqual([killed.exitCode, killed.signal], [null, 9])
})

test('a limit ends the program', async () => {
  for (const timeout of [200, '200ms']) {
    const outcome = await run(['sleep', '600'], { timeout, retries: 0 })
    assert.deepEqual([outcome.ok, outcome.stopped, outcome.exitClass], [false, 'time-limit', 'TIMEOUT'])
  }
})

test('surroundings', async () => {
  const cwd = directory()
  process.env.MANILA_TEST_GONE = 'x'
  const outcome = await run(['sh', '-c', 'cat; printf "|%s|%s|" "$MANILA_TEST_SET" "$MANILA_TEST_GONE"; pwd'], {
    input: Buffer.from('in\0put'),
    cwd,
    extraEnv: { MANILA_TEST_SET: 'set', MANILA_TEST_GONE: null },
  })
  assert.equal(outcome.stdout.toString(), `in\0put|set||${cwd}\n`)
})

test('what passes is tried again where that is safe, and nothing else is', async () => {
  const inside = directory()
  const busy = '{"ok":false,"data":null,"error":{"code":"BUSY","message":"busy","retryable":true,"retry_after":0},"warnings":[],"meta":{}}'
  const text = `echo x >> ${inside}/calls
    if [ $(wc -l < ${inside}/calls) -lt 3 ]; then echo '${busy}'; exit 11; fi
    echo '{"ok":true,"data":[1],"error":null,"warnings":[],"meta":{}}'`
  const outcome = await run([script(inside, 'busy', text)], { idempotent: true })
  assert.deepEqual([outcome.ok, outcome.data, outcome.attempts], [true, [1], 3])
  const lost = `echo x >> ${inside}/deploys; echo 'Connection reset by peer' >&2; exit 1`
  assert.equal((await run([script(inside, 'deploy', lost)])).ok, false)
  assert.equal(readFileSync(join(inside, 'deploys'), 'utf8'), 'x\n')
})

test('the event loop goes on, with more calls than the pool has threads', async () => {
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const pipe = fifo(directory())
  const waiting = Array.from({ length: 12 }, () => run(['sleep', '600'], { timeout: '60s', signal: stop.signal }))
  // Only a file system that is not starved can feed the program that waits for it.
  const reader = run(['cat', pipe], { timeout: '120s' })
  await writeFile(pipe, 'fed')
  assert.equal((await reader).stdout.toString(), 'fed')
  stop.abort()
  const ended = await Promise.allSettled(waiting)
  assert(ended.every(({ reason }) => reason?.name === 'AbortError'))
})

test('a signal ends the program, and the promise is rejected after that', async () => {
  const pipe = fifo(directory())
  const controller = new AbortController()
  const call = run(['sh', '-c', `echo $$ > ${pipe}; exec sleep 600`], { signal: controller.signal })
  const pid = Number(await readFile(pipe, 'utf8'))
  controller.abort(new Error('enough'))
  await assert.rejects(call, /enough/)
  assert.equal(isAlive(pid), false)
  await assert.rejects(run(['true'], { signal: controller.signal }), /enough/)
})

test('mistakes of the caller', async () => {
  await assert.rejects(run('git status'), { name: 'TypeError', message: /array of words/ })
  await assert.rejects(run([]), { name: 'TypeError', message: 'argv has no program' })
  await assert.rejects(run(['true'], { tiemout: 1 }), { name: 'TypeError', message: /has no option "tiemout"/ })
  await assert.rejects(run(['true'], { timeout: 'soon' }), { name: 'TypeError', message: /timeout: .*is not a time/ })
  await assert.rejects(run(['true'], { timeout: Number.NaN }), { name: 'RangeError' })
  await assert.rejects(run(['true'], { dialect: 'tt/1' }), { name: 'TypeError', message: /dialect: .*td\/1/ })
  await assert.rejects(run(['true'], { input: 3 }), { name: 'TypeError', message: /input is a string/ })
})
