import { InputError } from '../../../contract/index.ts'
import type { Recipe } from '../recipe.ts'
import { scoreShortAnswer } from '../parts/short-answer.ts'

const LAST_WORD = /^(.*\S)\s+([^\s]+)$/su

export const lastWord: Recipe = {
  name: 'last-word',
  reads: 'a passage whose last word is asked for (LAMBADA)',
  systemPrompt: 'End with a line that has only "Answer:" and the word.',
  recognises: (fields) =>
    fields.has('text') && [...fields].every((name) => ['text', 'domain', 'id', 'index'].includes(name)),
  toCase(row) {
    const found = LAST_WORD.exec(row.text('text') ?? '')
    const word = found?.[2]?.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    if (!found || !word) throw new InputError('has no last word')
    return { prompt: `Which word ends this passage?\n\n${found[1]!} ____`, ...scoreShortAnswer([word]) }
  },
}
