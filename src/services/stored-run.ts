import {
  InputError,
  type RunInput,
  type RunResult,
  type Storage,
  type CellResult,
  type ModelAnswer,
} from '../contract/index.ts'
import { requestOf } from './plan.ts'

/**
 * What a stored run consists of. Whatever continues, repeats, scores or shows a run plans it from this: the suite as it
 * was, with the cases that were selected when the run started. The request still names that selection, for people to
 * read, but it is never applied again.
 */
export interface StoredRun extends RunInput {
  isSelected: true
  run: RunResult
}

export function readStoredRun(run: RunResult): StoredRun {
  const { id, kind = 'suite', testSuiteSnapshot: suite } = run
  if (!suite) throw new InputError(`run ${id} was stored without its suite, so its test cases are unknown`)
  return { run, kind, request: requestOf(run), suite, isSelected: true }
}

/** With the results that `loading` asks for. */
export async function openStoredRun(
  runId: string,
  storage: Storage,
  loading: { texts?: boolean; testCaseIds?: readonly string[] } = { texts: false },
): Promise<StoredRun> {
  const run = await storage.loadRun(runId, loading)
  if (!run) throw new InputError(`there is no run ${runId}`)
  return readStoredRun(run)
}

/** The model's answer in a finished cell; `undefined` if it has none. */
export function readAnswer({ response, outcome, latencyMs = 0, toolCalls }: CellResult): ModelAnswer | undefined {
  if (response === undefined) return undefined
  const isKept =
    outcome === 'empty' ||
    outcome === 'refusal' ||
    outcome === 'filtered' ||
    outcome === 'truncated' ||
    outcome === 'limit'
  return { outcome: isKept ? outcome : 'ok', response, latencyMs, ...(toolCalls && { toolCalls }) }
}
