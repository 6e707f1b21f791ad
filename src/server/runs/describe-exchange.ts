import type { AttemptEnd, AttemptStart, ModelRequest, RunResult } from '../../contract/index.ts'
import { scorers } from '../../scoring/index.ts'
import { buildRequest, planRun, requestOf } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound, Refusal } from '../http/refusal.ts'

/** GET /api/runs/:id/exchange?case=&model=: what was sent and what came back. */
export interface Exchange {
  request: ModelRequest
  attempts: (AttemptStart & { id: number; end?: AttemptEnd })[]
  answer?: Record<string, unknown>
}

/** A text is cut here: what is shown stays under a megabyte. */
const LONGEST_TEXT = 100_000
const MOST_ATTEMPTS = 100

function cut(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > LONGEST_TEXT
      ? `${value.slice(0, LONGEST_TEXT)}… (${value.length - LONGEST_TEXT} more characters)`
      : value
  if (Array.isArray(value)) return value.map(cut)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner)]))
}

function cutRequest(request: ModelRequest): ModelRequest {
  return {
    ...request,
    messages: request.messages.map((message) => {
      if (typeof message.content === 'string') return { ...message, content: String(cut(message.content)) }
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === 'text'
            ? { ...part, text: String(cut(part.text)) }
            : { ...part, image: String(cut(part.image)) },
        ),
      }
    }),
  }
}

/** As it was sent: the request follows from the suite that the run was made with. */
function rebuildRequest(run: RunResult, testCaseId: string, modelId: string): ModelRequest {
  const suite = run.testSuiteSnapshot
  if (!suite)
    throw new Refusal(409, 'no-suite', 'The run was stored without its suite, so its requests cannot be shown.')
  // The cases were chosen when the run began.
  const { cases, contestants } = planRun({ ...requestOf(run), filter: undefined, limit: undefined }, suite, scorers)
  const planned = cases.find(({ testCase }) => testCase.id === testCaseId)
  const contestant = contestants.find(({ id }) => id === modelId)
  if (!planned || !contestant) throw notFound('The cell')
  return buildRequest(planned, contestant)
}

/** What was sent for a cell and what came back, in the order of sending. */
export async function describeExchange(
  runId: string,
  cell: { testCaseId: string; modelId: string },
  { storage }: ServerContext,
): Promise<Exchange> {
  const stored = await storage.loadCell({ runId, ...cell })
  const run = stored && (await storage.loadRun(runId, { texts: false }))
  if (!run) throw notFound('The cell')
  const { answer, attempts } = stored
  return {
    request: cutRequest(rebuildRequest(run, cell.testCaseId, cell.modelId)),
    attempts: attempts.slice(0, MOST_ATTEMPTS),
    ...(answer && { answer: Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, cut(value)])) }),
  }
}
