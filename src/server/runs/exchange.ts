import type { AttemptEnd, AttemptStart, ModelRequest, RunResult } from '../../contract/index.ts'
import { scorers } from '../../scoring/index.ts'
import { buildRequest, planRun, readStoredRun } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'

/** GET /api/runs/:id/exchange?case=&model=: what was sent and received. */
export interface Exchange {
  request: ModelRequest
  attempts: (AttemptStart & { id: number; end?: AttemptEnd })[]
  answer?: Record<string, unknown>
}

/** Longer texts are truncated, so that the reply stays under a megabyte. */
const MAX_TEXT_LENGTH = 100_000
const MAX_ATTEMPTS = 100

function truncate(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT_LENGTH
      ? `${value.slice(0, MAX_TEXT_LENGTH)}… (${value.length - MAX_TEXT_LENGTH} more characters)`
      : value
  if (Array.isArray(value)) return value.map(truncate)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, truncate(inner)]))
}

function truncateRequest(request: ModelRequest): ModelRequest {
  return {
    ...request,
    messages: request.messages.map((message) => {
      if (typeof message.content === 'string') return { ...message, content: String(truncate(message.content)) }
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === 'text'
            ? { ...part, text: String(truncate(part.text)) }
            : { ...part, image: String(truncate(part.image)) },
        ),
      }
    }),
  }
}

/** Rebuilds the request as it was sent, from the suite stored with the run. */
function rebuildRequest(run: RunResult, testCaseId: string, modelId: string): ModelRequest {
  const { cases, contestants } = planRun(readStoredRun(run), scorers)
  const planned = cases.find(({ testCase }) => testCase.id === testCaseId)
  const contestant = contestants.find(({ id }) => id === modelId)
  if (!planned || !contestant) throw notFound('The cell')
  return buildRequest(planned, contestant)
}

/** What was sent and received for a cell, in the order it was sent. */
export async function loadExchange(
  runId: string,
  cell: { testCaseId: string; modelId: string },
  { storage }: ServerContext,
): Promise<Exchange> {
  const stored = await storage.loadCell({ runId, ...cell })
  const run = stored && (await storage.loadRun(runId, { texts: false }))
  if (!run) throw notFound('The cell')
  const { answer, attempts } = stored
  return {
    request: truncateRequest(rebuildRequest(run, cell.testCaseId, cell.modelId)),
    attempts: attempts.slice(0, MAX_ATTEMPTS),
    ...(answer && {
      answer: Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, truncate(value)])),
    }),
  }
}
