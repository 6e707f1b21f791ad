import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runCli } from '../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-budget-'))
afterAll(() => rmSync(folder, { recursive: true }))
const suite = join(folder, 'sums.json')
const testCases = Array.from({ length: 20 }, (_, index) => ({
  id: `c${index}`,
  prompt: `What is ${index} + 1?`,
  scoringMethod: 'exact-match',
  expectedOutput: String(index + 1),
}))
writeFileSync(suite, JSON.stringify({ name: 'Sums', testCases }))

const run = (...args: string[]) => runCli([...args, '--data', join(folder, 'data')])

it('--max-cost lets everything finish that fits sequentially, whatever the concurrency', async () => {
  const { exitCode, out } = await run('run', suite, '--models', 'demo/good', '--max-cost', '0.05', '--json')
  expect(exitCode).toBe(0)
  expect(JSON.parse(out).runs[0].results).toHaveLength(20)
})

it('--max-cost that may stop the run early says so before the run, with the most that one request can cost', async () => {
  const dryRun = (maxCost: string) =>
    run('run', suite, '--models', 'demo/good,demo/poor', '--max-cost', maxCost, '--dry-run')
  expect((await dryRun('10')).out).not.toContain('budget')
  // 2048 tokens at 8 dollars a million, and the prompt.
  expect((await dryRun('0.1')).out).toContain(
    'Stops when less than $0.016 is left (the most one request can cost). Lower max tokens to use more of the budget.',
  )
  const tooSmall =
    'One request can cost up to $0.016, more than the budget of $0.01. Raise the budget or lower max tokens.'
  expect((await dryRun('0.01')).out).toContain(tooSmall)
  const real = await run('run', suite, '--models', 'demo/good', '--max-cost', '0.01')
  expect([real.exitCode, real.err]).toEqual([2, `error: --max-cost: ${tooSmall}\n`])
})

it('a gate that fails because the budget ended the run exits with 1, and no gate with 130', async () => {
  const args = ['run', suite, '--models', 'demo/good', '--max-cost', '0.017']
  const gated = await run(...args, '--fail-under', '99')
  expect([gated.exitCode, gated.err]).toEqual([1, expect.stringMatching(/gate failed: \d+ of 20 cells have no score/)])
  expect((await run(...args)).exitCode).toBe(130)
})

it('--max-cost covers all runs of a series together, and the message says what they spent', async () => {
  const args = ['run', suite, '--models', 'demo/good', '--max-tokens', '10']
  const once = JSON.parse((await run(...args, '--json')).out).cost
  const { exitCode, out, err } = await run(
    ...args,
    '--repeat',
    '3',
    '--max-cost',
    String(once * 1.5 + 0.0001),
    '--json',
  )
  expect(exitCode).toBe(130)
  const { runs, cost } = JSON.parse(out)
  expect(runs.map(({ status }: { status: string }) => status)).toEqual(['completed', 'cancelled'])
  expect(cost).toBeGreaterThan(once)
  expect(cost).toBeLessThan(once * 1.5 + 0.0001)
  const { results } = runs[1]
  const open = results.filter(({ outcome }: { outcome: string }) => outcome === 'cancelled').length
  expect([results.length, open > 0]).toEqual([20, true])
  // The third run was never started.
  expect(err).toContain(
    `Stopped with ${open + 20} cells not run. Next: benchmaker resume ${runs[1].id} --max-cost <usd>, with a larger budget`,
  )
  expect((await run('show', runs[1].id)).out).toMatch(
    new RegExp(`${open} of 20 cells not\\s+run; 1 more run of its series not started`),
  )
  expect(err).toContain(`Stopped before exceeding the budget; $${cost.toPrecision(2)} spent.`)
})

it.each(['1e15', '1e30', '9000001'])(
  '--max-cost %s is refused with a sentence, in run, resume and audit',
  async (amount) => {
    const sentence = 'must be at most 9,000,000 dollars'
    for (const args of [
      ['run', suite, '--models', 'demo/good'],
      ['resume', 'latest'],
      ['audit', 'demo/judge'],
    ]) {
      const { exitCode, err } = await run(...args, '--max-cost', amount)
      expect([exitCode, err]).toEqual([2, expect.stringContaining(sentence)])
    }
  },
)
