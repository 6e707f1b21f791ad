import type { ResultsView } from '../../../server/results/results-view.ts'
import { describePairLine } from '../../../report/words/index.ts'
import { chooseVerdicts } from '../verdicts.ts'

/** The paired comparison of each model with the next one in rank, as a line for a report. */
export function listPairLines(view: Pick<ResultsView, 'comparisons' | 'rows'>): { line: string; about: string }[] {
  const { first } = chooseVerdicts(
    view.comparisons,
    view.rows.map(({ modelId }) => modelId),
  )
  return first.flatMap(({ comparison }) => {
    const line = describePairLine(comparison)
    return line === undefined ? [] : [{ line, about: `${comparison.modelA} and ${comparison.modelB}` }]
  })
}
