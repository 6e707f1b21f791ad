import { z } from 'zod'
import {
  InputError,
  passMarkOfMethod,
  type CheckResult,
  type Judging,
  type JudgeVerdict,
  type MissingJudge,
  type ScoringResult,
} from '../contract/index.ts'
import { collectVerdicts, combineScores, gradeCalls, noteMissing, requestGrade } from './judging/judge-panel.ts'
import {
  readRubric,
  rubricAnswerSchema,
  rubricPrompt,
  type CriterionVerdict,
  type NumberedCriterion,
} from './judging/rubric-prompt.ts'
import type { JudgedAnswer } from './llm-judge.ts'
import { defineScorer } from './scorer.ts'

const JUDGE_TEMPERATURE = 0.1

/** A judge that must check more than this at once leaves some out. */
const MOST_CRITERIA = 50

/** One thing that an answer must do. */
export interface Criterion {
  /** Unique in the rubric: results are compared by it. */
  id: string
  text: string
  weight: number
}

const NO_TEXT = 'needs a text: what the answer must do'

const fieldsSchema = z.strictObject({
  text: z.string().trim().min(1, NO_TEXT).optional().describe('What the answer must do, in one sentence'),
  criterion: z.string().trim().min(1, NO_TEXT).optional().describe('Another name for text'),
  weight: z.number().positive('must be greater than 0').optional().describe('Weight in the mean; default 1'),
  id: z.union([z.string(), z.number()]).optional().describe('Unique in the case; default: its number'),
})

/** A criterion may be written as its text alone. Not a union, which would report a wrong weight only as wrong input. */
const criterionSchema = z
  .unknown()
  .transform((written, context) => {
    const parsed = fieldsSchema.safeParse(typeof written === 'string' ? { text: written } : written)
    if (!parsed.success) {
      for (const { path, message } of parsed.error.issues) context.addIssue({ code: 'custom', path, message })
      return z.NEVER
    }
    const { text, criterion, id, ...rest } = parsed.data
    if ((text === undefined) === (criterion === undefined))
      context.addIssue({ code: 'custom', message: text === undefined ? NO_TEXT : 'give either text or criterion' })
    return { text: text ?? criterion ?? '', ...rest, ...(id !== undefined && { id: String(id) }) }
  })
  .meta({ anyOf: [{ type: 'string' }, fieldsJsonSchema()] })

function fieldsJsonSchema(): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(fieldsSchema)
  return schema
}

const criteriaSchema = z
  .array(criterionSchema, 'needs a list of criteria: what the answer must do')
  .min(1, 'needs at least one criterion')
  .max(MOST_CRITERIA, `has more than ${MOST_CRITERIA} criteria; split the case`)
  .transform((criteria, context): Criterion[] => {
    const complete = criteria.map((criterion, index) => ({ id: String(index + 1), weight: 1, ...criterion }))
    complete.forEach(({ id }, index) => {
      if (complete.findIndex((other) => other.id === id) !== index)
        context.addIssue({ code: 'custom', path: [index, 'id'], message: `id ${JSON.stringify(id)} is used twice` })
    })
    if (!Number.isFinite(complete.reduce((sum, { weight }) => sum + weight, 0)))
      context.addIssue({ code: 'custom', message: 'the weights add up to more than a number can hold' })
    return complete
  })

function number(criteria: readonly Criterion[]): NumberedCriterion[] {
  return criteria.map(({ text }, index) => ({ number: index + 1, text }))
}

/** Asks one judge about all criteria at once, and once more about those that its first answer leaves out. */
async function gradeCriteria(
  { prompt, response, expectedOutput }: JudgedAnswer,
  criteria: readonly Criterion[],
  judgeModelId: string,
  { callModel, systemPrompt, random }: Pick<Judging, 'callModel' | 'systemPrompt'> & { random: () => number },
): Promise<CriterionVerdict[]> {
  const numbered = number(criteria)
  const verdicts = new Map<number, CriterionVerdict>()
  const listOpen = () => numbered.filter((criterion) => !verdicts.has(criterion.number))
  const system = systemPrompt === undefined ? rubricPrompt.system : `${rubricPrompt.system}\n\n${systemPrompt}`
  return requestGrade({
    judgeModelId,
    callModel,
    random,
    texts: [prompt, response, expectedOutput ?? '', ...criteria.map(({ text }) => text)],
    write: (mark) => ({
      modelId: judgeModelId,
      messages: [
        { role: 'system', content: system },
        {
          role: 'user',
          content: rubricPrompt.write({
            task: prompt,
            response,
            reference: expectedOutput,
            criteria: listOpen(),
            mark,
          }),
        },
      ],
      parameters: { temperature: JUDGE_TEMPERATURE },
      responseSchema: rubricAnswerSchema(listOpen()),
    }),
    read: (answer) => {
      const read = readRubric(answer)
      for (const { number: open } of listOpen()) if (read.has(open)) verdicts.set(open, read.get(open)!)
      return listOpen().length === 0 ? numbered.map((criterion) => verdicts.get(criterion.number)!) : undefined
    },
  })
}

interface JudgedCriteria {
  judgeModelId: string
  verdicts: readonly CriterionVerdict[]
}

function weighScores(scores: readonly number[], criteria: readonly Criterion[]): number {
  const total = criteria.reduce((sum, { weight }) => sum + weight, 0)
  return criteria.reduce((sum, { weight }, index) => sum + weight * scores[index]!, 0) / total
}

const VERDICT_WORDS = new Map([
  [1, 'met'],
  [0.5, 'partly met'],
  [0, 'not met'],
])

function joinVerdicts(verdicts: readonly CriterionVerdict[], criteria: readonly Criterion[]): string {
  return verdicts
    .map(({ score, reason }, index) =>
      [`${criteria[index]!.id} ${VERDICT_WORDS.get(score)}`, reason].filter((part) => part !== '').join(': '),
    )
    .join('; ')
}

function combineCriterion(
  { id, text, weight }: Criterion,
  judged: readonly { judgeModelId: string; verdict: CriterionVerdict }[],
  combine: Judging['combine'],
): CheckResult {
  const judges = judged.map(({ judgeModelId, verdict }): JudgeVerdict => ({
    judgeModelId,
    score: verdict.score,
    reasoning: verdict.reason,
  }))
  const score = combineScores(
    judges.map((judge) => judge.score),
    combine,
  )
  const notes =
    judges.length === 1
      ? judges[0]!.reasoning
      : judges.map((judge) => `${judge.judgeModelId} ${VERDICT_WORDS.get(judge.score)}: ${judge.reasoning}`).join('\n')
  return { id, name: text, scoringMethod: 'criterion', weight, score, notes, judges }
}

function countMet(checks: readonly CheckResult[]): string {
  const met = checks.filter(({ score }) => score === 1).length
  return `${met} of ${checks.length} ${checks.length === 1 ? 'criterion' : 'criteria'} met`
}

function combinePanel(
  panel: readonly JudgedCriteria[],
  missing: readonly MissingJudge[],
  criteria: readonly Criterion[],
  combine: Judging['combine'],
): ScoringResult {
  const checks = criteria.map((criterion, index) =>
    combineCriterion(
      criterion,
      panel.map(({ judgeModelId, verdicts }) => ({ judgeModelId, verdict: verdicts[index]! })),
      combine,
    ),
  )
  const judges = panel.map(({ judgeModelId, verdicts }) => ({
    judgeModelId,
    score: weighScores(
      verdicts.map(({ score }) => score),
      criteria,
    ),
    reasoning: joinVerdicts(verdicts, criteria),
  }))
  return {
    score: weighScores(
      checks.map(({ score }) => score),
      criteria,
    ),
    notes: [countMet(checks), ...noteMissing(missing)].join('; '),
    judges,
    ...(missing.length > 0 && { missingJudges: [...missing] }),
    checks,
  }
}

/**
 * Has one or more judges check an answer against a list of criteria, each met (1), partly met (0.5) or not met (0). A
 * panel's verdicts are combined criterion by criterion; the score is their weighted mean. An empty response meets
 * nothing, and no judge is asked.
 */
export async function judgeRubric(
  answer: JudgedAnswer,
  criteria: readonly Criterion[],
  judging: Judging,
  random: () => number,
): Promise<ScoringResult> {
  if (answer.response.trim() === '') {
    const reason = 'empty response'
    const checks = criteria.map(({ id, text, weight }) => ({
      id,
      name: text,
      scoringMethod: 'criterion',
      weight,
      score: 0,
      notes: reason,
    }))
    return { score: 0, notes: `${reason}: scored 0 without asking the judge`, checks }
  }
  const { callModel, systemPrompt, combine } = judging
  const { verdicts, missing } = await collectVerdicts(judging, async (judgeModelId) => ({
    judgeModelId,
    verdicts: await gradeCriteria(answer, criteria, judgeModelId, { callModel, systemPrompt, random }),
  }))
  return combinePanel(verdicts, missing, criteria, combine)
}

/** A criterion as a caller writes it. */
export type CriterionInput = string | { text: string; weight?: number; id?: string }

/** Throws an `InputError` that names everything that is wrong. */
export function readCriteria(criteria: readonly CriterionInput[]): Criterion[] {
  const parsed = criteriaSchema.safeParse(criteria)
  if (parsed.success) return parsed.data
  throw new InputError(
    parsed.error.issues.map(({ path, message }) => `criteria.${path.join('.')}: ${message}`).join('\n'),
  )
}

export const rubric = defineScorer({
  name: 'rubric',
  summary: 'A model checks the answer against a list of criteria; the score is their weighted mean',
  expectedOutput: 'optional',
  passAt: passMarkOfMethod('rubric'),
  modelCalls: gradeCalls,
  options: z.object({
    criteria: criteriaSchema.describe('What the answer must do: a text, or { text, weight, id }, for each criterion'),
  }),
  judgePromptTexts: ({ prompt = '', expectedOutput }, { criteria }) => [
    rubricPrompt.system,
    rubricPrompt.write({
      task: prompt,
      response: '',
      reference: expectedOutput,
      criteria: number(criteria),
      mark: 'mark',
    }),
  ],
  score: ({ prompt = '', response, expectedOutput }, { criteria }, { judging, random }) =>
    judgeRubric({ prompt, response, expectedOutput }, criteria, judging, random),
})
