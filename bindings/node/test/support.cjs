'use strict'
// What the tests share: the package as it was installed, small programs, and named pipes.

const { execFileSync } = require('node:child_process')
const { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { tmpdir } = require('node:os')
const { join } = require('node:path')

/** A project that has the package installed; without one, the sources beside the tests are it. */
const project = process.env.MANILA_PROJECT
const installed = project ? createRequire(join(project, 'package.json')) : require
const root = project ? join(project, 'node_modules', 'manila') : join(__dirname, '..')

/** A module of the package: `load('manila/vitest')`. */
const load = (name) => (project ? installed(name) : require(join(root, 'lib', `${name.split('/')[1] ?? 'index'}.cjs`)))

/** The file of a development dependency, or nothing if it is not installed. */
function tool(path) {
  const file = join(project ?? root, 'node_modules', path)
  return existsSync(file) ? file : null
}

const directory = () => mkdtempSync(join(tmpdir(), 'manila-node-'))

/** An executable shell script of that name. */
function script(inside, name, text) {
  const path = join(inside, name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
  return path
}

/** A named pipe: opening it waits for the other side, so that no test sleeps. */
function fifo(inside) {
  const path = join(inside, 'fifo')
  execFileSync('mkfifo', [path])
  return path
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const lines = (path) => readFileSync(path, 'utf8').split('\n').filter((line) => line.trim() !== '')

module.exports = { directory, fifo, isAlive, lines, load, project, root, script, tool }
