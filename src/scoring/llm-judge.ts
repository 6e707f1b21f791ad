import { z } from 'zod'
import {
  ClientError,
  ScoringError,
  type Judging,
  type JudgeVerdict,
  type ModelRequest,
  type ScoringResult,
} from '../contract/index.ts'
import { judgeAnswerSchema, llmJudgePrompt } from './judge-prompts.ts'
import { readGrade } from './read-grade.ts'
import { defineJudge } from './scorer.ts'

const JUDGE_TEMPERATURE = 0.1
const MAX_GRADE = 10

/** An unreadable grade is asked for once more. */
const MOST_ASKS = 2

/** What is judged. */
export interface JudgedAnswer {
  prompt: string
  response: string
  expectedOutput?: string | undefined
}

function writeRequest(answer: JudgedAnswer, judgeModelId: string, systemPrompt: string | undefined, mark: string): ModelRequest {
  const system = systemPrompt === undefined ? llmJudgePrompt.system : `${llmJudgePrompt.system}\n\n${systemPrompt}`
  const content = llmJudgePrompt.write({ task: answer.prompt, response: answer.response, reference: answer.expectedOutput, mark })
  return {
    modelId: judgeModelId,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content },
    ],
    parameters: { temperature: JUDGE_TEMPERATURE },
    responseSchema: judgeAnswerSchema,
  }
}

/** A mark that none of the texts contains, whatever they contain. */
function drawMark({ prompt, response, expectedOutput = '' }: JudgedAnswer, random: () => number): string {
  for (;;) {
    const mark = Math.floor(random() * 2 ** 48).toString(36)
    if (![prompt, response, expectedOutput].some((text) => text.includes(mark))) return mark
  }
}

/** One judge's verdict. Really asks, whatever the response. */
export async function askJudge(
  answer: JudgedAnswer,
  judgeModelId: string,
  { ask, systemPrompt, random }: Pick<Judging, 'ask' | 'systemPrompt'> & { random: () => number },
): Promise<JudgeVerdict> {
  let lastAnswer = ''
  for (let asked = 0; asked < MOST_ASKS; asked++) {
    try {
      lastAnswer = (await ask(writeRequest(answer, judgeModelId, systemPrompt, drawMark(answer, random)))).response
    } catch (error) {
      if (!(error instanceof ClientError) || error.kind === 'cancelled') throw error
      throw new ScoringError('judge-failed', `judge ${judgeModelId}: ${error.message}`, { cause: error })
    }
    const grade = readGrade(lastAnswer)
    if (grade) return { judgeModelId, score: grade.score / MAX_GRADE, reasoning: grade.reasoning }
  }
  throw new ScoringError(
    'judge-unreadable',
    `judge ${judgeModelId} gave no grade that can be read; its last answer was ${JSON.stringify(lastAnswer.slice(0, 200))}`,
  )
}

function combine(scores: number[], how: 'mean' | 'median' = 'mean'): number {
  if (how === 'mean') return scores.reduce((sum, score) => sum + score, 0) / scores.length
  const sorted = scores.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The judge's score, or a panel's. An empty response scores 0 without a call. */
export async function judgeAnswer(answer: JudgedAnswer, judging: Judging, random: () => number): Promise<ScoringResult> {
  if (answer.response.trim() === '') return { score: 0, rawScore: 0, maxScore: MAX_GRADE, notes: 'empty response: 0 without asking the judge' }
  const { judgeModelIds, ask, systemPrompt } = judging
  const judges = await Promise.all(judgeModelIds.map((judge) => askJudge(answer, judge, { ask, systemPrompt, random })))
  const score = combine(
    judges.map((verdict) => verdict.score),
    judging.combine,
  )
  const notes = judges.length === 1 ? judges[0]!.reasoning : judges.map((verdict) => `${verdict.judgeModelId} ${Math.round(verdict.score * 100)}`).join(', ')
  return { score, rawScore: score * MAX_GRADE, maxScore: MAX_GRADE, notes, judges }
}

export const llmJudge = defineJudge({
  name: 'llm-judge',
  summary: 'A model grades the answer 0-10; with several judges, their mean or median',
  expectedOutput: 'optional',
  options: z.object({}),
  judge: ({ prompt, response, expectedOutput }, judging, random) => judgeAnswer({ prompt, response, expectedOutput }, judging, random),
})
