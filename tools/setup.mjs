/**
 * Makes a fresh clone runnable: dependencies, Node 24, dist/. Uses only Node's own modules and the syntax of Node 20,
 * because it runs before anything is installed. Prints to stderr: stdout belongs to the program.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const lock = join(root, 'package-lock.json')
const installedLock = join(root, 'node_modules', '.installed-lock.json')
const bundledNode = join(root, 'node_modules', '.bin', 'node')

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function run(command, args) {
  // On Windows npm is a .cmd file, which only a shell can start.
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0)
    fail(`Setup failed: ${[command, ...args].join(' ')} ${error ? error.message : `exited with code ${status}`}.`)
}

function isInstalled() {
  return existsSync(installedLock) && readFileSync(installedLock).equals(readFileSync(lock))
}

function findNode() {
  if (existsSync(bundledNode)) return bundledNode
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 16)) return process.execPath
  return fail(`Benchmaker needs Node 22.16 or newer; this is ${process.versions.node}. Install Node 24 and try again.`)
}

if (!isInstalled()) {
  process.stderr.write('First start: installing dependencies (takes about a minute) …\n')
  run('npm', [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ])
  copyFileSync(lock, installedLock)
}
process.stderr.write('Building …\n')
run(findNode(), [join('tools', 'build.ts')])
