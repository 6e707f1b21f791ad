import { ClientError, type Batches, type CancelSignal, isRecord } from '../../contract/index.ts'
import { get, textOf } from '../http/json-values.ts'
import { type BatchHttp, MAX_OPENAI_ENTRIES } from './batch-http.ts'

const ENDED = new Set(['completed', 'failed', 'expired', 'cancelled'])

/** More pages than anyone has batches from the last days. */
const MAX_PAGES = 20

const NAME_FIELD = 'benchmaker'

function readCount(value: unknown): number {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0
}

/** A batch that failed as a whole says why; its entries have no replies. */
function readFailure(batch: unknown): { message?: string | undefined; isQueueFull: boolean } {
  const errors = get(get(batch, 'errors'), 'data')
  const error: unknown = Array.isArray(errors) ? errors[0] : undefined
  return { message: textOf(get(error, 'message')), isQueueFull: get(error, 'code') === 'token_limit_exceeded' }
}

function readId(reply: unknown, provider: string, what: string): string {
  const id = textOf(get(reply, 'id'))
  if (id === undefined) throw new ClientError('broken', `${provider} did not return the id of the ${what}`)
  return id
}

/** OpenAI's Batch API: a file of requests goes in, a file of replies comes out. */
export function createOpenAIBatches(http: BatchHttp, provider: string): Batches {
  const load = (id: string, signal: CancelSignal | undefined) => http.get(`/batches/${encodeURIComponent(id)}`, signal)

  return {
    maxEntries: MAX_OPENAI_ENTRIES,
    async submit(entries, name, { signal } = {}) {
      const lines = entries.map(
        ({ id, body }) =>
          `{"custom_id":${JSON.stringify(id)},"method":"POST","url":"/v1/chat/completions","body":${body}}\n`,
      )
      const form = new FormData()
      form.append('purpose', 'batch')
      form.append('file', new Blob(lines, { type: 'application/jsonl' }), 'benchmaker.jsonl')
      const file = readId(await http.post('/files', form, signal), provider, 'uploaded file')
      const batch = await http.post(
        '/batches',
        {
          input_file_id: file,
          endpoint: '/v1/chat/completions',
          completion_window: '24h',
          metadata: { [NAME_FIELD]: name },
        },
        signal,
      )
      return readId(batch, provider, 'batch')
    },
    async find({ name }, { signal } = {}) {
      const found: string[] = []
      let after = ''
      for (let page = 0; page < MAX_PAGES; page++) {
        const reply = await http.get(`/batches?limit=100${after && `&after=${encodeURIComponent(after)}`}`, signal)
        const list = get(reply, 'data')
        const batches = Array.isArray(list) ? list.filter(isRecord) : []
        for (const batch of batches)
          if (get(batch['metadata'], NAME_FIELD) === name) found.push(readId(batch, provider, 'batch'))
        after = textOf(batches.at(-1)?.['id']) ?? ''
        if (get(reply, 'has_more') !== true || after === '') break
      }
      return found
    },
    async look(id, { signal } = {}) {
      const batch = await load(id, signal)
      const status = textOf(get(batch, 'status')) ?? 'unknown'
      const counts = get(batch, 'request_counts')
      const failure = status === 'failed' ? readFailure(batch) : undefined
      return {
        status: failure?.message === undefined ? status.replaceAll('_', ' ') : `failed: ${failure.message}`,
        isEnded: ENDED.has(status),
        done: readCount(get(counts, 'completed')) + readCount(get(counts, 'failed')),
        total: readCount(get(counts, 'total')),
        isComplete: status === 'completed',
        isFinal: status === 'failed' || status === 'cancelled',
        isQueueFull: failure?.isQueueFull ?? false,
      }
    },
    async *collect(id, { signal } = {}) {
      const batch = await load(id, signal)
      for (const field of ['output_file_id', 'error_file_id']) {
        const file = textOf(get(batch, field))
        if (file === undefined) continue
        for await (const line of http.readLines(`/files/${encodeURIComponent(file)}/content`, signal)) {
          const entry = textOf(get(line, 'custom_id'))
          const response = get(line, 'response')
          const status = get(response, 'status_code')
          if (entry === undefined) continue
          if (isRecord(response) && typeof status === 'number')
            yield { id: entry, reply: { status, body: JSON.stringify(response['body'] ?? null) } }
          // The request expired or was cancelled.
          else if (isRecord(get(line, 'error'))) yield { id: entry, reply: undefined }
        }
      }
    },
  }
}
