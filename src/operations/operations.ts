import type { RunEvent } from '../services/index.ts'
import { createLogger, readLogSettings, type Logger } from './logger.ts'
import { logRuns } from './log-runs.ts'
import { isTelemetryEnabled } from './enabled.ts'

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
