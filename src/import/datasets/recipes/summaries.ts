import { InputError } from '../../../contract/index.ts'
import type { Recipe } from '../recipe.ts'
import { listAnswers } from '../parts/answers.ts'
import { joinPassage } from '../parts/question.ts'

const TEXTS = [
  'document',
  'article',
  'dialogue',
  'source',
  'text',
  'meetingtranscript',
  'transcript',
  'report',
  'maintext',
  'content',
]
const SUMMARIES = ['summary', 'highlights', 'summaries', 'abstract', 'tldr']
const QUESTIONS = ['question', 'questions', 'query', 'answer', 'answers', 'label', 'instruction']

export const summaries: Recipe = {
  name: 'summaries',
  reads: 'a text and its summary (XSum, CNN/DailyMail, SAMSum)',
  systemPrompt: 'Answer with the summary alone.',
  recognises: (fields) =>
    TEXTS.some((name) => fields.has(name)) &&
    SUMMARIES.some((name) => fields.has(name)) &&
    !QUESTIONS.some((name) => fields.has(name)),
  toCase(row) {
    const text = joinPassage(row.get(...TEXTS))
    if (text === undefined) throw new InputError('has no text')
    const [summary, ...others] = listAnswers(row.get(...SUMMARIES))
    if (summary === undefined) throw new InputError('has no summary')
    return {
      prompt: `Summarise this text in about ${countRounded(summary)} words:\n\n${text}`,
      scoringMethod: 'text-overlap',
      metric: 'rouge-l',
      expectedOutput: summary,
      ...(others.length > 0 && { accepted: others }),
    }
  },
}

function countRounded(summary: string): number {
  return Math.max(10, Math.ceil(summary.split(/\s+/).length / 10) * 10)
}
