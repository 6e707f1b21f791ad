import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const program = join(import.meta.dirname, '..', 'dist', 'cli.js')
const FULL_DISK = '/dev/full'
const CASES = 300
const PIPE_CAPACITY = 65_536

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-printed-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('output', () => {
  it('is complete for a slow reader', () => {
    const suite = join(folder, 'suite.json')
    const testCases = Array.from({ length: CASES }, (_, index) => ({
      id: `case-${index}`,
      prompt: `Question ${index}`,
      scoringMethod: 'boolean',
      expectedOutput: 'yes',
    }))
    writeFileSync(suite, JSON.stringify({ name: 'Much to print', testCases }))
    const command = '"$0" "$1" run "$2" --models demo/good --json --data "$3" | { sleep 1; cat; }'
    const { stdout } = spawnSync('sh', ['-c', command, process.execPath, program, suite, join(folder, 'data')], {
      encoding: 'utf8',
    })
    expect(stdout.length).toBeGreaterThan(2 * PIPE_CAPACITY)
    expect(JSON.parse(stdout).runs[0].results).toHaveLength(CASES)
  })

  it('may be cut short by its reader', async () => {
    const child = spawn(process.execPath, [program, 'schema'], { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.destroy()
    let complaint = ''
    child.stderr.on('data', (chunk) => (complaint += String(chunk)))
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
    expect(complaint).toBe('')
  })

  it.skipIf(!existsSync(FULL_DISK))(
    `that does not fit on the disk is reported (skipped where there is no ${FULL_DISK})`,
    () => {
      const disk = openSync(FULL_DISK, 'w')
      const { status, stderr } = spawnSync(process.execPath, [program, 'schema'], {
        stdio: ['ignore', disk, 'pipe'],
        encoding: 'utf8',
      })
      closeSync(disk)
      expect(stderr).toMatch(/^The output cannot be written \(.*no space left.*\)\. Stored data is kept\.\n$/)
      expect(status).toBe(2)
    },
  )
})
