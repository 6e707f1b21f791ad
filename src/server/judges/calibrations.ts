import { z } from 'zod'
import { ClientError, InputError, type StoredDocument } from '../../contract/index.ts'
import {
  interpretCalibrationResult,
  type CalibrationInterpretation,
  type CalibrationResult,
} from '../../scoring/index.ts'
import { calibrateJudge } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { fitTexts } from '../results/fit-texts.ts'
import type { SampleSet } from './samples.ts'

/** POST /api/calibrations · GET /api/calibrations · GET /api/calibrations/:id */
export interface Calibration {
  id: string
  savedAt: number
  source: string
  result: CalibrationResult
  interpretation: CalibrationInterpretation
  samples: { id: string; prompt: string; response: string; expectedOutput?: string; reasoning?: string }[]
}

const MAX_LISTED = 200
const MAX_BYTES = 900_000

/** JSON has no NaN: an undefined figure was stored as null. */
const figure = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NaN)
const text = z.string()

const contentSchema = z.object({
  source: text,
  result: z.object({
    judgeModelId: text,
    timestamp: z.number(),
    samples: z.array(
      z.object({
        sampleId: text,
        expectedScore: z.number(),
        actualScore: z.number().optional(),
        error: z.number().optional(),
        withinTolerance: z.boolean(),
        reasoning: text.optional(),
        unscored: z.object({ code: text, message: text }).optional(),
      }),
    ),
    summary: z.object({
      totalSamples: z.number(),
      passedSamples: z.number(),
      passRate: figure,
      meanAbsoluteError: figure,
      maxError: figure,
      bias: figure,
      correlation: figure,
    }),
  }),
  interpretation: z.object({ rating: z.enum(['excellent', 'good', 'fair', 'poor']), summary: text, advice: text }),
  samples: z.array(
    z.object({ id: text, prompt: text, response: text, expectedOutput: text.optional(), reasoning: text.optional() }),
  ),
})

function readCalibration({ id, savedAt, content }: StoredDocument): Calibration | undefined {
  const parsed = contentSchema.safeParse(content)
  return parsed.success ? { id, savedAt, ...parsed.data } : undefined
}

/** Cuts texts that do not fit; leaves out the samples if that is not enough. */
function fit(calibration: Calibration, bytes: number): Calibration {
  return fitTexts(calibration, bytes) ?? { ...calibration, samples: [], result: { ...calibration.result, samples: [] } }
}

/** The rating of each judge in its last calibration. */
export async function listJudgeRatings(
  storage: ServerContext['storage'],
): Promise<{ judgeModelId: string; rating: CalibrationInterpretation['rating'] }[]> {
  const ratings = new Map<string, CalibrationInterpretation['rating']>()
  // Newest first.
  for (const document of await storage.listDocuments('calibration')) {
    const { result, interpretation } = readCalibration(document) ?? {}
    if (result && interpretation && !ratings.has(result.judgeModelId))
      ratings.set(result.judgeModelId, interpretation.rating)
  }
  return Array.from(ratings, ([judgeModelId, rating]) => ({ judgeModelId, rating }))
}

/** Creates, lists and deletes calibrations of judges. */
export function createCalibrations(context: ServerContext) {
  return {
    /** Calls the judge. If every call fails, nothing is stored. */
    async create(judgeModelId: string, { source, samples }: SampleSet, signal: AbortSignal): Promise<Calibration> {
      const { clock, random } = context.runTools()
      const { clientFor } = context
      const result = await calibrateJudge(judgeModelId, { clientFor, samples, signal }, { clock, random }).catch(
        (error: unknown) => {
          if (error instanceof ClientError && error.kind === 'cancelled')
            throw new Refusal(409, 'cancelled', 'The calibration was stopped; nothing was saved.')
          throw error
        },
      )
      const failures = result.samples.flatMap(({ unscored }) =>
        unscored?.code === 'judge-failed' ? [unscored.message] : [],
      )
      if (failures.length === result.samples.length)
        throw new Refusal(422, 'judge-failed', `The judge could not be reached: ${failures[0]}`)
      const reasoningOf = new Map(result.samples.map(({ sampleId, reasoning }) => [sampleId, reasoning]))
      const content = {
        source,
        result,
        interpretation: interpretCalibrationResult(result),
        samples: samples.map(({ id, prompt, response, expectedOutput }) => ({
          id,
          prompt,
          response,
          expectedOutput,
          reasoning: reasoningOf.get(id),
        })),
      }
      const stored = await context.storage.saveDocument({
        kind: 'calibration',
        id: context.createId(),
        content: JSON.parse(JSON.stringify(content)),
      })
      const calibration = readCalibration(stored)
      if (!calibration) throw new InputError('the calibration could not be read back')
      return fit(calibration, MAX_BYTES)
    },

    /** Newest first. */
    async list(): Promise<Calibration[]> {
      const stored = await context.storage.listDocuments('calibration')
      const listed = stored.flatMap((document) => readCalibration(document) ?? []).slice(0, MAX_LISTED)
      return listed.map((calibration) => fit(calibration, MAX_BYTES / listed.length))
    },

    async find(id: string): Promise<Calibration> {
      const stored = await context.storage.loadDocument('calibration', id)
      const calibration = stored && readCalibration(stored)
      if (!calibration) throw notFound('The calibration')
      return fit(calibration, MAX_BYTES)
    },

    async remove(id: string): Promise<void> {
      if (!(await context.storage.deleteDocument('calibration', id))) throw notFound('The calibration')
    },
  }
}
