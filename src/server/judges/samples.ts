import { z } from 'zod'
import {
  calibrationSampleSchema,
  defaultTolerance,
  maxCalibrationSamples,
  meanRatingOf,
  type Storage,
} from '../../contract/index.ts'
import { listCases } from '../../report/model/cases.ts'
import {
  calibrationSets,
  writeQuestion,
  findVariant,
  judgePresets,
  questionOf,
  type CalibrationSample,
} from '../../scoring/index.ts'
import { chooseSampleSet, findSampleSet, sampleSetNames, type SampleSet } from '../../services/index.ts'
import { notFound, Refusal } from '../http/refusal.ts'

/** GET /api/judges/samples: what a judge can be calibrated on. */
export interface SampleChoices {
  sets: { name: string; title: string; summary: string; count: number }[]
  presets: { name: string; title: string; summary: string; set: string; needsContext: boolean }[]
  /** Runs with answers that people rated, the last stored first. */
  ratedRuns: { runId: string; suite?: string; models: string[]; startedAt: number; ratings: number }[]
}

const MAX_RATED_RUNS = 100

export async function listSampleChoices(storage: Storage): Promise<SampleChoices> {
  const counts = new Map((await storage.countRatings()).map(({ runId, ratings }) => [runId, ratings]))
  const rated = counts.size === 0 ? [] : await storage.describeRuns({ ids: [...counts.keys()] })
  return {
    sets: calibrationSets.map(({ name, title, summary, samples }) => ({ name, title, summary, count: samples.length })),
    presets: judgePresets.map(({ name, title, summary, calibrationSet, needsContext = false }) => ({
      name,
      title,
      summary,
      set: calibrationSet,
      needsContext,
    })),
    ratedRuns: rated.slice(0, MAX_RATED_RUNS).map(({ id, testSuiteName, models, startedAt }) => ({
      runId: id,
      ...(testSuiteName !== undefined && { suite: testSuiteName }),
      models,
      startedAt,
      ratings: counts.get(id)!,
    })),
  }
}

/** The built-in samples of that name, or those for the preset. */
export function readBuiltInSamples(set: string | undefined, preset: string | undefined): SampleSet {
  if (set === undefined) return chooseSampleSet(preset)
  const found = findSampleSet(set)
  if (!found)
    throw new Refusal(422, 'no-such-samples', `There are no samples called ${set}; use ${sampleSetNames.join(', ')}.`)
  return found
}

/** Reads the user's own samples; lists all problems at once, by sample and field. */
export function readOwnSamples(rawSamples: readonly Record<string, unknown>[]): SampleSet {
  const parsed = z.array(calibrationSampleSchema).safeParse(rawSamples)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({
      path: ['samples', ...path.map((key) => (typeof key === 'number' ? key : String(key)))],
      message,
    }))
    const [first] = problems
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
    throw new Refusal(
      422,
      'bad-samples',
      `${first!.path.join('.')}: ${first!.message}${more}. A sample is { id, prompt, response, expectedOutput?, expectedScore from 0 to 1, tolerance? }.`,
      problems,
    )
  }
  const samples = parsed.data
  const ids = samples.map(({ id }) => id)
  const duplicate = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (duplicate >= 0)
    throw new Refusal(422, 'bad-samples', `Two samples have the id ${ids[duplicate]}.`, [
      { path: ['samples', duplicate, 'id'], message: 'is a duplicate' },
    ])
  return { source: `${samples.length} own ${samples.length === 1 ? 'sample' : 'samples'}`, samples }
}

/** The answers of a run that a person rated: the rating is the expected score. */
export async function readRatedSamples(storage: Storage, runId: string): Promise<SampleSet> {
  const run = await storage.loadRun(runId, { texts: false })
  if (!run) throw notFound('The run')
  const rated = run.results.flatMap((result) => {
    const expectedScore = meanRatingOf(result)
    const { testCaseId, modelId } = result
    return expectedScore === undefined ? [] : [{ testCaseId, modelId, expectedScore }]
  })
  const suite = run.testSuiteSnapshot
  const samples: CalibrationSample[] = []
  for (const { testCaseId, modelId, expectedScore } of rated.slice(0, maxCalibrationSamples)) {
    const cell = await storage.loadCell({ runId, testCaseId, modelId })
    const testCase = suite?.testCases.find(({ id }) => id === testCaseId)
    const [described] = suite && testCase ? listCases([], { ...suite, testCases: [testCase] }, []) : []
    const response = cell?.answer?.response ?? cell?.result.response
    if (response === undefined || testCase === undefined) continue
    const prompt = writeQuestion(questionOf(testCase, findVariant(suite?.variants ?? [], modelId)))
    const expectedOutput = described?.expectedOutput
    samples.push({
      id: `${testCaseId} · ${modelId}`,
      prompt,
      response,
      ...(expectedOutput !== undefined && { expectedOutput }),
      expectedScore,
      tolerance: defaultTolerance,
    })
  }
  if (samples.length === 0)
    throw new Refusal(
      422,
      'no-ratings',
      'No answer in that run has been rated. Rate some in its results, including bad ones, and calibrate again.',
    )
  const name = run.testSuiteName ?? suite?.name
  return {
    source: `${samples.length} rated ${samples.length === 1 ? 'answer' : 'answers'} of run ${runId}${name === undefined ? '' : ` (${name.slice(0, 100)})`}`,
    samples,
  }
}
