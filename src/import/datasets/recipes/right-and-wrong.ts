import { InputError, isRecord } from '../../../contract/index.ts'
import type { Recipe } from '../recipe.ts'
import { listAnswers } from '../parts/answers.ts'
import { findQuestion } from '../parts/question.ts'
import { mixOptions } from '../parts/shuffle.ts'
import { toText, type Row } from '../rows/row.ts'
import { ANSWER_WITH_LETTER, makeChoiceCase } from './multiple-choice.ts'

const RIGHT = ['bestanswer', 'correctanswer', 'rightanswer', 'correctanswers', 'correct', 'sentencegood']
/** The right answer where only wrong ones stand beside it; beside options it may be a letter. */
const RIGHT_ALONE = ['ideal', 'answer', 'target']
const OPTIONS = ['choices', 'options']
const WRONG = ['incorrectanswers', 'wronganswers', 'distractors', 'falseanswers', 'hallucinatedanswer', 'sentencebad']
const WRONG_STEMS = ['distractor', 'incorrectanswer', 'wronganswer', 'incorrect', 'wrong']
const SCORED = ['mc1targets', 'targetscores', 'mctargets']

/** TruthfulQA's CSV separates answers with semicolons. */
function splitAnswers(value: unknown): string[] {
  return typeof value === 'string' && !/^\s*\[/.test(value)
    ? value.split(/;\s*/).flatMap((part) => toText(part) ?? [])
    : listAnswers(value)
}

function findWrong(row: Row): string[] {
  const list = splitAnswers(row.get(...WRONG))
  const numbered = WRONG_STEMS.flatMap((stem) =>
    Array.from({ length: 10 }, (_, index) => row.text(`${stem}${index + 1}`)).flatMap((text) => text ?? []),
  )
  return list.length > 0 ? list : numbered
}

/** `{ text: 1, text: 0 }`, or choices with labels 1 and 0: TruthfulQA's mc1_targets, BIG-bench's target_scores. */
function readScored(row: Row): { right: string; wrong: string[] } | undefined {
  const value = row.structure(...SCORED)
  if (!isRecord(value)) return undefined
  const { choices, labels } = value
  const entries: [string, unknown][] =
    Array.isArray(choices) && Array.isArray(labels)
      ? choices.map((choice, index) => [toText(choice) ?? '', labels[index]])
      : Object.entries(value)
  const right = entries.filter(([, score]) => score === 1 || score === 1n || score === true)
  if (right.length !== 1) return undefined
  return { right: right[0]![0], wrong: entries.filter((entry) => entry !== right[0]).map(([text]) => text) }
}

export const rightAndWrong: Recipe = {
  name: 'right-and-wrong',
  reads: 'a question with right and wrong answers (TruthfulQA, GPQA, SciQ, HaluEval, BIG-bench)',
  systemPrompt: ANSWER_WITH_LETTER,
  recognises: (fields) =>
    SCORED.some((name) => fields.has(name)) ||
    ((RIGHT.some((name) => fields.has(name)) ||
      (RIGHT_ALONE.some((name) => fields.has(name)) && !OPTIONS.some((name) => fields.has(name)))) &&
      (WRONG.some((name) => fields.has(name)) || WRONG_STEMS.some((stem) => fields.has(`${stem}1`)))),
  toCase(row) {
    // BLiMP asks nothing: of two sentences one is good English.
    const asked = row.has('sentencegood') ? { question: 'Which sentence is grammatical?' } : findQuestion(row)
    if (!asked) throw new InputError('has no question')
    const scored = readScored(row)
    const right =
      scored?.right ??
      (row.has('bestanswer') ? row.text('bestanswer') : splitAnswers(row.get(...RIGHT, ...RIGHT_ALONE))[0])
    const wrong = scored?.wrong ?? findWrong(row)
    if (right === undefined) throw new InputError('has no right answer')
    if (wrong.length === 0) throw new InputError('has no wrong answers')
    const { texts, letter } = mixOptions(right, wrong.filter((text) => text !== right).slice(0, 25))
    return makeChoiceCase(asked, { texts, source: 'right and wrong' }, letter)
  },
}
