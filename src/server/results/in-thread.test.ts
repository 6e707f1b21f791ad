import { describe, expect, it } from 'vitest'
import type { RunResult } from '../../contract/index.ts'
import { createRandom } from '../../statistics/index.ts'
import { doWorkIn, startThread } from './in-thread.ts'
import { gatherColumns } from './run-columns.ts'
import type { ThreadWork, WorkResult } from './thread-work.ts'

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

async function gather(...runs: RunResult[]) {
  const columns = gatherColumns()
  for (const run of runs) await columns.add(run)
  return columns.finish()
}

async function collect(where: 'here' | 'thread', work: ThreadWork): Promise<WorkResult[]> {
  const results: WorkResult[] = []
  if (where === 'thread') await startThread().run(work, (result) => results.push(result))
  else await doWorkIn(undefined, work, (result) => results.push(result))
  return results
}

describe('a thread of its own', () => {
  it('gives what this thread gives, part by part', async () => {
    const [one, two] = [makeRun('one'), makeRun('two')]
    const works: ThreadWork[] = [
      { kind: 'figures', job: { columns: await gather(one, two), cost: { total: 1, unknown: 0 } } },
      { kind: 'compare', job: { a: await gather(one), b: await gather(two), models } },
      { kind: 'export', job: { runs: [one, two], format: 'json' } },
    ]
    for (const work of works) {
      const [here, there] = [await collect('here', work), await collect('thread', work)]
      expect(there.map(({ part }) => part)).toEqual(here.map(({ part }) => part))
      expect(there).toEqual(here)
    }
  })

  it('says why work failed, and does not try it again', async () => {
    const work: ThreadWork = { kind: 'export', job: { runs: [makeRun('one')], format: 'runes' } }
    await expect(doWorkIn(startThread(), work, () => {})).rejects.toThrow(/no format runes/)
  })

  it('that cannot go on is replaced by this one', async () => {
    const thread = startThread()
    thread.end()
    const results: WorkResult[] = []
    await doWorkIn(
      thread,
      { kind: 'figures', job: { columns: await gather(makeRun('one')), cost: { total: 0, unknown: 0 } } },
      (result) => results.push(result),
    )
    expect(results.map(({ part }) => part)).toEqual(['uncompared', 'all'])
  })
})
