import { formatCount } from '../numbers.ts'

/** `Waiting for openai: batch batch_1 is "in progress", 120 of 1,000 requests done`. The status is the provider's word. */
export function describeBatch({
  provider,
  id,
  status,
  done,
  total,
}: {
  provider: string
  id: string
  status: string
  done: number
  total: number
}): string {
  const counted = total > 0 ? `, ${formatCount(done)} of ${formatCount(total, 'request')} done` : ''
  return `Waiting for ${provider}: batch ${id} is "${status}"${counted}`
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
