import { z } from 'zod'
import { messageOf, type ExternalEnvironment } from '../../contract/index.ts'

const TIMEOUT_MS = 60_000
const MAX_BYTES = 32 * 1024 * 1024
/** Of a reply, in a message. */
const MAX_SHOWN = 200

const toolSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).default({ type: 'object', properties: {} }),
})
const sessionSchema = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  policy: z.string().optional(),
  opening: z.string().nullish(),
  tools: z.array(toolSchema),
  userTools: z.array(toolSchema).default([]),
})
const replySchema = z.object({ reply: z.unknown().optional(), error: z.union([z.boolean(), z.string()]).nullish() })
const gradeSchema = z.object({ reward: z.number().min(0).max(1), breakdown: z.unknown().optional() })

type Definitions = { name: string; description?: string | undefined; parameters: Record<string, unknown> }[]

const readTools = (tools: Definitions) =>
  tools.map(({ name, description, parameters }) => ({
    name,
    parameters,
    ...(description !== undefined && { description }),
  }))

/** What is wrong with a reply, to follow "it answered". */
class BadReply extends Error {}

/** The text of a reply; an environment that sends without end is not read to it. */
async function readText({ body }: Response): Promise<string> {
  if (!body) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > MAX_BYTES) throw new BadReply('with more than 32 MiB')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function readJson(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    throw new BadReply(`with something that is not JSON: ${text.slice(0, MAX_SHOWN)}`)
  }
}

interface Call<T> {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body?: unknown
  /** The same for a call that is made again because its reply was lost. */
  key?: string
  schema: z.ZodType<T>
}

function createCaller(base: string, signal: AbortSignal) {
  return async <T>({ method, path, body, key, schema }: Call<T>): Promise<T> => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS)
    const what = `${method} ${path}`
    let response: Response
    try {
      response = await fetch(`${base.replace(/\/+$/, '')}${path}`, {
        method,
        redirect: 'manual',
        signal: AbortSignal.any([signal, timeout]),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': encodeURIComponent(key) }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      throw new Error(
        timeout.aborted
          ? `it did not answer ${what} within ${TIMEOUT_MS / 1000} s`
          : `${base} cannot be reached (${messageOf(cause)})`,
        { cause: error },
      )
    }
    try {
      if (response.status >= 300 && response.status < 400)
        throw new BadReply(`with a redirect to ${response.headers.get('location') ?? 'nowhere'}, which is not followed`)
      const text = await readText(response)
      if (!response.ok) throw new BadReply(`with ${response.status}: ${text.slice(0, MAX_SHOWN)}`)
      const { data, error } = schema.safeParse(readJson(text))
      const issue = error?.issues[0]
      if (issue)
        throw new BadReply(`with a reply whose ${issue.path.join('.') || 'value'} cannot be used: ${issue.message}`)
      return data as T
    } catch (error) {
      await response.body?.cancel().catch(() => undefined)
      const how = error instanceof BadReply ? error.message : timeout.aborted ? 'too slowly' : 'and broke off'
      throw new Error(`it answered ${what} ${how}`, { cause: error })
    }
  }
}

/** An environment that keeps tools and world itself: five calls, one session for each conversation. */
export async function openHttp(
  base: string,
  { task, known, signal }: { task: string; known: string | undefined; signal: AbortSignal },
): Promise<ExternalEnvironment> {
  const ask = createCaller(base, signal)
  // A session that a resume goes on in is described anew, not begun anew.
  const opened = await ask({
    method: 'POST',
    path: '/sessions',
    body: { task, ...(known !== undefined && { session: known }) },
    schema: sessionSchema,
  })
  if (known !== undefined && opened.id !== known)
    throw new Error(`the environment no longer has the session ${known}, so the conversation cannot go on`)
  const at = `/sessions/${encodeURIComponent(opened.id)}`
  return {
    tools: readTools(opened.tools),
    userTools: readTools(opened.userTools),
    ...(opened.policy !== undefined && { policy: opened.policy }),
    ...(typeof opened.opening === 'string' && { opening: opened.opening }),
    session: opened.id,
    async call({ id, by, name, arguments: args }) {
      const { reply, error } = await ask({
        method: 'POST',
        path: `${at}/call`,
        body: { name, arguments: args, by },
        key: id,
        schema: replySchema,
      })
      return {
        reply: typeof error === 'string' ? error : reply,
        isError: error !== undefined && error !== null && error !== false,
      }
    },
    readWorld: () => ask({ method: 'GET', path: `${at}/state`, schema: z.unknown() }),
    async grade(messages, end) {
      return ask({ method: 'POST', path: `${at}/grade`, body: { messages, end }, schema: gradeSchema })
    },
    async close(isOver) {
      if (isOver) await ask({ method: 'DELETE', path: at, schema: z.unknown() }).catch(() => undefined)
    },
  }
}
