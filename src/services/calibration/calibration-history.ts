import { z } from 'zod'
import type { JudgeStanding, RunResult, Storage, StoredDocument } from '../../contract/index.ts'
import {
  interpretCalibrationResult,
  measureCalibration,
  NOT_CALIBRATED,
  promptVersionOf,
  type CalibrationInterpretation,
  type CalibrationResult,
  type CalibrationSample,
} from '../../scoring/index.ts'

/** The samples of a calibration, and where they come from. */
export interface SampleSet {
  /** In words. */
  source: string
  /** The version of a built-in set. */
  setVersion?: string
  samples: readonly CalibrationSample[]
}

/** A stored calibration. */
export interface Calibration {
  id: string
  savedAt: number
  source: string
  setVersion?: string | undefined
  result: CalibrationResult
  interpretation: CalibrationInterpretation
  samples: {
    id: string
    prompt: string
    response: string
    expectedOutput?: string | undefined
    context?: string | undefined
    reason?: string | undefined
    trap?: string | undefined
    reasoning?: string | undefined
  }[]
}

/** JSON has no NaN: an undefined figure was stored as null. */
const figure = z
  .number()
  .nullable()
  .transform((value) => value ?? Number.NaN)
const text = z.string()

const ratingSchema = z.enum(['excellent', 'good', 'fair', 'poor'])

/** Figures that the grades determine are computed again: older calibrations do not have them all. */
const contentSchema = z.object({
  source: text,
  setVersion: text.optional(),
  result: z.object({
    judgeModelId: text,
    timestamp: z.number(),
    promptVersion: text.optional(),
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
    certainty: z
      .object({
        probabilities: z.record(ratingSchema, z.number()),
        couldBe: z.array(ratingSchema),
        isSure: z.boolean(),
      })
      .optional(),
  }),
  samples: z.array(
    z.object({
      id: text,
      prompt: text,
      response: text,
      expectedOutput: text.optional(),
      context: text.optional(),
      reason: text.optional(),
      trap: text.optional(),
      reasoning: text.optional(),
    }),
  ),
})

/** Before judges had presets, every calibration used this prompt. */
const FIRST_PROMPT = promptVersionOf(undefined)

/** Undefined if the document is not a calibration that this program can read. */
export function readCalibration({ id, savedAt, content }: StoredDocument): Calibration | undefined {
  const parsed = contentSchema.safeParse(content)
  if (!parsed.success) return undefined
  const { result: stored, ...rest } = parsed.data
  const { promptVersion = FIRST_PROMPT, certainty, ...graded } = stored
  const measured = graded.samples.length > 0 && measureCalibration(graded.samples, certainty)
  const result = { ...graded, promptVersion, ...measured }
  return { id, savedAt, ...rest, result, interpretation: interpretCalibrationResult(result) }
}

/** Stores a calibration with its samples. */
export async function saveCalibration(
  result: CalibrationResult,
  { source, setVersion, samples }: SampleSet,
  { storage, createId }: { storage: Storage; createId: () => string },
): Promise<Calibration> {
  const reasoningOf = new Map(result.samples.map(({ sampleId, reasoning }) => [sampleId, reasoning]))
  const content = {
    source,
    setVersion,
    result,
    interpretation: interpretCalibrationResult(result),
    samples: samples.map(({ expectedScore: _score, tolerance: _tolerance, ...sample }) => ({
      ...sample,
      reasoning: reasoningOf.get(sample.id),
    })),
  }
  const stored = await storage.saveDocument({
    kind: 'calibration',
    id: createId(),
    content: JSON.parse(JSON.stringify(content)),
  })
  return readCalibration(stored)!
}

/** Newest first; of one judge if it is named. */
export async function listCalibrations(
  storage: Storage,
  { judgeModelId }: { judgeModelId?: string | undefined } = {},
): Promise<Calibration[]> {
  const documents = await storage.listDocuments('calibration')
  return documents
    .flatMap((document) => readCalibration(document) ?? [])
    .filter(({ result }) => judgeModelId === undefined || result.judgeModelId === judgeModelId)
}

/** What the last calibration of each judge with each prompt says; one that failed says nothing. */
async function listJudgeStandings(storage: Storage): Promise<JudgeStanding[]> {
  const standings = new Map<string, JudgeStanding>()
  for (const { result, interpretation } of await listCalibrations(storage)) {
    const { judgeModelId, promptVersion = FIRST_PROMPT, certainty, samples } = result
    const key = JSON.stringify([judgeModelId, promptVersion])
    if (standings.has(key) || interpretation.rating === NOT_CALIBRATED) continue
    const { rating } = interpretation
    const couldBe = certainty?.couldBe ?? []
    standings.set(key, { judgeModelId, promptVersion, rating, couldBe, samples: samples.length })
  }
  return [...standings.values()]
}

/** The standings of judges, for the report of these runs; undefined if no judge scored them. */
export async function findStandings(
  runs: readonly Pick<RunResult, 'judgeModel'>[],
  storage: Storage,
): Promise<JudgeStanding[] | undefined> {
  return runs.some(({ judgeModel }) => judgeModel !== undefined) ? listJudgeStandings(storage) : undefined
}
