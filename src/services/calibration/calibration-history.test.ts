import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Storage } from '../../contract/index.ts'
import { measureCalibration, type CalibrationResult } from '../../scoring/index.ts'
import { openStorage } from '../../storage/index.ts'
import { findSampleSet } from './calibration.ts'
import { findStandings, listCalibrations, saveCalibration } from './calibration-history.ts'

let storage: Storage
let ids = 0
const createId = () => `calibration ${++ids}`
beforeEach(async () => {
  storage = await openStorage({ file: ':memory:' })
})
afterEach(() => storage.close())

const set = findSampleSet('facts')!

/** A judge that is off by this much on every sample, or that gives no grade. */
function gradedBy(judgeModelId: string, off: number | undefined, promptVersion?: string): CalibrationResult {
  const samples = set.samples.map(({ id: sampleId, expectedScore, tolerance }) => {
    if (off === undefined)
      return { sampleId, expectedScore, withinTolerance: false, unscored: { code: 'judge-unreadable', message: '?' } }
    const actualScore = Math.min(1, Math.max(0, expectedScore + off))
    const error = actualScore - expectedScore
    return { sampleId, expectedScore, actualScore, error, withinTolerance: Math.abs(error) <= tolerance }
  })
  return { judgeModelId, timestamp: 1, ...(promptVersion && { promptVersion }), ...measureCalibration(samples) }
}

it('is kept with its set, prompt, figures, certainty and the reason of every sample', async () => {
  await saveCalibration(gradedBy('a', 0, 'llm-judge/1'), set, { storage, createId })
  await saveCalibration(gradedBy('b', 0.05), set, { storage, createId })
  const [calibration, ...others] = await listCalibrations(storage, { judgeModelId: 'a' })
  expect(others).toEqual([])
  expect(calibration).toMatchObject({
    setVersion: 'facts/1',
    result: {
      promptVersion: 'llm-judge/1',
      certainty: { isSure: true },
      intervals: { bias: { method: 'unseen-mass' } },
    },
    interpretation: { rating: 'excellent' },
  })
  expect(calibration!.samples[0]).toMatchObject({ id: set.samples[0]!.id, reason: set.samples[0]!.reason })
  expect(await listCalibrations(storage)).toHaveLength(2)
})

it('of an earlier version of the program gets its intervals and its prompt when it is read', async () => {
  const { judgeModelId, timestamp, samples, summary } = gradedBy('old', undefined)
  await storage.saveDocument({
    kind: 'calibration',
    id: 'old',
    content: JSON.parse(
      JSON.stringify({
        source: 'built-in samples',
        result: { judgeModelId, timestamp, samples, summary },
        interpretation: { rating: 'poor', summary: 'old is poor', advice: '' },
        samples: [],
      }),
    ),
  })
  expect(await listCalibrations(storage)).toMatchObject([
    { result: { promptVersion: 'llm-judge/1' }, interpretation: { rating: 'not calibrated' } },
  ])
})

it('says of each judge and prompt what its last calibration found; one that failed says nothing', async () => {
  const runs = [{ judgeModel: 'a' }]
  expect(await findStandings([{}], storage)).toBeUndefined()
  expect(await findStandings(runs, storage)).toEqual([])
  for (const [off, prompt] of [
    [0.3, 'llm-judge/1'],
    [0, 'llm-judge/1'],
    [undefined, 'llm-judge/1'],
    [-0.4, 'llm-judge/1+safety/1'],
  ] as const)
    await saveCalibration(gradedBy('a', off, prompt), set, { storage, createId })
  expect(await findStandings(runs, storage)).toEqual([
    expect.objectContaining({ judgeModelId: 'a', promptVersion: 'llm-judge/1+safety/1', rating: 'poor' }),
    { judgeModelId: 'a', promptVersion: 'llm-judge/1', rating: 'excellent', couldBe: [], samples: set.samples.length },
  ])
})
