import { ClientError, type Batches, type RawReply, isRecord } from '../../contract/index.ts'
import { get, textOf } from '../http/json-values.ts'
import { type BatchHttp, MAX_ANTHROPIC_ENTRIES } from './batch-http.ts'

const MAX_PAGES = 20

/** Their clock may be behind ours. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000

const STATUS_OF_ERROR: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

/** Undefined for entries that were cancelled or have expired: they were not processed. */
function readResult(result: unknown): RawReply | undefined {
  const type = get(result, 'type')
  if (type === 'succeeded') return { status: 200, body: JSON.stringify(get(result, 'message') ?? null) }
  if (type !== 'errored') return undefined
  const error = get(result, 'error')
  const kind = textOf(get(get(error, 'error'), 'type')) ?? ''
  return { status: STATUS_OF_ERROR[kind] ?? 500, body: JSON.stringify(error ?? null) }
}

function sumCounts(counts: unknown): { done: number; total: number } {
  const numbers = isRecord(counts)
    ? Object.entries(counts).filter(([, count]) => Number.isSafeInteger(count) && Number(count) >= 0)
    : []
  const sum = (names: typeof numbers) => names.reduce((total, [, count]) => total + Number(count), 0)
  return { done: sum(numbers.filter(([name]) => name !== 'processing')), total: sum(numbers) }
}

/** Anthropic's Message Batches API. */
export function createAnthropicBatches(http: BatchHttp, provider: string): Batches {
  return {
    maxEntries: MAX_ANTHROPIC_ENTRIES,
    async submit(entries, _name, { signal } = {}) {
      const requests = entries.map(({ id, body }) => ({ custom_id: id, params: JSON.parse(body) as object }))
      const id = textOf(get(await http.post('/messages/batches', { requests }, signal), 'id'))
      if (id === undefined) throw new ClientError('broken', `${provider} did not return the id of the batch`)
      return id
    },
    // Their batches have no names: those of the right size and time may be ours, and their results will tell.
    async find({ entries, since }, { signal } = {}) {
      const found: string[] = []
      let after = ''
      for (let page = 0; page < MAX_PAGES; page++) {
        const reply = await http.get(
          `/messages/batches?limit=100${after && `&after_id=${encodeURIComponent(after)}`}`,
          signal,
        )
        const list = get(reply, 'data')
        const batches = Array.isArray(list) ? list.filter(isRecord) : []
        const recent = batches.filter((batch) => Date.parse(String(batch['created_at'])) >= since - CLOCK_DIFFERENCE_MS)
        for (const batch of recent) {
          const id = textOf(batch['id'])
          if (id !== undefined && sumCounts(batch['request_counts']).total === entries) found.push(id)
        }
        after = textOf(get(reply, 'last_id')) ?? ''
        // They come newest first.
        if (recent.length < batches.length || get(reply, 'has_more') !== true || after === '') break
      }
      return found
    },
    async look(id, { signal } = {}) {
      const batch = await http.get(`/messages/batches/${encodeURIComponent(id)}`, signal)
      const status = textOf(get(batch, 'processing_status')) ?? 'unknown'
      const isCancelled = textOf(get(batch, 'cancel_initiated_at')) !== undefined
      return {
        status: status === 'ended' && isCancelled ? 'cancelled' : status.replaceAll('_', ' '),
        isEnded: status === 'ended',
        isComplete: status === 'ended' && !isCancelled,
        isFinal: isCancelled,
        ...sumCounts(get(batch, 'request_counts')),
      }
    },
    async *collect(id, { signal } = {}) {
      for await (const line of http.readLines(`/messages/batches/${encodeURIComponent(id)}/results`, signal)) {
        const entry = textOf(get(line, 'custom_id'))
        const result = get(line, 'result')
        if (entry !== undefined && isRecord(result)) yield { id: entry, reply: readResult(result) }
      }
    },
  }
}
