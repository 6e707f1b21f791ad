import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../src/cli/testing/run-cli.ts'
import type { RunRequest } from '../src/contract/index.ts'
import { executeRun, openStorage, type ExecuteOptions } from '../src/index.ts'
import { buildReport } from '../src/report/model/report.ts'
import { describeByHistory } from '../src/report/words/index.ts'
import { scoreByHistory } from '../src/statistics/index.ts'

const CASES = 80
const folder = mkdtempSync(join(tmpdir(), 'benchmaker-informative-'))
const data = join(folder, 'data')
const file = join(folder, 'suite.json')

const suite = {
  name: 'Sums of eighty',
  testCases: Array.from({ length: CASES }, (_, index) => ({
    id: `c${index}`,
    prompt: `What is ${index} + ${(index * 7) % 13}?`,
    expectedOutput: String(index + ((index * 7) % 13)),
    scoringMethod: 'exact-match' as const,
  })),
}

/** Model `m3` answers the cases below 30 % of the difficulty rightly, and so on; difficulties are scattered over the suite. */
const skillOf = (modelId: string) => Number(modelId.slice(1)) / 10
const difficultyOf = (index: number) => ((index * 37) % CASES) / CASES
const client = {
  complete: async ({ modelId, messages }: { modelId: string; messages: readonly { content: unknown }[] }) => {
    const index = suite.testCases.findIndex(({ prompt }) => prompt === messages.at(-1)?.content)
    return { response: difficultyOf(index) < skillOf(modelId) ? suite.testCases[index]!.expectedOutput : 'no idea' }
  },
}

const others = ['m1', 'm3', 'm4', 'm7', 'm9']

async function withStorage<Result>(
  work: (run: (given: Partial<ExecuteOptions>) => ReturnType<typeof executeRun>) => Promise<Result>,
) {
  const storage = await openStorage({ file: ':memory:' })
  try {
    return await work((given) => executeRun({ suite, models: ['m5'], client, storage, ...given }))
  } finally {
    await storage.close()
  }
}

describe('a run of informative cases', () => {
  it('estimates the score of all from some of them, by what other models scored', async () => {
    await withStorage(async (run) => {
      await run({ models: others })
      const found = await run({ informative: 40 })
      expect(found.results).toHaveLength(40)
      const { history } = found.request as RunRequest
      expect(history?.models).toBe(5)
      // The mean over the five models, by hand: those whose skill is above the difficulty of the case.
      for (const [index, { id }] of suite.testCases.entries())
        expect(history?.means[id]).toBeCloseTo(others.filter((m) => difficultyOf(index) < skillOf(m)).length / 5, 12)
      const { byHistory } = buildReport(found)
      const [own] = byHistory!.models
      const asked = found.results.map(({ testCaseId, score }) => ({
        score: score!.score,
        history: history!.means[testCaseId]!,
      }))
      expect(own).toMatchObject(scoreByHistory({ asked, history: Object.values(history!.means) }))
      // A plain sample of m of N cases has the variance s²(1/m − 1/N); by the interval's own width, t(38) = 2.024394.
      const error = (own!.ofSuite[1] - own!.ofSuite[0]) / 2 / 2.024394
      const mean = asked.reduce((sum, { score }) => sum + score, 0) / 40
      const spread = (mean * (1 - mean) * 40) / 39
      expect(own!.plainNeeded).toBe(Math.round(1 / (error ** 2 / spread + 1 / CASES)))
      expect(own!.plainNeeded).toBeGreaterThan(40)
      expect(describeByHistory(byHistory)).toEqual([
        expect.stringMatching(
          /^m5 would score [\d.]+ on all 80 cases \(95 % CI [\d.]+ to [\d.]+; over cases like these [\d.]+ to [\d.]+\): asked 40 drawn at random, corrected by what 5 other models scored\. A plain sample as precise needs \d+ cases: \d+ calls saved\.$/,
        ),
      ])
    })
  })

  it('shows the plain mean of scores that are nearly all on one side', async () => {
    await withStorage(async (run) => {
      await run({ models: others })
      const { byHistory } = buildReport(await run({ models: ['m10'], informative: 40 }))
      expect(byHistory?.models[0]).toMatchObject({ isRefused: true, plainMean: 1 })
      expect(describeByHistory(byHistory)[0]).toMatch(/^m10 scores 100\.0 on the 40 cases asked alone .* is not used/)
    })
  })

  it.each<[string, Partial<ExecuteOptions>, string]>([
    [
      'too few other models',
      { models: ['m9'] },
      'at least 5 other models on every case, in stored runs of these very cases; 80 of 80 cases have fewer',
    ],
    ['too few cases drawn', { informative: 29 }, 'at least 30 cases'],
    ['as many cases as there are', { informative: CASES }, 'the suite has 80 cases to run'],
    [
      'a case that asks something else now',
      {
        suite: {
          ...suite,
          testCases: suite.testCases.map((one, index) => (index === 7 ? { ...one, prompt: 'Why?' } : one)),
        },
      },
      '1 of 80 cases have fewer',
    ],
    [
      'cases that belong together',
      { suite: { ...suite, testCases: suite.testCases.map((one) => ({ ...one, cluster: 'a' })) } },
      'belong together',
    ],
    [
      'different weights',
      { suite: { ...suite, testCases: suite.testCases.map((one, index) => ({ ...one, weight: 1 + (index % 2) })) } },
      'different weights',
    ],
    ['deciding', { models: ['m5', 'm6'], until: 'decided' }, 'choose one of them'],
  ])('is refused for %s, and nothing is sent', async (_why, given, message) => {
    await withStorage(async (run) => {
      await run({ models: others })
      let asked = 0
      const counting = {
        complete: (request: Parameters<typeof client.complete>[0]) => (asked++, client.complete(request)),
      }
      await expect(run({ informative: 40, client: counting, ...given })).rejects.toThrow(message)
      expect(asked).toBe(0)
    })
  })
})

describe('benchmaker run --informative', () => {
  beforeAll(async () => {
    writeFileSync(file, JSON.stringify(suite))
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  const run = (...args: string[]) => runCli(['run', file, '--models', 'demo/poor', ...args, '--data', data])

  it('is refused without stored runs, then estimates from them', async () => {
    const refused = await run('--informative', '40')
    expect([refused.exitCode, refused.err]).toEqual([2, expect.stringContaining('at least 5 other models')])
    const storage = await openStorage({ file: join(data, 'benchmaker.db') })
    await executeRun({ suite, models: others, client, storage })
    await storage.close()
    const { exitCode, out } = await run('--informative', '40')
    expect([exitCode, out]).toEqual([0, expect.stringContaining('demo/poor would score')])
    const printed = await run('--informative', '40', '--json')
    expect(JSON.parse(printed.out)).toMatchObject({ byHistory: { cases: 80, drawn: 40, otherModels: 5 } })
  })
})
