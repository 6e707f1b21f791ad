/** Runs all checks of `npm test` in order; stops at the first failure. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'benchmaker-check-'))
const report = join(scratch, 'tests.json')

const checks: [name: string, command: string, args: string[]][] = [
  ['format', 'oxfmt', ['--check']],
  ['lint', 'oxlint', ['--deny-warnings']],
  ['types', 'tsc', ['-b']],
  ['types of tests and tools', 'tsc', ['-p', 'tsconfig.tests.json']],
  ['unused code and dependencies', 'knip', []],
  ['package', 'publint', ['--strict', '--pack', 'false']],
  ['tests', 'vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]],
]

try {
  for (const [name, command, args] of checks) {
    process.stdout.write(`\n── ${name}\n`)
    const { status } = spawnSync(join(root, 'node_modules/.bin', command), args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (status !== 0) {
      process.stdout.write(`\n${name}: failed\n`)
      process.exitCode = 1
      break
    }
  }
  if (process.exitCode !== 1) {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
    process.stdout.write(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`)
  }
} finally {
  rmSync(scratch, { recursive: true })
}
