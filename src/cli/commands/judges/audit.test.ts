import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startModelServer } from '../../../../test/fakes/model-server.ts'
import type { StoredAudit } from '../../../services/index.ts'
import { openStorage } from '../../../storage/index.ts'
import { runCli } from '../../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))
const data = ['--data', join(folder, 'data')]
const run = (...args: string[]) => runCli([...args, ...data], { columns: 160 })

async function audit(...args: string[]): Promise<StoredAudit> {
  const { exitCode, out } = await run('audit', ...args, '--json')
  expect(exitCode).toBe(0)
  return JSON.parse(out)
}

const suite = join(folder, 'suite.json')
const testCases = Array.from({ length: 12 }, (_, index) => ({
  id: `c${index}`,
  prompt: `What is ${index} + 10?`,
  scoringMethod: 'exact-match',
  expectedOutput: `The sum of both is ${index + 10}`,
}))
writeFileSync(suite, JSON.stringify({ name: 'Sums', testCases }))

describe('audit', () => {
  it('prints figures, intervals, sentences and the cases behind a finding, and keeps the audit', async () => {
    const { exitCode, out } = await run('audit', 'demo/judge-wordy')
    expect(exitCode).toBe(0)
    expect(out).toMatch(/✗ +Rewards length +\+16\.7 +14\.6 to 18\.7 +change by padding/)
    expect(out).toMatch(/^demo.*\n\nRewards length\.\n[^]*✓ +Consistent/)
    expect(out).toMatch(
      /Verbosity: Padding raised its scores by 16.7 points .* it rewards length\.\n {2}.* as it is: \d+, \d+ · padded/,
    )
    const storage = await openStorage({ file: join(folder, 'data', 'benchmaker.db') })
    try {
      expect(await storage.listDocuments('audit')).toHaveLength(1)
    } finally {
      await storage.close()
    }
  })

  it('uses the answers of a run, only what is named, and at most so many', async () => {
    expect((await run('run', suite, '--models', 'demo/good,demo/poor')).exitCode).toBe(0)
    const { findings, source, runId } = await audit(
      'demo/judge-wordy',
      '--run',
      'latest',
      '--only',
      'verbosity',
      '--limit',
      '8',
    )
    expect(source).toBe(`16 answers of run ${runId} (Sums)`)
    expect(findings.map(({ audit: name, status, planned }) => [name, status, planned])).toEqual([
      ['verbosity', 'found', 8],
    ])
  })

  it('--dry-run says how many requests and what they cost, and sends and writes nothing', async () => {
    const elsewhere = join(folder, 'never-written')
    const { exitCode, out } = await runCli(['audit', 'demo/judge', '--dry-run', '--data', elsewhere])
    expect(exitCode).toBe(0)
    expect(out).toMatch(/It would send 320 requests, or up to 616 .* About \$0\.\d+ .*, at most \$\d/s)
    expect(existsSync(elsewhere)).toBe(false)
    const { out: json } = await runCli(['audit', 'demo/judge', '--dry-run', '--json', '--data', elsewhere])
    expect(JSON.parse(json)).toMatchObject({ nothingSent: true, requests: 320 })
  })

  it('ends with 3 if something could not be tested, and says why', async () => {
    const server = await startModelServer({ answer: () => 'I would rather not say.' })
    try {
      const { exitCode, out } = await run(
        'audit',
        'mute',
        '--only',
        'verbosity',
        '--limit',
        '6',
        '--base-url',
        server.baseUrl,
      )
      expect(exitCode).toBe(3)
      expect(out).toMatch(/\? +Not tested/)
      expect(out).toContain('Not tested: 6 of 6 answers got no usable reply')
    } finally {
      await server.close()
    }
  })

  it('stays within --max-cost', async () => {
    const { exitCode, out } = await run('audit', 'demo/judge', '--max-cost', '0.02', '--json')
    expect(exitCode).toBe(3)
    const { cost, findings }: StoredAudit = JSON.parse(out)
    expect(cost).toBeLessThanOrEqual(0.02)
    expect(findings.at(-1)!.sentence).toContain('budget of 0.02 dollars')
  })

  it('refuses what cannot be, before anything is written', async () => {
    const elsewhere = join(folder, 'never-written')
    for (const [args, words] of [
      [['demo/nope'], 'demo/nope: no such model'],
      [['demo/judge', '--only', 'luck'], '--only: must be among test-retest, position'],
      [['demo/judge', '--limit', '0'], '--limit'],
      [['demo/judge', '--max-cost', '0'], '--max-cost: must be more than 0 dollars'],
      [['demo/judge', '--limit', '501'], '--limit: must be at most 500'],
    ] as const) {
      const { exitCode, err } = await runCli(['audit', ...args, '--data', elsewhere])
      expect([exitCode, err]).toEqual([2, expect.stringContaining(words)])
    }
    expect(existsSync(elsewhere)).toBe(false)
    expect(await run('audit', 'demo/judge', '--run', 'nobody')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('nobody: no such run'),
    })
  })
})
