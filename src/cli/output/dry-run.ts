import type { Table } from '../../report/tables/table.ts'
import { describeBudget, formatCost, formatCount } from '../../report/words/index.ts'
import { buildRequest, type RunEstimate } from '../../services/index.ts'
import type { PreparedRun } from '../../services/prepare.ts'
import { printForPeople, printJson, styleFor, type Terminal } from './terminal.ts'
import { cleanText, drawTable } from './text-table.ts'

interface EstimatedRow {
  name: string
  requests: string
  cost: number | null
}

const estimateTable: Table<EstimatedRow> = [
  { key: 'model', label: 'Model', role: 'name', cut: 'middle', text: ({ name }) => name },
  { key: 'requests', label: 'Requests', align: 'end', text: ({ requests }) => requests },
  {
    key: 'cost',
    label: 'Cost',
    align: 'end',
    text: ({ cost }) => (cost === null ? 'unknown' : `at most ${formatCost(cost)}`),
  },
]

/** Prints what would be sent and what it would cost. */
export function printDryRun(
  { cases, contestants }: PreparedRun,
  estimate: RunEstimate,
  { json = false }: { json?: boolean },
  terminal: Terminal,
): void {
  const { suite, models, judges, embeddings, requests, cost } = estimate
  const firstRequest = buildRequest(cases[0]!, contestants[0]!)
  const rows: EstimatedRow[] = [
    ...models.map((model) => ({ name: model.modelId, requests: formatCount(model.requests), cost: model.cost })),
    ...judges.map((judge) => ({
      name: `${judge.modelId} (judge)`,
      requests: `${formatCount(judge.requests)}, up to ${formatCount(judge.mostRequests)}`,
      cost: judge.cost,
    })),
    ...embeddings.map((model) => ({
      name: `${model.modelId} (embeddings)`,
      requests: formatCount(model.requests),
      cost: model.cost,
    })),
  ]
  const total: EstimatedRow[] = rows.length > 1 ? [{ name: 'total', requests: formatCount(requests), cost }] : []
  const budget = describeBudget(estimate)
  const note = budget === undefined ? '' : `\n${budget}\n`
  const { problems: _none, ...figures } = estimate
  if (json) printJson({ nothingSent: true, ...figures, firstRequest }, terminal)
  printForPeople(
    (room) =>
      `${styleFor(terminal)('bold', cleanText(suite))} · nothing was sent\n\n${drawTable(estimateTable, [...rows, ...total], room)}${note}\nThe first request:\n${JSON.stringify(firstRequest, null, 2)}\n`,
    { json },
    terminal,
  )
}
