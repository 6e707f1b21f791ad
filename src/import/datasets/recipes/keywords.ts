import fieldNames from '../field-names.json' with { type: 'json' }
import { escapePattern, InputError } from '../../../contract/index.ts'
import type { DatasetCase, Recipe } from '../recipe.ts'
import { findAnswers, listAnswers } from '../parts/answers.ts'
import { findQuestion, writeQuestion } from '../parts/question.ts'
import { toStructure, type Row } from '../rows/row.ts'

const REQUIRED = fieldNames.requiredWords
const FORBIDDEN = fieldNames.forbiddenWords

/** Each item is a word, or a list of words of which one is enough. */
function listWords(row: Row, names: readonly string[]): string[][] {
  const found = toStructure(row.get(...names))
  return (Array.isArray(found) ? found : [found]).map((item) => listAnswers(item)).filter(({ length }) => length > 0)
}

/** Words are looked for without regard to case; numbers are no part of longer ones. */
function checkWords(words: readonly string[], negate: boolean): DatasetCase {
  const pattern = words
    .map(
      (word) =>
        `${/^\d/.test(word) ? String.raw`(?<![\d.,])` : ''}${escapePattern(word)}${/\d$/.test(word) ? String.raw`(?!\d)` : ''}`,
    )
    .join('|')
  return {
    scoringMethod: 'regex-match',
    name: `${negate ? 'without ' : ''}${words.join(' or ')}`.slice(0, 100),
    expectedOutput: negate ? String.raw`/^(?![\s\S]*(?:${pattern}))/iu` : `/(?:${pattern})/iu`,
  }
}

/** Sets that people make for an assistant of theirs: an answer may have any wording that says what it must say. */
export const keywords: Recipe = {
  name: 'keywords',
  reads: 'a question with words that its answer must or must not contain',
  recognises: (_fields, rows) =>
    rows.filter((row) => findQuestion(row) !== undefined && listWords(row, REQUIRED).length > 0).length * 2 >
    rows.length,
  toCase(row): DatasetCase {
    const asked = findQuestion(row)
    if (!asked) throw new InputError('has no question')
    const prompt = writeQuestion(asked)
    const checks = [
      ...listWords(row, REQUIRED).map((words) => checkWords(words, false)),
      ...listWords(row, FORBIDDEN).map((words) => checkWords(words, true)),
    ]
    if (checks.length > 0) return { prompt, checks }
    const [answer] = row.has('referenceanswer') ? findAnswers(row) : []
    return answer === undefined
      ? { prompt, scoringMethod: 'none' }
      : { prompt, scoringMethod: 'llm-judge', expectedOutput: answer }
  },
}
