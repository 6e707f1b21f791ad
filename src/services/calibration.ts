import { defaultConcurrency, type CancelSignal, type Client } from '../contract/index.ts'
import { calibrate, type CalibrationResult, type CalibrationSample } from '../scoring/index.ts'
import { askDirectly, type DirectTools } from './asking/ask-directly.ts'
import { createLimiter } from './asking/limiter.ts'

export interface JudgeCalibration {
  clientFor(modelId: string): Client
  /** The built-in ones by default. */
  samples?: readonly CalibrationSample[] | undefined
  signal?: CancelSignal | undefined
}

/** Has the judge grade the samples, with as many requests at once as a run sends by default. */
export async function calibrateJudge(
  judgeModelId: string,
  { clientFor, samples, signal }: JudgeCalibration,
  { clock, random }: DirectTools,
): Promise<CalibrationResult> {
  clientFor(judgeModelId).checkModel?.(judgeModelId)
  const limiter = createLimiter(defaultConcurrency)
  const askJudge = askDirectly(clientFor, { clock, random }, signal)
  const ask: typeof askJudge = async (request) => {
    const release = await limiter.acquire(signal)
    try {
      return await askJudge(request)
    } finally {
      release()
    }
  }
  return calibrate(judgeModelId, { ask, now: clock.now, random }, samples)
}
