'use strict'
// Builds the native part with cargo and puts it where lib/native.cjs finds it. `--if-missing` keeps one that
// is there, as in a published package; `--dev` builds fast instead of small.

const { spawnSync } = require('node:child_process')
const { copyFileSync, existsSync, rmSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '..')
const addon = join(root, 'manila.node')
if (process.argv.includes('--if-missing') && existsSync(addon)) process.exit(0)
if (!existsSync(join(root, 'Cargo.toml'))) {
  console.error('error: this package has no manila.node for this platform, and no sources to build it from')
  process.exit(1)
}
const dev = process.argv.includes('--dev') || process.env.MANILA_PROFILE === 'dev'
const args = ['build', '--message-format=json-render-diagnostics', ...(dev ? [] : ['--release'])]
const built = spawnSync('cargo', args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28 })
if (built.error?.code === 'ENOENT') {
  console.error('error: cargo is not installed; https://rustup.rs has it')
  process.exit(1)
}
if (built.status !== 0) process.exit(built.status ?? 1)
const library = built.stdout
  .toString()
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line))
  .filter((message) => message.reason === 'compiler-artifact' && message.target.name === 'manila_node')
  .flatMap((message) => message.filenames)
  .at(-1)
// A process that has loaded the old file keeps it.
rmSync(addon, { force: true })
copyFileSync(library, addon)
