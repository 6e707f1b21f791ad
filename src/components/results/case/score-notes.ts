import type { ScoringResult } from '../../../contract/index.ts'

/** Without what is shown below it: the words of a single judge, or the grades of a panel, with which its notes begin. */
export function readNotes({ notes = '', judges = [] }: ScoringResult): string {
  const grades = judges.map(({ judgeModelId, score }) => `${judgeModelId} ${Math.round(score * 100)}`).join(', ')
  const repeated = [judges[0]?.reasoning ?? '', grades].find((words) => words !== '' && notes.startsWith(words)) ?? ''
  return notes.slice(repeated.length).replace(/^(; |\n)/, '')
}
