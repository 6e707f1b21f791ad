import { parameterOptions, type CellResult, type Option } from '../../../contract/index.ts'
import type { CountedText } from '../../model/standings/report-row.ts'
import { capitalise, joinWords } from '../names.ts'
import { formatCount } from '../numbers.ts'

interface SendingRow {
  modelId: string
  hosts?: readonly CountedText[] | undefined
  leftOut?: readonly CountedText[] | undefined
}

const labels = new Map(Object.entries<Option>(parameterOptions).map(([name, { label }]) => [name, label.toLowerCase()]))

/** Parameters by the names that screens give them. */
function nameParameters(names: readonly string[]): string {
  return joinWords(names.map((name) => labels.get(name) ?? (name === 'responseSchema' ? 'JSON Schema' : name)))
}

/** One sentence for each model that a router sent to hosts, or that was not sent what the run asks for. */
export function describeSending(rows: readonly SendingRow[]): string[] {
  return rows.flatMap(({ modelId, hosts = [], leftOut = [] }) => {
    const served = hosts.map(({ text, cells }) => `${text} (${formatCount(cells, 'cell')})`)
    const pin = hosts.length > 1 ? '; hosts may differ, and MODEL#HOST asks only one of them' : ''
    return [
      ...(served.length > 0 ? [`${modelId} was served by ${joinWords(served)}${pin}.`] : []),
      ...leftOut.map(
        ({ text, cells }) =>
          `${modelId} was not sent ${nameParameters(text.split(', '))} (${formatCount(cells, 'cell')}), because it does not support that.`,
      ),
    ]
  })
}

interface CostedRow {
  modelId: string
  cost: { unknown: number }
  medianLatencyMs?: number | undefined
}

/** Why costs are unknown; undefined if all are known. Answers without a latency were not asked for here, but imported. */
export function describeUnknownCosts(rows: readonly CostedRow[]): string | undefined {
  const unpriced = rows
    .filter(({ cost, medianLatencyMs }) => cost.unknown > 0 && medianLatencyMs !== undefined)
    .map(({ modelId }) => modelId)
  if (unpriced.length === 0) return undefined
  return `Costs of ${joinWords(unpriced)} are unknown where no price was set (--price), none is listed by the endpoint or in the price table, or the reply counted no tokens.`
}

/** Of one answer. */
export function describeSent({ servedBy, leftOut = [], requestNotes = [] }: CellResult): string[] {
  return [
    ...(servedBy === undefined ? [] : [`served by ${servedBy}`]),
    ...(leftOut.length > 0 ? [`not sent, because the model does not support it: ${nameParameters(leftOut)}`] : []),
    ...requestNotes.map(capitalise),
  ]
}

/** The parameters of one request as they went out. */
export function writeSent({ sent }: Pick<CellResult, 'sent'>): string | undefined {
  const fields = Object.entries(sent ?? {})
  if (fields.length === 0) return undefined
  return fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ')
}
