import { z } from 'zod'
import { RUNS_NEEDED } from '../../report/words/runs/estimate.ts'
import { isJudged, scorers, type Scorer } from '../../scoring/index.ts'

/** GET /api/scorers */
export interface ScorerInfo {
  name: string
  summary: string
  expectedOutput: 'required' | 'optional' | 'unused'
  isJudge: boolean
  /** True if it asks an embedding model. */
  isEmbedding: boolean
  /** JSON Schema of its options: one property per option, with description and default. */
  options: { properties: Record<string, OptionSchema>; required?: string[] }
  /** The seed's guidance on how often to run. */
  runsNeeded: string
}

export interface OptionSchema {
  type?: string | string[]
  enum?: unknown[]
  default?: unknown
  description?: string
  /** `text/plain` for a text of several lines. */
  contentMediaType?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  anyOf?: OptionSchema[]
  items?: OptionSchema
}

/** Checks only the fields of a JSON Schema that forms read. */
const formSchema: z.ZodType<ScorerInfo['options']> = z.object({
  properties: z
    .record(
      z.string(),
      z.custom<ScorerInfo['options']['properties'][string]>((value) => typeof value === 'object' && value !== null),
    )
    .default({}),
  required: z.array(z.string()).optional(),
})

function makeScorerInfo(scorer: Scorer): ScorerInfo {
  const { name, summary, expectedOutput, options } = scorer
  return {
    name,
    summary,
    expectedOutput,
    isJudge: isJudged(scorer),
    isEmbedding: scorer.embeddingCalls !== undefined,
    options: formSchema.parse(z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' })),
    runsNeeded: isJudged(scorer) ? RUNS_NEEDED.judged : RUNS_NEEDED.others,
  }
}

export const scorerList: ScorerInfo[] = scorers.map(makeScorerInfo)

/** How often to run a suite: as often as its most variable method needs. */
export function runsNeededFor(methods: Iterable<string>): string {
  const needsJudge = [...methods].some((method) => scorerList.find(({ name }) => name === method)?.isJudge)
  return needsJudge ? RUNS_NEEDED.judged : RUNS_NEEDED.others
}
