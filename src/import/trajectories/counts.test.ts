import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { countTrajectory, type TrajectoryCounts } from '../../scoring/tool-calls/index.ts'
import { readTrajectories, writeAtif } from './index.ts'
import { readAgain } from './testing/read-again.ts'

const folder = fileURLToPath(new URL('../../../../shared/data/trajectories/', import.meta.url))
const hasFiles = existsSync(folder)
if (!hasFiles) process.stderr.write('counts.test.ts: no shared trajectories here, nothing compared\n')

interface Expected {
  format: string
  calls: number
  results: number
  errors: number | null
  userTurns: number | null
  assistantTurns: number
  model: string | null
  byName: Record<string, number>
  [name: string]: unknown
}

const files: Record<string, Expected> = hasFiles ? JSON.parse(readFileSync(`${folder}counts.json`, 'utf8')).files : {}

function sum(
  counts: readonly TrajectoryCounts[],
  name: 'calls' | 'results' | 'errors' | 'userTurns' | 'assistantTurns',
) {
  return counts.reduce<number | null>(
    (total, one) => (total === null || one[name] === null ? null : total + one[name]),
    0,
  )
}

describe.runIf(hasFiles)('files counted by an independent script', () => {
  it.each(Object.entries(files))('%s', async (name, expected) => {
    const counts = (await readTrajectories(folder + name)).map(countTrajectory)
    const [first] = counts
    expect({
      format: first?.format,
      calls: sum(counts, 'calls'),
      results: sum(counts, 'results'),
      errors: sum(counts, 'errors'),
      userTurns: sum(counts, 'userTurns'),
      assistantTurns: sum(counts, 'assistantTurns'),
      model: first?.model,
      byName: Object.assign({}, ...counts.map(({ byName }) => byName)),
    }).toEqual({
      format: expected.format,
      calls: expected.calls,
      results: expected.results,
      errors: expected.errors,
      userTurns: expected.userTurns,
      assistantTurns: expected.assistantTurns,
      model: expected.model,
      byName: expected.byName,
    })
    if (expected['outputTokens'] !== undefined) expect(first?.usage.outputTokens).toBe(expected['outputTokens'])
    if (expected['models'] !== undefined) expect(first?.models).toEqual(expected['models'])
    const cost = expected['costUsd'] ?? expected['totalCost']
    if (typeof cost === 'number') expect(first?.cost ?? 0).toBeCloseTo(cost, 9)
  })

  it.each(Object.keys(files))('%s is the same after writing it as ATIF', async (name) => {
    for (const trajectory of await readTrajectories(folder + name)) {
      const again = await readAgain(writeAtif(trajectory))
      expect(again).toEqual({ ...trajectory, file: again?.file, format: 'atif', subagents: again?.subagents })
      expect(
        again?.subagents.map(countTrajectory).map(({ calls, results, errors }) => ({ calls, results, errors })),
      ).toEqual(
        trajectory.subagents.map(countTrajectory).map(({ calls, results, errors }) => ({ calls, results, errors })),
      )
    }
  })

  it('reads a folder as its sessions, with their sub-agents below them', async () => {
    const counts = (await readTrajectories(`${folder}claude-code`)).map(countTrajectory)
    expect(counts).toHaveLength(8)
    expect(counts.flatMap(({ subagents }) => subagents.map(({ calls, errors }) => ({ calls, errors })))).toEqual([
      { calls: 33, errors: 8 },
      { calls: 1, errors: 0 },
    ])
  })
})
