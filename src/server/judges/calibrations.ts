import { ClientError } from '../../contract/index.ts'
import {
  calibrateJudge,
  listCalibrations,
  readCalibration,
  saveCalibration,
  type Calibration,
  type SampleSet,
} from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { fitTexts } from '../results/fit-texts.ts'

/** POST /api/calibrations · GET /api/calibrations · GET /api/calibrations/:id */
export type { Calibration } from '../../services/index.ts'

const MAX_LISTED = 200
const MAX_BYTES = 900_000

/** Cuts texts that do not fit; leaves out the samples if that is not enough. */
function fit(calibration: Calibration, bytes: number): Calibration {
  return fitTexts(calibration, bytes) ?? { ...calibration, samples: [], result: { ...calibration.result, samples: [] } }
}

/** Creates, lists and deletes calibrations of judges. */
export function createCalibrations(context: ServerContext) {
  const { storage } = context
  return {
    /** Calls the judge. If every call fails, nothing is stored. */
    async create(
      judgeModelId: string,
      { set, preset, signal }: { set: SampleSet; preset: string | undefined; signal: AbortSignal },
    ): Promise<Calibration> {
      const { clock, random, pacing } = context.runTools()
      const { clientFor, createId } = context
      const { samples } = set
      const result = await calibrateJudge(
        judgeModelId,
        { clientFor, samples, preset, signal },
        { clock, random, pacing },
      ).catch((error: unknown) => {
        if (error instanceof ClientError && error.kind === 'cancelled')
          throw new Refusal(409, 'cancelled', 'The calibration was stopped; nothing was saved.')
        throw error
      })
      const failures = result.samples.flatMap(({ unscored }) =>
        unscored?.code === 'judge-failed' ? [unscored.message] : [],
      )
      if (failures.length === result.samples.length)
        throw new Refusal(422, 'judge-failed', `The judge could not be reached: ${failures[0]}`)
      return fit(await saveCalibration(result, set, { storage, createId }), MAX_BYTES)
    },

    /** Newest first. */
    async list(): Promise<Calibration[]> {
      const listed = (await listCalibrations(storage)).slice(0, MAX_LISTED)
      return listed.map((calibration) => fit(calibration, MAX_BYTES / listed.length))
    },

    async find(id: string): Promise<Calibration> {
      const stored = await storage.loadDocument('calibration', id)
      const calibration = stored && readCalibration(stored)
      if (!calibration) throw notFound('The calibration')
      return fit(calibration, MAX_BYTES)
    },

    async remove(id: string): Promise<void> {
      if (!(await storage.deleteDocument('calibration', id))) throw notFound('The calibration')
    },
  }
}
