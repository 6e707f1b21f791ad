import { hostname } from 'node:os'
import { programVersion, InputError, type WorkQueue } from '../../../contract/index.ts'
import { formatCount } from '../../../report/words/index.ts'
import { runWorker, type WorkerReport } from '../../../services/index.ts'
import { createHealth } from '../../../operations/health.ts'
import { startHealthServer, type HealthServer } from '../../../operations/health-server.ts'
import { composeOperations } from '../../compose-operations.ts'
import { composeApp, readVersions } from '../../compose.ts'
import { listenForEnd } from '../../output/end-signals.ts'
import { EXIT_BAD_INPUT } from '../../output/exit-codes.ts'
import { printWarnings } from '../../output/notice.ts'
import type { Terminal } from '../../output/terminal.ts'
import { cleanText } from '../../output/text-table.ts'

export interface WorkerOptions {
  concurrency: number
  name?: string
  grace: number
  healthPort?: number
  data?: string
}

/** At most one line a lease. */
function describeReport(report: WorkerReport): string {
  switch (report.type) {
    case 'away':
      return report.error.message
    case 'refused':
      return `This worker cannot work on run ${report.runId}: ${report.problem.replace(/\.$/, '')}. Other workers may; this one tries again in 30 s.`
    case 'lost':
      return `Run ${report.work.runId}: dropped a part; it was stopped, or another worker has taken it over.`
    case 'given up':
      return `Run ${report.work.runId}: failed, because ${report.trouble.losses} workers ended while they worked on the same part.`
    case 'handed back':
      return `Run ${report.work.runId}: handed back the rest of a part.`
    case 'stopped':
      return `Run ${report.work.runId}: stopped, ${report.stop.reason === 'budget' ? 'its budget is spent' : 'the provider rejects every request'}.`
    case 'done':
      return report.work.kind === 'cells'
        ? `Run ${report.work.runId}: ${formatCount(report.work.testCaseIds.length, 'test case')} done.`
        : `Run ${report.work.runId}: completed.`
  }
}

function refuseVersion(needed: string, { version, place }: WorkQueue): string {
  const [own, other] = [programVersion(version), programVersion(needed)]
  const what = own === other ? 'the same version with other tables' : `version ${other}`
  return `${place} is used by Benchmaker ${other}, and this worker is ${own}: start a worker of ${what}. Nothing was taken from the queue.`
}

/** `benchmaker worker` */
export async function work(
  options: WorkerOptions,
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  if (!env['BENCHMAKER_DATABASE_URL'])
    throw new InputError(
      'a worker needs the PostgreSQL database of its team server; set BENCHMAKER_DATABASE_URL to postgres://…',
    )
  const { concurrency, name = hostname(), grace } = options
  const operations = await composeOperations(env, terminal)
  const { logger } = operations
  const log = (line: string) => {
    if (logger) logger.log('info', 'note', { message: line })
    else terminal.stderr.write(`${cleanText(line)}\n`)
  }
  const warn = (warning: string) => (logger ? log(warning) : printWarnings([warning], terminal))
  const app = await composeApp({ data: options.data, warn }, env).catch(async (error: unknown) => {
    logger?.log('error', 'start failed', {}, error)
    await operations.close()
    throw error
  })
  const health = createHealth({ readVersions: () => readVersions(app.dataFolder, env), now: Date.now })
  let healthServer: HealthServer | undefined
  const controller = new AbortController()
  const stopListening = listenForEnd(() => {
    health.stop()
    log(`Stopping; answers that arrive within ${grace} s are kept, and other workers take the rest.`)
    controller.abort()
  })
  try {
    if (options.healthPort !== undefined) healthServer = await startHealthServer(health, { port: options.healthPort })
    const queue = (await app.queue())!
    const tools = await app.runTools()
    const needed = await queue.findOtherVersion()
    if (needed !== undefined) {
      log(refuseVersion(needed, queue))
      return EXIT_BAD_INPUT
    }
    const member = await queue.join({ kind: 'worker', name, concurrency })
    log(
      `Benchmaker ${programVersion(queue.version)}: worker ${name} takes up to ${formatCount(concurrency, 'request')} at once from ${queue.place.replace(/^The /, 'the ')}.`,
    )
    let lastLine = ''
    const onReport = (report: WorkerReport) => {
      const line = describeReport(report)
      // An unavailable database is worth one line, not one every two seconds.
      if (report.type !== 'away' || line !== lastLine) log(line)
      lastLine = line
    }
    const end = await runWorker({
      queue,
      tools,
      concurrency,
      signal: controller.signal,
      graceMs: grace * 1000,
      onReport,
      renewSettings: () => app.renewSettings(),
      onEvent: operations.onRunEvent,
    }).finally(() => member.leave())
    if (end.neededVersion === undefined) return 0
    log(refuseVersion(end.neededVersion, queue))
    return EXIT_BAD_INPUT
  } finally {
    await app.close().catch((error: Error) => log(error.message))
    await healthServer?.close()
    await operations.close()
    stopListening()
  }
}
