import {
  InputError,
  UNKNOWN_LATENCY,
  type AttemptEnd,
  type CellResult,
  type ModelAnswer,
  type RunResult,
  type Storage,
} from '../../contract/index.ts'
import { readAnswer } from '../stored-run.ts'
import { requestOf } from '../plan.ts'
import { importQueues } from '../rating/rating-queues.ts'
import type { Clock } from '../requesting/clock.ts'
import { RunClaimed, withClaim } from '../claim.ts'

/** One attempt represents them all: a file has only their total cost and the latency of the last. */
function attemptEndOf(
  { outcome = 'ok', promptTokens, completionTokens, cost, latencyMs, firstTokenMs, error }: CellResult,
  endedAt: number,
): AttemptEnd {
  return {
    endedAt,
    outcome,
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(cost !== undefined && { cost }),
    ...(latencyMs !== undefined && { latencyMs }),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    ...(error !== undefined && { error }),
  }
}

/** Files may leave out the response text: a cell with a score had an answer. */
function answerOf(result: CellResult): ModelAnswer | undefined {
  const { response, score, unscored, promptTokens, completionTokens, cost, firstTokenMs, leftOut } = result
  const { tokenDetails, cachedAt, sent, requestNotes, servedBy } = result
  const answer = readAnswer(response === undefined && (score ?? unscored) ? { ...result, response: '' } : result)
  return (
    answer && {
      ...answer,
      latencyMs: result.latencyMs ?? UNKNOWN_LATENCY,
      ...(promptTokens !== undefined && { promptTokens }),
      ...(completionTokens !== undefined && { completionTokens }),
      ...(cost !== undefined && { cost }),
      ...(firstTokenMs !== undefined && { firstTokenMs }),
      ...(leftOut && { leftOut }),
      ...(sent && { sent }),
      ...(requestNotes && { notes: requestNotes }),
      ...(servedBy !== undefined && { servedBy }),
      ...(tokenDetails && { tokenDetails }),
      ...(cachedAt !== undefined && { cachedAt }),
    }
  )
}

export async function importCell(
  result: CellResult,
  runId: string,
  startedAt: number,
  storage: Storage,
): Promise<void> {
  const { testCaseId, modelId, outcome = 'error', score, unscored, error, rating, ratings = [] } = result
  const answer = answerOf(result)
  const cell = { runId, testCaseId, modelId }
  const end = attemptEndOf(result, startedAt)
  const attempt = await storage.startAttempt({ ...cell, purpose: 'answer', askedModel: modelId, startedAt })
  if (answer) {
    await storage.saveAnswer(attempt, end, cell, answer)
    if (score) await storage.saveScore(cell, score)
    else if (unscored) await storage.saveScore(cell, { unscored })
  } else {
    await storage.endAttempt(attempt, end)
    await storage.saveError(cell, outcome === 'ok' ? 'error' : outcome, error ?? 'no answer in the file')
  }
  if (rating) await storage.saveRating(cell, rating)
  for (const { rater, queueId, ...said } of ratings)
    await storage.saveRating(cell, said, { rater, ...(queueId !== undefined && { queueId }) })
}

async function importResults(run: RunResult, startedAt: number, storage: Storage): Promise<void> {
  // All of them come to an end first, so that none is written after the run was removed.
  const imported = await Promise.allSettled(run.results.map((result) => importCell(result, run.id, startedAt, storage)))
  for (const each of imported) if (each.status === 'rejected') throw each.reason
  await importQueues(storage, run)
}

/** Stores a run from elsewhere under its own id; one that is refused leaves nothing behind. */
export async function importRun(run: RunResult, storage: Storage, now: number): Promise<void> {
  if (await storage.loadRun(run.id))
    throw new InputError(`there is already a run ${run.id}; delete it first to import it again`)
  const { results, completedAt, status = 'completed', stopReason: _reason, startedAt = now, ...header } = run
  const cells = results.map(({ testCaseId, modelId }) => ({ testCaseId, modelId }))
  // A file must not decide where keys are sent, nor who pays for what was sent elsewhere.
  const { endpoint: _endpoint, startedBy: _person, project: _project, ...request } = requestOf(run)
  await storage.createRun({ ...header, kind: run.kind ?? 'suite', startedAt, request }, cells)
  try {
    await importResults(run, startedAt, storage)
    await storage.setRunStatus(run.id, status, { completedAt: completedAt ?? startedAt })
  } catch (error) {
    await removeRuns([run.id], storage)
    throw error
  }
}

/** Stores all of them or none. */
export async function importRuns(runs: readonly RunResult[], storage: Storage, now: number): Promise<void> {
  const imported: string[] = []
  try {
    for (const run of runs) {
      await importRun(run, storage, now)
      imported.push(run.id)
    }
  } catch (error) {
    await removeRuns(imported, storage)
    throw error
  }
}

/** Never rejects: why they are removed explains more. */
async function removeRuns(ids: readonly string[], storage: Storage): Promise<void> {
  await Promise.allSettled(ids.map((id) => storage.deleteRun(id)))
}

/** How long to wait for another process that imports the same file. */
const WAIT_MS = 60_000
const LOOK_EVERY_MS = 250

/** Runs made from one file. Their ids come from its content, so the same file is stored once. */
interface ImportedRuns {
  runs: RunResult[]
  seriesId?: string | undefined
}

async function keepOnce({ runs }: ImportedRuns, storage: Storage, now: number): Promise<boolean> {
  const stored = await storage.listRuns({ ids: runs.map(({ id }) => id) })
  if (stored.length === runs.length && stored.every(({ status }) => status !== 'running')) return false
  // An import that was killed half-way is done again.
  for (const { id } of stored) await storage.deleteRun(id)
  await importRuns(runs, storage, now)
  return true
}

/** Stores imported runs unless they are there already. Returns whether they are new. */
export async function keepImportedRuns(
  imported: ImportedRuns,
  { storage, clock }: { storage: Storage; clock: Clock },
): Promise<boolean> {
  const id = imported.seriesId ?? imported.runs[0]!.id
  const until = clock.now() + WAIT_MS
  for (;;) {
    try {
      return await withClaim(id, { storage, clock }, () => keepOnce(imported, storage, clock.now()))
    } catch (error) {
      if (!(error instanceof RunClaimed) || clock.now() > until) throw error
      await clock.sleep(LOOK_EVERY_MS)
    }
  }
}

/** True if another tool scored the answers: an imported run that was scored again here has scorers of its own. */
export function isScoredElsewhere({ kind, versions }: Pick<RunResult, 'kind' | 'versions'>): boolean {
  return kind === 'imported' && versions?.['answersOf'] === undefined
}

/** A run of another tool can be neither continued nor scored again by a suite that has no scorers. */
export function refuseImported(run: Pick<RunResult, 'id' | 'kind' | 'versions'>, advice: string): void {
  if (!isScoredElsewhere(run)) return
  throw new InputError(`run ${run.id} was imported from ${run.versions?.['importedFrom'] ?? 'another tool'}; ${advice}`)
}
