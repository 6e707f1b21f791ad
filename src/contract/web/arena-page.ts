import { z } from 'zod'
import { modelParametersSchema } from '../runs/model-parameters.ts'

/** What a live run of the Code Arena has beside what every run has. */

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
      isStrip: z.boolean().optional(),
    }),
  ),
  console: z.array(z.object({ level: z.string(), text: z.string() })),
  errors: z.array(z.string()),
  accessibility: z.array(z.object({ id: z.string(), impact: z.string(), help: z.string(), count: z.number() })),
  blocked: z.array(z.object({ url: z.string(), why: z.string() })),
  interactions: z.array(z.string()),
  /** What else a person would notice, a sentence each. */
  observations: z.array(z.string()).default([]),
  /** Why there are no screenshots, if there are none. */
  problem: z.string().optional(),
})

/** Part `page` of a cell: what is known once its page is inspected, and judged. */
export const pageDetailsSchema = z.object({
  score: scoreSchema.extend({ criteria: z.array(criterionSchema).optional() }).optional(),
  unscored: z.object({ code: z.string(), message: z.string() }).optional(),
  latencyMs: z.number().optional(),
  firstTokenMs: z.number().optional(),
  completionTokens: z.number().optional(),
  cost: z.number().optional(),
  inspection: inspectionSchema.optional(),
})

/** Part `arena` of a snapshot. */
export const arenaFactsSchema = z.object({
  /** The runs of its series, in order. */
  seriesRuns: z.array(z.string()),
  prompt: z.string(),
  systemPrompt: z.string(),
  parameters: modelParametersSchema.optional(),
  judgeModel: z.string().optional(),
  isQuickJudge: z.boolean(),
})

export type ArenaFacts = z.infer<typeof arenaFactsSchema>
export type ArenaCriterion = z.infer<typeof criterionSchema>
export type ArenaInspection = z.infer<typeof inspectionSchema>
