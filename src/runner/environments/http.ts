import { z } from 'zod'
import type { ExternalEnvironment } from '../../contract/index.ts'

const TIMEOUT_MS = 60_000
const MAX_LENGTH = 32 * 1024 * 1024

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
const replySchema = z.object({ reply: z.unknown(), error: z.union([z.boolean(), z.string()]).nullish() })
const gradeSchema = z.object({ reward: z.number().min(0).max(1), breakdown: z.unknown() })

type Definitions = { name: string; description?: string | undefined; parameters: Record<string, unknown> }[]

const readTools = (tools: Definitions) =>
  tools.map(({ name, description, parameters }) => ({
    name,
    parameters,
    ...(description !== undefined && { description }),
  }))

/** An environment that keeps tools and world itself: five calls, one session for each conversation. */
export async function openHttp(base: string, task: string, known: string | undefined): Promise<ExternalEnvironment> {
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${base.replace(/\/+$/, '')}${path}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok)
      throw new Error(`the environment answered ${method} ${path} with ${response.status}: ${text.slice(0, 200)}`)
    if (text.length > MAX_LENGTH) throw new Error('the environment sent more than 32 MiB')
    return text === '' ? null : JSON.parse(text)
  }
  // A session that a resume goes on in is described anew, not begun anew.
  const opened = sessionSchema.parse(
    known === undefined
      ? await ask('POST', '/sessions', { task })
      : await ask('POST', '/sessions', { task, session: known }),
  )
  if (known !== undefined && opened.id !== known)
    throw new Error(`the environment no longer has the session ${known}, so the conversation cannot go on`)
  const at = `/sessions/${encodeURIComponent(opened.id)}`
  return {
    tools: readTools(opened.tools),
    userTools: readTools(opened.userTools),
    ...(opened.policy !== undefined && { policy: opened.policy }),
    ...(typeof opened.opening === 'string' && { opening: opened.opening }),
    session: opened.id,
    async call({ by, name, arguments: args }) {
      const { reply, error } = replySchema.parse(await ask('POST', `${at}/call`, { name, arguments: args, by }))
      return {
        reply: typeof error === 'string' ? error : reply,
        isError: error !== undefined && error !== null && error !== false,
      }
    },
    readWorld: () => ask('GET', `${at}/state`),
    async grade(messages, end) {
      const { reward, breakdown } = gradeSchema.parse(await ask('POST', `${at}/grade`, { messages, end }))
      return { reward, breakdown }
    },
    async close(isOver) {
      if (isOver) await ask('DELETE', at).catch(() => undefined)
    },
  }
}
