import type { ScoreTable } from '../../contract/index.ts'
import { meanOf, scoreByHistory } from '../../statistics/index.ts'
import type { HistoryReport } from './history-report.ts'

/** By model and case, the scores over the runs. */
function collectScores({ cells, modelIds, caseIds }: ScoreTable): Map<string, Map<string, number[]>> {
  const found = new Map(modelIds.map((modelId) => [modelId, new Map<string, number[]>()]))
  for (const [cell, score] of cells.score.entries()) {
    if (Number.isNaN(score)) continue
    const ofModel = found.get(modelIds[cells.model[cell]!]!)!
    const id = caseIds[cells.case[cell]!]!
    const scores = ofModel.get(id)
    if (scores) scores.push(score)
    else ofModel.set(id, [score])
  }
  return found
}

/** Undefined unless all runs asked the same cases, drawn from those that other models have scores of. */
export function buildByHistory(table: ScoreTable, models: readonly string[]): HistoryReport | undefined {
  const [first, ...others] = table.runs
  const { history, informative } = first?.request ?? {}
  if (!first || !history || informative === undefined) return undefined
  // Two draws are not one sample; the runs of a series share theirs.
  if (others.some(({ seriesId }) => seriesId === undefined || seriesId !== first.seriesId)) return undefined
  const known = new Map(Object.entries(history.means))
  const scores = collectScores(table)
  return {
    cases: known.size,
    drawn: informative,
    otherModels: history.models,
    models: models.flatMap((modelId) => {
      const asked = [...(scores.get(modelId) ?? [])].flatMap(([id, ofCase]) => {
        const mean = known.get(id)
        return mean === undefined ? [] : [{ score: meanOf(ofCase), history: mean }]
      })
      if (asked.length === 0) return []
      return [{ modelId, asked: asked.length, ...scoreByHistory({ asked, history: [...known.values()] }) }]
    }),
  }
}
