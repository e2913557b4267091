'use strict'
// One `manila.run` of `true` against `child_process.spawn`, in turns, so that both meet the same machine.
//
//     node bench/run.cjs [ROUNDS]
//
// Only the ratio of the medians means anything: both are measured in the same run. The target is at most 1.5.

const assert = require('node:assert')
const { spawn } = require('node:child_process')
const { run } = require('../lib/index.cjs')

async function ours() {
  assert((await run(['true'])).ok)
}

function theirs() {
  return new Promise((resolve, reject) => {
    const child = spawn('true', { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', () => {})
    child.stderr.on('data', () => {})
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`exit code ${code}`))))
  })
}

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]

async function main() {
  const rounds = Number(process.argv[2] ?? 400)
  const times = new Map([[ours, []], [theirs, []]])
  for (const call of times.keys()) await call()
  for (let round = 0; round < rounds; round += 1) {
    for (const call of round % 2 ? [ours, theirs] : [theirs, ours]) {
      const begin = process.hrtime.bigint()
      await call()
      times.get(call).push(Number(process.hrtime.bigint() - begin) / 1000)
    }
  }
  const [a, b] = [median(times.get(ours)), median(times.get(theirs))]
  console.log(`manila.run     ${a.toFixed(0).padStart(8)} µs`)
  console.log(`spawn          ${b.toFixed(0).padStart(8)} µs`)
  console.log(`ratio          ${(a / b).toFixed(2).padStart(8)}    (target: at most 1.5; ${rounds} rounds)`)
}

main()
