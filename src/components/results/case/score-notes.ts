import type { ScoringResult } from '../../../contract/index.ts'

export const isPageTest = ({ scoringMethod }: { scoringMethod: string }): boolean =>
  scoringMethod === 'page-test' || scoringMethod === 'page-step'

/**
 * Without what is shown below it: the words of a single judge, the grades of a panel, with which its notes begin, or what was
 * wrong in each test of a page.
 */
export function readNotes({ notes = '', judges = [], checks = [] }: ScoringResult): string {
  if (checks.some(isPageTest)) return notes.split('\n', 1)[0]!
  const grades = judges.map(({ judgeModelId, score }) => `${judgeModelId} ${Math.round(score * 100)}`).join(', ')
  const repeated = [judges[0]?.reasoning ?? '', grades].find((words) => words !== '' && notes.startsWith(words)) ?? ''
  return notes.slice(repeated.length).replace(/^(; |\n)/, '')
}
