import { z } from 'zod'
import {
  InputError,
  passMarkOfMethod,
  type Judging,
  type JudgeVerdict,
  type ModelRequest,
  type ScoringResult,
} from '../contract/index.ts'
import { collectVerdicts, combineScores, gradeCalls, noteMissing, requestGrade } from './judging/judge-panel.ts'
import { findPreset, presetNames, type JudgePreset } from './judging/judge-presets.ts'
import { judgeAnswerSchema, llmJudgePrompt, writeJudgeSystem } from './judging/judge-prompts.ts'
import { readGrade } from './judging/read-grade.ts'
import { defineScorer } from './scorer.ts'

const JUDGE_TEMPERATURE = 0.1
const MAX_GRADE = 10

/** The answer to judge. */
export interface JudgedAnswer {
  prompt: string
  response: string
  expectedOutput?: string | undefined
  /** A text for the judge to compare the response with; the preset faithfulness needs it. */
  context?: string | undefined
  /** The name of a judge preset: `factuality`, `faithfulness`, … */
  preset?: string | undefined
}

/** Why an answer cannot be judged by a preset: it is unknown, or lacks its context. */
export function findPresetProblem({ preset, context }: Pick<JudgedAnswer, 'preset' | 'context'>): string | undefined {
  if (preset === undefined) return undefined
  const found = findPreset(preset)
  if (!found) return `there is no judge preset ${JSON.stringify(preset)}; use one of ${presetNames.join(', ')}`
  return found.needsContext && (context ?? '').trim() === ''
    ? `the preset ${preset} compares the answer with a context: give it as context, or as a variable of that name in vars`
    : undefined
}

function readPreset(answer: JudgedAnswer): JudgePreset | undefined {
  const problem = findPresetProblem(answer)
  if (problem !== undefined) throw new InputError(problem)
  return findPreset(answer.preset)
}

function writeRequest(
  answer: JudgedAnswer,
  judgeModelId: string,
  systemPrompt: string | undefined,
  mark: string,
): ModelRequest {
  const system = writeJudgeSystem(readPreset(answer), systemPrompt)
  const content = llmJudgePrompt.write({
    task: answer.prompt,
    response: answer.response,
    reference: answer.expectedOutput,
    context: answer.context,
    mark,
  })
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

/** Asks one judge for its verdict, even if the response is empty. */
export async function gradeByJudge(
  answer: JudgedAnswer,
  judgeModelId: string,
  { callModel, systemPrompt, random }: Pick<Judging, 'callModel' | 'systemPrompt'> & { random: () => number },
): Promise<JudgeVerdict> {
  const { prompt, response, expectedOutput = '', context = '' } = answer
  const { score, reasoning } = await requestGrade({
    judgeModelId,
    callModel,
    random,
    texts: [prompt, response, expectedOutput, context],
    write: (mark) => writeRequest(answer, judgeModelId, systemPrompt, mark),
    read: readGrade,
  })
  return { judgeModelId, score: score / MAX_GRADE, reasoning }
}

/** The grade as the judge wrote it: multiplied back, 7.2 would be 7.199999999999999. */
const gradeOf = ({ score }: JudgeVerdict) => Number((score * MAX_GRADE).toPrecision(15))

/** Asks one or more judges and combines their scores. An empty response scores 0 without a call. */
export async function judgeAnswer(
  answer: JudgedAnswer,
  judging: Judging,
  random: () => number,
): Promise<ScoringResult> {
  if (answer.response.trim() === '')
    return { score: 0, rawScore: 0, maxScore: MAX_GRADE, notes: 'empty response: scored 0 without asking the judge' }
  const { callModel, systemPrompt } = judging
  const { verdicts: judges, missing } = await collectVerdicts(judging, (judge) =>
    gradeByJudge(answer, judge, { callModel, systemPrompt, random }),
  )
  const rawScore = combineScores(
    judges.map((verdict) => gradeOf(verdict)),
    judging.combine,
  )
  const notes =
    judging.judgeModelIds.length === 1
      ? judges[0]!.reasoning
      : judges.map((verdict) => `${verdict.judgeModelId} ${Math.round(verdict.score * 100)}`).join(', ')
  return {
    score: rawScore / MAX_GRADE,
    rawScore,
    maxScore: MAX_GRADE,
    notes: [notes, ...noteMissing(missing)].join('; '),
    judges,
    ...(missing.length > 0 && { missingJudges: missing }),
  }
}

const llmJudgeOptions = z
  .object({
    preset: z
      .enum(presetNames)
      .optional()
      .describe('Ready-made criteria for the judge; default: the preset of the suite, or the default rubric'),
    context: z.string().optional().meta({
      description:
        'A text for the judge to compare the answer with. The preset faithfulness needs it; there the default is the variable context',
      contentMediaType: 'text/plain',
    }),
  })
  .superRefine((options, { addIssue }) => {
    const problem = findPresetProblem(options)
    if (problem !== undefined) addIssue({ code: 'custom', path: ['context'], message: problem })
  })

export const llmJudge = defineScorer({
  name: 'llm-judge',
  summary: 'A model grades the answer 0-10; with several judges, their mean or median',
  expectedOutput: 'optional',
  options: llmJudgeOptions,
  passAt: passMarkOfMethod('llm-judge'),
  modelCalls: gradeCalls,
  score: ({ prompt = '', response, expectedOutput }, { preset, context }, { judging, random }) =>
    judgeAnswer({ prompt, response, expectedOutput, context, preset }, judging, random),
})
