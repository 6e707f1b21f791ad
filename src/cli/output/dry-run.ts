import type { Table } from '../../report/tables/table.ts'
import { readableMessage, type ModelRequest } from '../../contract/index.ts'
import { describeBudget, excerpt, formatCost, formatCount } from '../../report/words/index.ts'
import type { RunOptions } from '../options/run-options.ts'
import { buildRequest, type RunEstimate } from '../../services/index.ts'
import type { PreparedRun } from '../../services/prepare.ts'
import { printForPeople, printJson, styleFor, type Terminal } from './terminal.ts'
import { cleanText, drawTable, wrapText } from './text-table.ts'

interface EstimatedRow {
  name: string
  requests: string
  cost: number | null
  likely?: number | undefined
}

const estimateTable: Table<EstimatedRow> = [
  { key: 'model', label: 'Model', role: 'name', cut: 'middle', text: ({ name }) => name },
  { key: 'requests', label: 'Requests', align: 'end', text: ({ requests }) => requests },
  {
    key: 'likely',
    label: 'Likely',
    align: 'end',
    text: ({ likely }) => (likely === undefined ? '' : `about ${formatCost(likely)}`),
    isIn: (rows) => rows.some(({ likely }) => likely !== undefined),
  },
  {
    key: 'cost',
    label: 'At most',
    align: 'end',
    text: ({ cost }) => (cost === null ? 'unknown' : formatCost(cost)),
  },
]

/** Prints what would be sent and what it would cost. */
export function printDryRun(
  { cases, contestants, prices }: PreparedRun,
  estimate: RunEstimate,
  { json = false, output = 'normal' }: { json?: boolean; output?: RunOptions['output'] },
  terminal: Terminal,
): void {
  const {
    suite,
    cases: caseCount,
    repeat,
    likely,
    models,
    judges,
    embeddings,
    users,
    requests,
    cost,
    unknownPrices,
  } = estimate
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
    ...users.map((model) => ({
      name: `${model.modelId} (user)`,
      requests: formatCount(model.requests),
      cost: model.cost,
    })),
  ]
  const total: EstimatedRow[] =
    rows.length > 1 || likely ? [{ name: 'Total', requests: formatCount(requests), cost, likely: likely?.cost }] : []
  const budget = describeBudget(estimate)
  const from = [...new Set([...prices.values()].flatMap((price) => price.from ?? []))]
  const notes = [
    ...(budget === undefined ? [] : [budget]),
    ...(likely ? [`Likely: from the answers of ${formatCount(likely.runs, 'earlier run')}.`] : []),
    ...(from.length > 0 ? [`Prices from ${from.join(', ')}, where nobody set or lists another.`] : []),
    ...(unknownPrices.length > 0
      ? [
          `No price known of ${unknownPrices.join(', ')}: none is listed by the endpoint or in the price table; set one with --price MODEL=in,out.`,
        ]
      : []),
  ]
  const { problems: _none, ...figures } = estimate
  if (json) printJson({ nothingSent: true, ...figures, firstRequest }, terminal)
  const size = [
    `${formatCount(caseCount, 'case')} × ${formatCount(models.length, 'model')}`,
    ...(repeat > 1 ? [formatCount(repeat, 'run')] : []),
  ].join(' × ')
  printForPeople(
    (room) =>
      `${styleFor(terminal)('bold', cleanText(suite))} · ${size} · nothing was sent\n\n${drawTable(estimateTable, [...rows, ...total], room)}${notes.map((line) => `\n${wrapText(cleanText(line), room.columns, '  ')}\n`).join('')}\n${output === 'full' ? `First request:\n${JSON.stringify(firstRequest, null, 2)}\n` : drawRequest(firstRequest, room)}`,
    { json },
    terminal,
  )
}

/** One line a message; `--output full` has the request whole. */
function drawRequest({ modelId, messages, parameters }: ModelRequest, { columns }: Pick<Terminal, 'columns'>): string {
  const { temperature, maxTokens } = parameters
  const facts = [
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
    ...(maxTokens === undefined ? [] : [`at most ${formatCount(maxTokens, 'token')}`]),
  ]
  const lines = messages.map((message) => {
    const text = readableMessage(message, ' ')
    const width = Number.isFinite(columns) ? Math.max(30, columns - 13) : 200
    return `  ${message.role.padEnd(9)}  ${excerpt(cleanText(text), width)}\n`
  })
  return `First request, to ${cleanText(modelId)}${facts.length > 0 ? ` (${facts.join(', ')})` : ''}\n${lines.join('')}`
}
