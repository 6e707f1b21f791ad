import { describeBudget, formatCost, formatCount } from '../../report/words/index.ts'
import { buildRequest, type RunEstimate } from '../../services/index.ts'
import type { PreparedRun } from '../../services/prepare.ts'
import { printForPeople, printJson, styleFor, type Terminal } from './terminal.ts'
import { cleanText, drawTable } from './text-table.ts'

function formatMaxCost(cost: number | null): string {
  return cost === null ? 'unknown' : `at most ${formatCost(cost)}`
}

/** Prints what would be sent and what it would cost. */
export function printDryRun(
  { cases, contestants }: PreparedRun,
  estimate: RunEstimate,
  { json = false }: { json?: boolean },
  terminal: Terminal,
): void {
  const { suite, models, judges, embeddings, requests, cost } = estimate
  const firstRequest = buildRequest(cases[0]!, contestants[0]!)
  const rows = [
    ...models.map((model) => [cleanText(model.modelId), formatCount(model.requests), formatMaxCost(model.cost)]),
    ...judges.map((judge) => [
      `${cleanText(judge.modelId)} (judge)`,
      `${formatCount(judge.requests)}, up to ${formatCount(judge.mostRequests)}`,
      formatMaxCost(judge.cost),
    ]),
    ...embeddings.map((model) => [
      `${cleanText(model.modelId)} (embeddings)`,
      formatCount(model.requests),
      formatMaxCost(model.cost),
    ]),
    ...(models.length + judges.length + embeddings.length > 1
      ? [['total', formatCount(requests), formatMaxCost(cost)]]
      : []),
  ]
  const table = (room: Terminal) =>
    drawTable(
      [
        { title: 'Model', cut: 'middle' },
        { title: 'Requests', align: 'right' },
        { title: 'Cost', align: 'right' },
      ],
      rows,
      room,
    )
  const budget = describeBudget(estimate)
  const note = budget === undefined ? '' : `\n${budget}\n`
  const { problems: _none, ...figures } = estimate
  if (json) printJson({ nothingSent: true, ...figures, firstRequest }, terminal)
  printForPeople(
    (room) =>
      `${styleFor(terminal)('bold', cleanText(suite))} · nothing was sent\n\n${table(room)}${note}\nThe first request:\n${JSON.stringify(firstRequest, null, 2)}\n`,
    { json },
    terminal,
  )
}
