import type { ArenaReport, ArenaReportPage } from '../../contract/index.ts'
import { formatCost, formatCount, formatDuration, formatScore } from '../words/numbers.ts'
import type { Table } from './table.ts'

/** One row per page: its score, the score of each criterion, and what the browser found. */
export function arenaPages({
  pages,
  isAnonymous = false,
}: Pick<ArenaReport, 'pages' | 'isAnonymous'>): Table<ArenaReportPage> {
  const labels = pages.find(({ criteria }) => criteria.length > 0)?.criteria.map(({ label }) => label) ?? []
  return [
    {
      key: 'model',
      label: 'Page',
      role: 'name',
      cut: 'middle',
      text: ({ modelId }) => modelId,
    },
    {
      key: 'run',
      label: 'Run',
      align: 'end',
      text: ({ runNumber }) => (runNumber === undefined ? '' : formatCount(runNumber)),
      isIn: (rows) => rows.some(({ runNumber }) => runNumber !== undefined),
    },
    { key: 'score', label: 'Score', align: 'end', role: 'main', text: ({ score }) => formatScore(score) },
    ...labels.map((label) => ({
      key: label,
      label,
      align: 'end' as const,
      text: ({ criteria }: ArenaReportPage) =>
        formatScore(criteria.find((criterion) => criterion.label === label)?.score),
    })),
    { key: 'pictures', label: 'Pictures', align: 'end', text: ({ pictures }) => formatCount(pictures.length) },
    {
      key: 'errors',
      label: 'Errors',
      align: 'end',
      text: ({ findings }) => (findings ? formatCount(findings.errors.length) : '–'),
    },
    {
      key: 'accessibility',
      label: 'Accessibility',
      align: 'end',
      text: ({ findings }) => (findings ? formatCount(findings.accessibility.length) : '–'),
    },
    { key: 'cost', label: 'Cost', align: 'end', text: ({ cost }) => formatCost(cost), isIn: () => !isAnonymous },
    {
      key: 'latency',
      label: 'Latency',
      align: 'end',
      text: ({ latencyMs }) => formatDuration(latencyMs),
      isIn: () => !isAnonymous,
    },
  ]
}

/** A model's score in each turn of a conversation; undefined where it was not run or has no score. */
export interface TurnGrades {
  modelId: string
  scores: (number | undefined)[]
}

export function gradeTable(turns: readonly { turn: number }[]): Table<TurnGrades> {
  return [
    { key: 'model', label: 'Model', role: 'name', text: ({ modelId }) => modelId },
    ...turns.map(({ turn }, index) => ({
      key: `turn ${turn}`,
      label: `Turn ${turn}`,
      align: 'end' as const,
      keep: 'always' as const,
      text: ({ scores }: TurnGrades) => formatScore(scores[index]),
    })),
  ]
}
