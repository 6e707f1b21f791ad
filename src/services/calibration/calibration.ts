import { defaultConcurrency, InputError, type CancelSignal, type Client } from '../../contract/index.ts'
import {
  calibrate,
  calibrationSets,
  defaultCalibrationSamples,
  findCalibrationSet,
  findPreset,
  judgePresets,
  type CalibrationResult,
  type CalibrationSample,
} from '../../scoring/index.ts'
import { requestDirectly, type DirectTools } from '../requesting/request-directly.ts'
import { createLimiter } from '../requesting/limiter.ts'
import type { SampleSet } from './calibration-history.ts'

export interface JudgeCalibration {
  clientFor(modelId: string): Client
  /** The eight default ones unless given. */
  samples?: readonly CalibrationSample[] | undefined
  /** The judge preset whose criteria the judge grades by. */
  preset?: string | undefined
  signal?: CancelSignal | undefined
}

/** What the eight samples that are used by default are called. */
const DEFAULT_SET = 'default'

/** The names that `--samples` takes besides files. */
export const sampleSetNames: readonly string[] = [DEFAULT_SET, ...calibrationSets.map(({ name }) => name)]

/** The built-in samples of that name; undefined if there are none. */
export function findSampleSet(name: string): SampleSet | undefined {
  if (name === DEFAULT_SET)
    return { source: 'built-in samples', setVersion: `${DEFAULT_SET}/1`, samples: defaultCalibrationSamples }
  const set = findCalibrationSet(name)
  return set && { source: `${set.title}: ${set.samples.length} samples`, setVersion: set.version, samples: set.samples }
}

/** The samples to calibrate a judge on if none are named: those of its preset, or the eight default ones. */
export function chooseSampleSet(preset: string | undefined): SampleSet {
  if (preset === undefined) return findSampleSet(DEFAULT_SET)!
  const found = findPreset(preset)
  if (!found)
    throw new InputError(
      `there is no judge preset ${JSON.stringify(preset)}; use one of ${judgePresets.map(({ name }) => name).join(', ')}`,
    )
  return findSampleSet(found.calibrationSet)!
}

/** Has the judge grade the samples, with as many requests at once as a run sends by default. */
export async function calibrateJudge(
  judgeModelId: string,
  { clientFor, preset, samples = chooseSampleSet(preset).samples, signal }: JudgeCalibration,
  { clock, random, pacing }: DirectTools,
): Promise<CalibrationResult> {
  clientFor(judgeModelId).checkModel?.(judgeModelId)
  const limiter = createLimiter(defaultConcurrency)
  const send = requestDirectly(clientFor, { clock, random, pacing }, signal)
  const callModel: typeof send = async (request) => {
    const release = await limiter.acquire(signal)
    try {
      return await send(request)
    } finally {
      release()
    }
  }
  return calibrate(judgeModelId, { callModel, now: clock.now, random }, samples, { preset })
}
