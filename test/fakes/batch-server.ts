import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A server on loopback that speaks OpenAI's Batch API (files, batches) and Anthropic's Message Batches API as their
 * documentation describes them. It counts what it would bill, and can fail in the ways that matter.
 */
export interface BatchServerOptions {
  /** From a batch's creation to its end; `Infinity` until `endBatches` is called. */
  batchMs?: number
  /** The answer to the last message of a request. */
  answer?: (prompt: string, model: string) => string
  /** What happens to one request of a batch, if not an answer. Called once for each, with how often its id was seen. */
  entryFault?: (prompt: string, seen: number) => EntryFault | undefined
  /** What happens to a call, if it is not answered. `name` is `submit`, `look`, `collect`, `upload` or `list`. */
  callFault?: (name: CallName, count: number) => CallFault | undefined
  /** The lines of results as they are sent, which may be more, fewer or other ones. */
  resultLines?: (lines: ResultLine[], batch: number) => unknown[]
  /** What a request used, as its provider names it; counts of 10 in and 5 out unless given. */
  usage?: unknown
  /** How many of the requests are done, while it is asked and after. */
  counts?: Record<string, number>
}

type EntryFault = 'expired' | 'server error' | 'refused parameter'
type CallName = 'upload' | 'submit' | 'look' | 'collect' | 'list'
/** `lost reply`: the call takes effect, but the connection ends before the reply. */
type CallFault = 'server error' | 'lost reply' | 'cut' | 'forbidden' | 'missing'

type ResultLine = { custom_id: string } & Record<string, unknown>

interface Entry {
  id: string
  body: Record<string, unknown>
}

interface Batch {
  id: string
  createdAt: number
  metadata: unknown
  entries: Entry[]
  results: Map<string, { fault: EntryFault | undefined; text: string }>
}

export interface BatchServer {
  /** For OpenAI's interface; Anthropic's is at the same address. */
  baseUrl: string
  /** Requests that were processed, by the text of their last message and their model. */
  billed: Map<string, number>
  batches: Batch[]
  calls: Map<CallName, number>
  endBatches(): void
  close(): Promise<void>
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function promptOf({ messages, system }: Record<string, unknown>): string {
  const list = Array.isArray(messages) ? messages : []
  const { content } = list.at(-1) ?? { content: system }
  return typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map(({ text = '' }) => text).join('')
      : ''
}

export async function startBatchServer(options: BatchServerOptions = {}): Promise<BatchServer> {
  let { batchMs = 0 } = options
  const { answer = (prompt) => `answer to ${prompt}`, entryFault, callFault, resultLines = (lines) => lines } = options
  const usageOf = (counted: object) => ('usage' in options ? options.usage : counted)
  const files = new Map<string, Buffer>()
  const batches: Batch[] = []
  const billed = new Map<string, number>()
  const seen = new Map<string, number>()
  const calls = new Map<CallName, number>()
  let made = 0

  const isEnded = ({ createdAt }: Batch) => Date.now() >= createdAt + batchMs
  const createBatch = (entries: Entry[], metadata: unknown): Batch => {
    const batch: Batch = { id: `batch_${++made}`, createdAt: Date.now(), metadata, entries, results: new Map() }
    for (const { id, body } of entries) {
      const prompt = promptOf(body)
      const key = `${prompt} ${String(body['model'])}`
      const fault = entryFault?.(prompt, seen.get(key) ?? 0)
      seen.set(key, (seen.get(key) ?? 0) + 1)
      if (fault === undefined) billed.set(key, (billed.get(key) ?? 0) + 1)
      batch.results.set(id, { fault, text: answer(prompt, String(body['model'])) })
    }
    batches.push(batch)
    return batch
  }

  const showOpenAI = (batch: Batch) => ({
    id: batch.id,
    object: 'batch',
    endpoint: '/v1/chat/completions',
    status: isEnded(batch) ? 'completed' : 'in_progress',
    metadata: batch.metadata,
    request_counts: {
      total: batch.entries.length,
      completed: isEnded(batch) ? batch.entries.length : 0,
      failed: 0,
      ...options.counts,
    },
    ...(isEnded(batch) && { output_file_id: `out-${batch.id}`, error_file_id: `err-${batch.id}` }),
  })
  const showAnthropic = (batch: Batch) => {
    const { length } = batch.entries
    const ended = isEnded(batch)
    return {
      id: batch.id,
      type: 'message_batch',
      processing_status: ended ? 'ended' : 'in_progress',
      request_counts: {
        processing: ended ? 0 : length,
        succeeded: ended ? length : 0,
        errored: 0,
        canceled: 0,
        expired: 0,
        ...options.counts,
      },
      created_at: new Date(batch.createdAt).toISOString(),
    }
  }

  const openAILines = (batch: Batch, isErrorFile: boolean): ResultLine[] =>
    [...batch.results].flatMap(([id, { fault, text }]): ResultLine[] => {
      if (fault === 'expired')
        return isErrorFile
          ? [{ custom_id: id, response: null, error: { code: 'batch_expired', message: 'This request expired.' } }]
          : []
      const isError = fault !== undefined
      if (isError !== isErrorFile) return []
      const body = isError
        ? {
            error:
              fault === 'server error'
                ? { message: 'The server had an error', type: 'server_error' }
                : {
                    message: "Unsupported parameter: 'temperature'",
                    param: 'temperature',
                    code: 'unsupported_parameter',
                  },
          }
        : {
            choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
            usage: usageOf({ prompt_tokens: 10, completion_tokens: 5 }),
          }
      return [{ custom_id: id, response: { status_code: fault === 'server error' ? 500 : isError ? 400 : 200, body } }]
    })
  const anthropicLines = (batch: Batch) =>
    [...batch.results].map(([id, { fault, text }]) => {
      if (fault === 'expired') return { custom_id: id, result: { type: 'expired' } }
      if (fault !== undefined)
        return {
          custom_id: id,
          result: {
            type: 'errored',
            error: { type: 'error', error: { type: 'api_error', message: 'Internal server error' } },
          },
        }
      // Structured output is asked for as a call of a tool.
      const { tool_choice: choice, tools } = batch.entries.find((entry) => entry.id === id)!.body
      const name = choice ? (tools as { name: string }[])[0]?.name : undefined
      const message = {
        id: `msg_${id}`,
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content:
          name === undefined
            ? [{ type: 'text', text }]
            : [{ type: 'tool_use', id: `toolu_${id}`, name, input: JSON.parse(text) as object }],
        stop_reason: name === undefined ? 'end_turn' : 'tool_use',
        stop_sequence: null,
        usage: usageOf({ input_tokens: 10, output_tokens: 5 }),
      }
      return { custom_id: id, result: { type: 'succeeded', message } }
    })

  const sendJson = (response: ServerResponse, value: unknown, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  const sendLines = (response: ServerResponse, lines: unknown[], fault: CallFault | undefined) => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    if (fault !== 'cut') return response.end(text)
    // Half of it, then the connection ends.
    response.write(text.slice(0, text.length / 2), () => response.destroy())
    return undefined
  }

  /** Counts the call; true if it has been answered with a fault before it took effect. */
  const fail = (name: CallName, response: ServerResponse): CallFault | 'done' | undefined => {
    const count = calls.get(name) ?? 0
    calls.set(name, count + 1)
    const fault = callFault?.(name, count)
    const status = { 'server error': 503, forbidden: 401, missing: 404 }[fault as string]
    if (status === undefined) return fault
    sendJson(response, { error: { message: `planned ${fault}` } }, status)
    return 'done'
  }
  const reply = (response: ServerResponse, value: unknown, fault: CallFault | undefined) =>
    fault === 'lost reply' ? response.destroy() : sendJson(response, value)

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname } = new URL(request.url!, 'http://x')
    const parts = pathname.split('/').slice(2)
    const isAnthropic = parts[0] === 'messages'
    const [kind, id, what] = isAnthropic ? parts.slice(1) : parts
    const body = await readBody(request)
    const isPost = request.method === 'POST'
    const name: CallName =
      kind === 'files' ? (isPost ? 'upload' : 'collect') : isPost ? 'submit' : what ? 'collect' : id ? 'look' : 'list'
    const fault = fail(name, response)
    if (fault === 'done') return undefined
    if (name === 'upload') {
      // The content of a multipart file stands between its headers and the closing boundary.
      const text = body.toString()
      const start = text.indexOf('\r\n\r\n', text.indexOf('filename=')) + 4
      const file = `file-${++made}`
      files.set(file, Buffer.from(text.slice(start, text.lastIndexOf('\r\n--'))))
      return reply(response, { id: file, object: 'file', purpose: 'batch' }, fault)
    }
    if (name === 'submit' && isAnthropic) {
      const { requests }: { requests: { custom_id: string; params: Entry['body'] }[] } = JSON.parse(body.toString())
      const batch = createBatch(
        requests.map(({ custom_id, params }) => ({ id: custom_id, body: params })),
        undefined,
      )
      return reply(response, showAnthropic(batch), fault)
    }
    if (name === 'submit') {
      const { input_file_id, metadata } = JSON.parse(body.toString())
      const lines = files.get(input_file_id)!.toString().trim().split('\n')
      const entries = lines.map((line): Entry => {
        const { custom_id, body: content }: { custom_id: string; body: Entry['body'] } = JSON.parse(line)
        return { id: custom_id, body: content }
      })
      return reply(response, showOpenAI(createBatch(entries, metadata)), fault)
    }
    const show: (batch: Batch) => unknown = isAnthropic ? showAnthropic : showOpenAI
    if (name === 'list') return reply(response, { data: batches.toReversed().map(show), has_more: false }, fault)
    const batch = batches.find(
      (candidate) => id?.endsWith(candidate.id) && new RegExp(`(^|-)${candidate.id}$`).test(id),
    )
    if (!batch) return sendJson(response, { error: { message: 'no such batch' } }, 404)
    if (name === 'look') return reply(response, show(batch), fault)
    const lines = isAnthropic ? anthropicLines(batch) : openAILines(batch, id!.startsWith('err-'))
    return sendLines(response, resultLines(lines, batches.indexOf(batch)), fault)
  }

  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    billed,
    batches,
    calls,
    endBatches: () => (batchMs = 0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
