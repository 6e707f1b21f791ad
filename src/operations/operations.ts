import type { RunEvent } from '../services/index.ts'
import { createLogger, readLogSettings, type Logger } from './logger.ts'
import { isTelemetryEnabled } from './enabled.ts'
import { toDollars, toMoney, type Money } from '../contract/index.ts'

/** What has happened in a run since it started here. */
interface Tally {
  startedAt: number
  scored: number
  unscored: number
  failed: number
  requests: number
  failedRequests: number
  inputTokens: number
  outputTokens: number
  cost: Money
}

const emptyTally = (startedAt: number): Tally => ({
  startedAt,
  scored: 0,
  unscored: 0,
  failed: 0,
  requests: 0,
  failedRequests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: 0n,
})

/** Logs when runs start and finish, and what stopped them: ids and numbers, never texts. */
function logRuns(logger: Logger, now: () => number): (event: RunEvent) => void {
  const tallies = new Map<string, Tally>()

  return (event) => {
    switch (event.type) {
      case 'run-started': {
        const { run, runNumber, runsPlanned, cells, open } = event
        tallies.set(run.id, emptyTally(now()))
        logger.log('info', 'run started', {
          run: run.id,
          series: run.seriesId,
          suite: run.testSuiteId,
          models: run.models.join(','),
          number: runNumber,
          of: runsPlanned,
          cells,
          open,
        })
        return
      }
      case 'attempt-ended': {
        const { attempt, end } = event
        const tally = tallies.get(attempt.runId)
        const isFailed = end.outcome === 'error' || end.outcome === 'timeout'
        if (tally) {
          tally.requests++
          if (isFailed) tally.failedRequests++
          tally.inputTokens += end.promptTokens ?? 0
          tally.outputTokens += end.completionTokens ?? 0
          tally.cost += toMoney(end.cost ?? 0)
        }
        logger.log(isFailed ? 'warn' : 'debug', isFailed ? 'request failed' : 'request ended', {
          run: attempt.runId,
          case: attempt.testCaseId,
          model: attempt.modelId,
          outcome: end.outcome,
          status: end.httpStatus,
          ms: end.latencyMs === undefined ? undefined : Math.round(end.latencyMs),
        })
        return
      }
      case 'cell-scored': {
        const tally = tallies.get(event.cell.runId)
        if (tally) tally['unscored' in event.score ? 'unscored' : 'scored']++
        return
      }
      case 'cell-failed': {
        const tally = tallies.get(event.cell.runId)
        if (tally) tally.failed++
        return
      }
      case 'budget-reached':
        logger.log('warn', 'budget reached', { spent: event.spent, assumed: event.assumed })
        return
      case 'run-waiting':
        if (event.reason !== undefined) logger.log('warn', 'run waits', { run: event.runId, reason: event.reason })
        return
      case 'provider-refused':
        logger.log('warn', 'provider refuses all requests', event.models && { models: event.models.join(',') })
        return
      case 'run-finished': {
        const { startedAt, cost, ...counts } = tallies.get(event.runId) ?? emptyTally(now())
        tallies.delete(event.runId)
        const level = event.status === 'failed' ? 'error' : 'info'
        logger.log(level, 'run finished', {
          run: event.runId,
          status: event.status,
          ms: now() - startedAt,
          ...counts,
          cost: toDollars(cost),
        })
      }
    }
  }
}

export interface OperationsOptions {
  env: Readonly<Record<string, string | undefined>>
  version: string
  write(line: string): unknown
  /** Removes keys and passwords from a text. */
  redact(text: string): string
  now(): number
}

/** What a process tells those who look after it. */
export interface Operations {
  /** Undefined if no log is wanted. */
  logger: Logger | undefined
  /** Logs and traces what runs do. */
  onRunEvent(event: RunEvent): void
  /** Sends what was collected; never waits long. */
  close(): Promise<void>
}

/** Opens the log and the telemetry that the environment asks for; both are optional. */
export async function startOperations(options: OperationsOptions): Promise<Operations> {
  const { env, version, now } = options
  const settings = readLogSettings(env)
  const logger = settings && createLogger({ ...settings, ...options })
  const listeners: ((event: RunEvent) => void)[] = logger ? [logRuns(logger, now)] : []
  let close = async () => {}
  if (isTelemetryEnabled(env)) {
    const { startTelemetry } = await import('./telemetry.ts')
    const telemetry = startTelemetry({ env, version })
    listeners.push(telemetry.onRunEvent)
    close = telemetry.close
  }
  return {
    logger,
    onRunEvent: (event) => listeners.forEach((listen) => listen(event)),
    close,
  }
}
