import { z } from 'zod'
import {
  ScoringError,
  type CheckResult,
  type DrivenPage,
  type Judging,
  type PageControl,
  type PageStep,
  type ScoringResult,
  writeNumber,
} from '../../contract/index.ts'
import { askPanel, noteMissing } from './ask-panel.ts'
import { askForGrade, combineScores, gradeCalls } from './judge-panel.ts'
import { pageCheckAnswerSchema, pageCheckPrompt, type PageCheck } from './page-check-prompt.ts'
import type { ModelCalls } from '../scorer.ts'
import { findJson } from '../text/find-json.ts'

export type { PageCheck } from './page-check-prompt.ts'

/** Steps that a judge may take for one check. */
const MOST_STEPS = 8

/** Of which most checks need about this many, the verdict included. */
const USUAL_STEPS = 3

const JUDGE_TEMPERATURE = 0.1

export const pageCheckSchema = z.object({
  task: z.string().trim().min(1).describe('What to do on the page'),
  expectedResult: z.string().trim().min(1).describe('What must then be so'),
})

/** Model calls for checks, per judge. */
export function countPageCheckCalls(checks: readonly PageCheck[]): ModelCalls {
  return { expected: USUAL_STEPS * checks.length, most: gradeCalls.most * (MOST_STEPS + 1) * checks.length }
}

const answerSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('click'), control: z.int().positive() }),
  z.object({ action: z.literal('type'), control: z.int().positive(), text: z.string().max(10_000) }),
  z.object({ action: z.literal('enter'), control: z.int().positive() }),
  z.object({ action: z.literal('scroll'), direction: z.enum(['down', 'up']).default('down') }),
  z.object({ action: z.literal('finish'), passed: z.boolean(), reason: z.string().default('') }),
])

type Answer = z.output<typeof answerSchema>

/** What the checks need of a page: each check opens it anew. */
export interface PageToCheck {
  checks: readonly PageCheck[]
  open(): Promise<DrivenPage>
  toImage(png: Uint8Array): string
}

interface Verdict {
  passed: boolean
  /** What was done and seen. */
  notes: string
}

function writeStep(step: PageStep, controls: readonly PageControl[], hadEffect: boolean): string {
  if (step.action === 'scroll') return `scroll ${step.direction}${hadEffect ? '' : ' (already at the end)'}`
  const control = controls.find(({ number }) => number === step.control)
  if (!control) return `${step.action} control ${step.control}: there is no such control`
  const what = step.action === 'type' ? `type ${JSON.stringify(step.text)} into` : step.action
  return `${what} ${control.kind} ${JSON.stringify(control.name)}${hadEffect ? '' : ' (nothing changed)'}`
}

async function checkOnce(
  check: PageCheck,
  judgeModelId: string,
  { open, toImage }: PageToCheck,
  { ask, systemPrompt }: Judging,
  random: () => number,
): Promise<Verdict> {
  const page = await open()
  try {
    const done: string[] = []
    for (let stepsLeft = MOST_STEPS; stepsLeft >= 0; stepsLeft--) {
      const { png, controls } = await page.look()
      const answer = await askForGrade<Answer>({
        judgeModelId,
        ask,
        random,
        texts: [check.task, check.expectedResult, JSON.stringify(controls), ...done],
        write: (mark) => ({
          modelId: judgeModelId,
          messages: [
            {
              role: 'system',
              content:
                systemPrompt === undefined ? pageCheckPrompt.system : `${pageCheckPrompt.system}\n\n${systemPrompt}`,
            },
            {
              role: 'user',
              content: [
                { type: 'text', text: pageCheckPrompt.write({ check, controls, done, stepsLeft, mark }) },
                { type: 'image', image: toImage(png) },
              ],
            },
          ],
          parameters: { temperature: JUDGE_TEMPERATURE },
          responseSchema: pageCheckAnswerSchema,
        }),
        read: (text) => answerSchema.safeParse(findJson(text)?.value).data,
      })
      if (answer.action === 'finish')
        return { passed: answer.passed, notes: [...done, answer.reason].filter((line) => line !== '').join('; ') }
      if (stepsLeft > 0) done.push(writeStep(answer, controls, await page.use(answer)))
    }
    return { passed: false, notes: `not decided within ${MOST_STEPS} steps: ${done.join('; ')}` }
  } finally {
    await page.close()
  }
}

/** The page breaks while it is used: that is its own fault, and the check failed. */
function isFaultOfPage(error: unknown): error is Error {
  return error instanceof Error && /page hangs|not ready in time|crashed its renderer/.test(error.message)
}

/**
 * Has each judge try each check in a browser, step by step. The score is the share of the checks that passed; a panel's
 * verdicts on a check are combined like its scores.
 */
export async function runPageChecks(page: PageToCheck, judging: Judging, random: () => number): Promise<ScoringResult> {
  const results: CheckResult[] = []
  // One after another: each opens the page in the same browser.
  for (const check of page.checks) {
    const { verdicts, missing } = await askPanel(
      judging,
      (judgeModelId) =>
        checkOnce(check, judgeModelId, page, judging, random).catch((error: unknown): Verdict => {
          if (error instanceof ScoringError || !isFaultOfPage(error)) throw error
          return { passed: false, notes: error.message }
        }),
      { inTurn: true },
    )
    results.push({
      name: check.task,
      scoringMethod: 'page-check',
      weight: 1,
      score: combineScores(
        verdicts.map(({ passed }) => (passed ? 1 : 0)),
        judging.combine,
      ),
      notes: [...verdicts.map(({ notes }) => notes), ...noteMissing(missing)].join('\n'),
      ...(missing.length > 0 && { missingJudges: missing }),
    })
  }
  return summariseChecks(results)
}

/** Every check of a page that nobody can see has failed. */
export function failPageChecks(checks: readonly PageCheck[], reason: string): ScoringResult {
  return summariseChecks(
    checks.map(({ task }) => ({ name: task, scoringMethod: 'page-check', weight: 1, score: 0, notes: reason })),
  )
}

function summariseChecks(checks: CheckResult[]): ScoringResult {
  const passed = checks.reduce((sum, { score }) => sum + score, 0)
  return {
    score: passed / checks.length,
    notes: `${writeNumber(passed, Number.isInteger(passed) ? 0 : 1)} of ${checks.length} checks passed`,
    checks,
  }
}
