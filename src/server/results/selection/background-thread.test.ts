import { describe, expect, it } from 'vitest'
import { toScoreTable, type RunResult } from '../../../contract/index.ts'
import { createRandom } from '../../../statistics/index.ts'
import { runJobIn, startThread } from './background-thread.ts'
import type { ThreadJob, JobResult } from './thread-jobs.ts'

const random = createRandom('threads')
const models = ['a', 'b', 'c']

function makeRun(id: string): RunResult {
  const testCases = Array.from({ length: 40 }, (_, index) => ({
    id: `case ${index}`,
    weight: 1 + (index % 2),
    prompt: 'why?',
  }))
  const results = testCases.flatMap((testCase) =>
    models.map((modelId) => ({
      testCaseId: testCase.id,
      modelId,
      outcome: 'ok' as const,
      response: 'so',
      score: { score: random() },
    })),
  )
  return { id, models, results, testSuiteSnapshot: { name: 'Why', testCases }, startedAt: 1 }
}

async function collect(where: 'here' | 'thread', job: ThreadJob): Promise<JobResult[]> {
  const results: JobResult[] = []
  if (where === 'thread') await startThread().run(job, (result) => results.push(result))
  else await runJobIn(undefined, job, (result) => results.push(result))
  return results
}

describe('a background thread', () => {
  it('returns the same parts as this thread', async () => {
    const [one, two] = [makeRun('one'), makeRun('two')]
    const jobs: ThreadJob[] = [
      { kind: 'summarize', input: { scores: toScoreTable([one, two]), cost: { total: 1, unknown: 0 } } },
      {
        kind: 'compare',
        input: {
          before: toScoreTable(one),
          after: toScoreTable(two),
          pairs: models.map((model) => [model, model]),
          leaveOut: [],
        },
      },
      { kind: 'export', input: { runs: [one, two], format: 'json' } },
    ]
    for (const job of jobs) {
      const [here, there] = [await collect('here', job), await collect('thread', job)]
      expect(there.map(({ part }) => part)).toEqual(here.map(({ part }) => part))
      expect(there).toEqual(here)
    }
  })

  it('reports why a job failed, and does not retry it', async () => {
    const job: ThreadJob = { kind: 'export', input: { runs: [makeRun('one')], format: 'runes' } }
    await expect(runJobIn(startThread(), job, () => {})).rejects.toThrow(/format runes/)
  })

  it('that has ended is replaced by this one', async () => {
    const thread = startThread()
    thread.end()
    const results: JobResult[] = []
    await runJobIn(
      thread,
      { kind: 'summarize', input: { scores: toScoreTable(makeRun('one')), cost: { total: 0, unknown: 0 } } },
      (result) => results.push(result),
    )
    expect(results.map(({ part }) => part)).toEqual(['standings', 'summary'])
  })
})
