export const answerViews = { answer: 'Answer', diff: 'Diff', markdown: 'Markdown', raw: 'Raw' } as const

export type AnswerView = keyof typeof answerViews

function isView(text: string | null): text is AnswerView {
  return text !== null && Object.hasOwn(answerViews, text)
}

export function readAnswerView(text: string | null): AnswerView {
  return isView(text) ? text : 'answer'
}
