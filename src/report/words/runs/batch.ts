import { joinWords } from '../names.ts'
import { formatCount } from '../numbers.ts'

/** What a provider said about a batch; the status is its own word. */
export interface SeenBatch {
  provider: string
  id: string
  status: string
  done: number
  total: number
  isEnded: boolean
}

/**
 * `Waiting for openai: batch batch_1 is "in progress", 120 of 1,000 requests done`, or of several `Waiting for openai: 2
 * batches, "in progress", …`.
 */
export function describeBatches(batches: Iterable<SeenBatch>): string {
  const all = [...batches]
  const sum = (count: (batch: SeenBatch) => number) => all.reduce((total, batch) => total + count(batch), 0)
  const [done, total] = [sum((batch) => batch.done), sum((batch) => batch.total)]
  const counted = total > 0 ? `, ${formatCount(done)} of ${formatCount(total, 'request')} done` : ''
  const providers = [...new Set(all.map(({ provider }) => provider))]
  const statuses = [...new Set(all.map(({ status }) => `"${status}"`))]
  const what =
    all.length === 1
      ? `batch ${all[0]!.id} is ${statuses[0]}`
      : `${formatCount(all.length)} batches, ${statuses.join(', ')}`
  return `Waiting for ${joinWords(providers)}: ${what}${counted}`
}

/** `openai refused the connection: is the server running? (ECONNREFUSED); retrying` */
export function describeDelay({ reason }: { reason: string }): string {
  return `${reason.replace(/\.$/, '')}; retrying`
}

/** Said once, when the provider has taken the batch. */
export function describeSubmitted({
  provider,
  id,
  requests,
}: {
  provider: string
  id: string
  requests: number
}): string {
  return `${provider} has taken batch ${id} with ${formatCount(requests, 'request')}. It goes on there if you stop here; \`benchmaker resume latest\` collects it.`
}
