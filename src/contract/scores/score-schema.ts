import { z } from 'zod'

const share = z.number().min(0).max(1)
const points = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)
const judgeModelId = z.string().min(1)
const missingJudges = z.array(z.looseObject({ judgeModelId, reason: z.string() })).optional()
const count = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER)

const verdictSchema = z.looseObject({ judgeModelId, score: share, reasoning: z.string() })

const comparisonSchema = z.looseObject({
  opponentId: z.string().min(1),
  score: share,
  judges: z.array(verdictSchema.extend({ isConsistent: z.boolean() })).optional(),
  missingJudges,
  notes: z.string().optional(),
})

const scoreSchema = z.looseObject({
  score: share,
  passed: z.boolean().optional(),
  confidence: share.optional(),
  notes: z.string().optional(),
  rawScore: points.optional(),
  maxScore: points.optional(),
  judges: z.array(verdictSchema).optional(),
  missingJudges,
  comparisons: z.array(comparisonSchema).optional(),
  style: z.looseObject({ length: count, headers: count, listItems: count, bold: count, codeBlocks: count }).optional(),
  otherReading: z.enum(['passes', 'fails']).optional(),
})

const checkSchema = scoreSchema.extend({
  id: z.string().optional(),
  name: z.string().optional(),
  scoringMethod: z.string(),
  weight: points,
})

/** The score of an answer from outside: a file of ours, or a custom scorer. Loose, so that further fields survive. */
export const scoringResultSchema = scoreSchema.extend({ checks: z.array(checkSchema).optional() })
