import { z } from 'zod'
import { cellStepSchema, liveProgressSchema } from './live-run.ts'
import { runOwnerSchema } from '../processes/run-owner.ts'
import { outcomeSchema } from '../run.ts'
import { cellStateSchema, runStateSchema } from '../states.ts'
import { modelParametersSchema } from '../model-parameters.ts'

/**
 * A Code Arena run as its screen shows it. Its live stream has three events besides those of every run: `view` (after
 * each snapshot and at the end), `panel` (when its state changes) and `text` (several times a second).
 */

const scoreSchema = z.object({
  score: z.number(),
  confidence: z.number().optional(),
  notes: z.string().optional(),
  rawScore: z.number().optional(),
  maxScore: z.number().optional(),
  judges: z.array(z.object({ judgeModelId: z.string(), score: z.number(), reasoning: z.string() })).optional(),
})

const criterionSchema = z.object({
  /** `visualAccuracy`, `codeQuality`, `functionality` or `responsiveness`. */
  name: z.string(),
  label: z.string(),
  /** Share of the total, 0 to 1. */
  weight: z.number(),
  /** 0 to 1; absent if it was not seen. */
  score: z.number().optional(),
  reason: z.string(),
})

/** What headless Chromium found on the page. */
const inspectionSchema = z.object({
  screenshots: z.array(
    z.object({
      name: z.string(),
      width: z.number(),
      height: z.number(),
      url: z.string(),
      isAfterInteraction: z.boolean(),
    }),
  ),
  console: z.array(z.object({ level: z.string(), text: z.string() })),
  errors: z.array(z.string()),
  accessibility: z.array(z.object({ id: z.string(), impact: z.string(), help: z.string(), count: z.number() })),
  blocked: z.array(z.object({ url: z.string(), why: z.string() })),
  interactions: z.array(z.string()),
  /** Why there are no screenshots, if there are none. */
  problem: z.string().optional(),
})

/** One model's page. */
const panelSchema = z.object({
  modelId: z.string(),
  state: cellStateSchema,
  /** Only of a running cell. */
  step: cellStepSchema.optional(),
  outcome: outcomeSchema.optional(),
  /** What has arrived so far, up to 300,000 characters. */
  response: z.string(),
  /** Why it is waiting, was retried, has no score or failed. */
  message: z.string().optional(),
  score: scoreSchema.extend({ criteria: z.array(criterionSchema).optional() }).optional(),
  unscored: z.object({ code: z.string(), message: z.string() }).optional(),
  latencyMs: z.number().optional(),
  firstTokenMs: z.number().optional(),
  completionTokens: z.number().optional(),
  cost: z.number().optional(),
  inspection: inspectionSchema.optional(),
})

/** Event `panel`: everything but the response, which arrives as `text`. */
export const arenaPanelUpdateSchema = panelSchema.omit({ response: true })

export const arenaTextSchema = z.object({
  modelId: z.string(),
  /** Where `text` starts in the response: a client that missed something requests the view again. */
  offset: z.int().min(0),
  text: z.string(),
})

export const arenaViewSchema = z.object({
  runId: z.string(),
  seriesId: z.string().optional(),
  /** The runs of its series, in order. */
  seriesRuns: z.array(z.string()),
  prompt: z.string(),
  systemPrompt: z.string(),
  parameters: modelParametersSchema.optional(),
  judgeModel: z.string().optional(),
  isQuickJudge: z.boolean(),
  state: runStateSchema,
  /** Why the run ended before its last page, in a sentence; not if a user stopped it. */
  stopped: z.string().optional(),
  /** US dollars; set if the run stopped at its budget: it then needs a higher one to resume. */
  usedUpBudget: z.number().optional(),
  /** Another live process is working on the run. */
  workedOnBy: runOwnerSchema.optional(),
  startedAt: z.number(),
  progress: liveProgressSchema.optional(),
  panels: z.array(panelSchema),
})

export type ArenaView = z.infer<typeof arenaViewSchema>
export type ArenaPanel = z.infer<typeof panelSchema>
export type ArenaPanelUpdate = z.infer<typeof arenaPanelUpdateSchema>
export type ArenaCriterion = z.infer<typeof criterionSchema>
export type ArenaInspection = z.infer<typeof inspectionSchema>
export type ArenaText = z.infer<typeof arenaTextSchema>
