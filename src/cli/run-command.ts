import { setFlagsFromString } from 'node:v8'
import { InputError, toDollars, type RunResult, type Suite } from '../contract/index.ts'
import { checkExportFiles, createReport, formatRunJson, importSuite, writeReport } from '../formats/index.ts'
import { buildRequest, createEstimator, executeRun, planContestants, resumeRun, type EngineTools, type Price, type RunSettings } from '../services/index.ts'
import { composeApp, type App } from './compose.ts'
import { findSeries, findRun } from './find-run.ts'
import { checkGates } from './gates.ts'
import { createProgress, formatCost } from './progress.ts'
import { formatResults } from './results-text.ts'
import { readParameters, selectCases, type RunOptions } from './run-options.ts'
import { styleFor, type Terminal } from './terminal.ts'
import { cleanText, formatTable } from './text-table.ts'

export const EXIT_GATE_FAILED = 1
export const EXIT_MISSING = 3
export const EXIT_CANCELLED = 130

export const DEMO_MODELS = ['demo/good', 'demo/fair', 'demo/poor']

/**
 * A call leaves 60 KB of garbage. By itself Node would let it pile up to hundreds of megabytes, of which a tenth is in use;
 * to look sooner costs a tenth of a millisecond a call.
 */
function collectGarbageSooner(): void {
  // New objects get no more room than they have by now; it would grow to 128 MB.
  setFlagsFromString('--semi-space-growth-factor=1')
  // Percent that the rest may grow from one collection to the next.
  setFlagsFromString('--heap-growing-percent=10')
}

/** Raised by Ctrl-C; a second one ends the process at once. */
export function listenForCancel(terminal: Terminal): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController()
  const cancel = () => {
    if (controller.signal.aborted) process.exit(EXIT_CANCELLED)
    terminal.stderr.write('\nCancelling; what is finished is kept. Ctrl-C again ends at once.\n')
    controller.abort()
  }
  process.on('SIGINT', cancel)
  process.on('SIGTERM', cancel)
  return {
    signal: controller.signal,
    stop: () => {
      process.off('SIGINT', cancel)
      process.off('SIGTERM', cancel)
    },
  }
}

/** Prices are needed for a budget or an estimate; for anything else they are nice to have where they are told. */
export async function findPrices(app: App, models: readonly string[], isNeeded: boolean): Promise<Map<string, Price>> {
  const tellsPrices = (model: string) => ['demo', 'openrouter'].includes(app.clientFor(model).provider)
  if (isNeeded) return app.readPrices(models)
  return app.readPrices(models.filter(tellsPrices)).catch(() => new Map())
}

export function printDryRun(suite: Suite, settings: RunSettings, countTokens: (text: string) => number, repeat: number, terminal: Terminal): void {
  const contestants = planContestants(suite, settings.models, settings.parameters)
  const estimate = createEstimator(settings.prices, countTokens)
  const rows = contestants.map((contestant) => {
    const requests = suite.testCases.map((testCase) => buildRequest(testCase, contestant))
    const costs = requests.map(estimate)
    const isKnown = costs.every((cost) => cost !== undefined)
    const total = costs.reduce<bigint>((sum, cost) => sum + (cost ?? 0n), 0n)
    return [cleanText(contestant.id), String(requests.length * repeat), isKnown ? `at most ${formatCost(toDollars(total) * repeat)}` : 'unknown']
  })
  terminal.stdout.write(
    `${styleFor(terminal)('bold', cleanText(suite.name))} · nothing was sent\n\n${formatTable([{ title: 'Model' }, { title: 'Requests', align: 'right' }, { title: 'Cost', align: 'right' }], rows)}`,
  )
  const [first] = contestants
  const request = buildRequest(suite.testCases[0]!, first!)
  terminal.stdout.write(`\nThe first request:\n${JSON.stringify(request, null, 2)}\n`)
}

async function findBaseline(app: App, { baseline }: Pick<RunOptions, 'baseline'>): Promise<RunResult[] | undefined> {
  return baseline === undefined ? undefined : findSeries(await app.storage(), baseline)
}

interface Finished {
  runs: RunResult[]
  /** Found before the run: afterwards `latest` would be the run itself. */
  baseline: RunResult[] | undefined
  options: Pick<RunOptions, 'failUnder' | 'allowMissing' | 'out' | 'json'>
}

/** Prints, exports and judges what has been run; gives the exit code. */
async function finishRuns({ runs, baseline, options }: Finished, terminal: Terminal): Promise<number> {
  const { failUnder, allowMissing, out = [], json = false } = options
  const report = createReport(runs)
  terminal.stdout.write(json ? formatRunJson(report) : formatResults(report, terminal))
  await writeReport(report, out)
  for (const file of out) terminal.stderr.write(`wrote ${file}\n`)
  terminal.stderr.write(`\nRun ${runs.map(({ id }) => id).join(', ')}: benchmaker show ${runs.at(-1)!.id}\n`)

  const failures = checkGates(runs, { failUnder, baseline, allowMissing })
  for (const failure of failures) terminal.stderr.write(`gate failed: ${cleanText(failure)}\n`)
  if (runs.some(({ status }) => status === 'cancelled')) {
    terminal.stderr.write(`It was stopped before its end; go on with: benchmaker resume ${runs.at(-1)!.id}\n`)
    return EXIT_CANCELLED
  }
  if (runs.some(({ status }) => status === 'failed'))
    terminal.stderr.write(`The provider takes no request; mend that and go on with: benchmaker resume ${runs.at(-1)!.id}\n`)
  if (failures.length > 0) return EXIT_GATE_FAILED
  const isComplete = runs.every((run) => run.status === 'completed' && run.results.every(({ score }) => score))
  return isComplete ? 0 : EXIT_MISSING
}

/** What was stored is the suite that was given: one copy for all runs of a series, not one each. */
async function executeWithSuite(settings: RunSettings, tools: EngineTools): Promise<RunResult> {
  return { ...(await executeRun(settings, tools)), testSuiteSnapshot: settings.suite }
}

/** `benchmaker run SUITE` */
export async function runSuite(suiteFile: string, options: RunOptions, terminal: Terminal): Promise<number> {
  collectGarbageSooner()
  checkExportFiles(options.out ?? [])
  const { suite: whole, warnings } = await importSuite(suiteFile)
  for (const warning of warnings) terminal.stderr.write(`warning: ${cleanText(warning)}\n`)
  const suite = selectCases(whole, options)
  const models = options.models ?? DEMO_MODELS
  if (!options.models) terminal.stderr.write(`No --models given: asking the simulated ${models.join(', ')}. No real model is asked.\n`)

  const app = composeApp(options)
  const cancel = listenForCancel(terminal)
  try {
    const baseline = await findBaseline(app, options)
    const isPriceNeeded = options.maxCost !== undefined || options.dryRun === true
    const prices = await findPrices(app, [...models, ...(options.judge ?? [])], isPriceNeeded)
    const tools = await app.engineTools({ countsTokens: isPriceNeeded })
    const settings: RunSettings = {
      suite,
      models,
      client: app.clientFor,
      parameters: readParameters(options),
      judgeModelId: options.judge,
      concurrency: options.concurrency,
      timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
      maxCost: options.maxCost,
      prices,
      signal: cancel.signal,
    }
    if (options.dryRun) {
      printDryRun(suite, settings, tools.countTokens, options.repeat, terminal)
      return 0
    }
    const seriesId = options.repeat > 1 ? tools.createId() : undefined
    const runs: RunResult[] = []
    for (let index = 0; index < options.repeat && !cancel.signal.aborted; index++) {
      const label = options.repeat > 1 ? `run ${index + 1} of ${options.repeat} ` : ''
      const { onEvent } = createProgress(terminal, label)
      const client = app.clientsOfRun(index, { cache: options.cache === true })
      runs.push(await executeWithSuite({ ...settings, client, onEvent, seriesId }, tools))
      if (runs.at(-1)!.status !== 'completed') break
    }
    return await finishRuns({ runs, baseline, options }, terminal)
  } finally {
    cancel.stop()
    await app.close()
  }
}

export type ResumeOptions = Pick<RunOptions, 'concurrency' | 'timeout' | 'maxCost' | 'baseUrl' | 'failUnder' | 'baseline' | 'allowMissing' | 'out' | 'json' | 'data'>

/** The models that were chosen, without the variants they were run with. */
function plainModels({ models, testSuiteSnapshot }: RunResult): string[] {
  const variants = testSuiteSnapshot?.variants ?? []
  const strip = (model: string) => {
    const variant = variants.find(({ name }) => model.endsWith(`@${name}`))
    return variant ? model.slice(0, -variant.name.length - 1) : model
  }
  return [...new Set(models.map(strip))]
}

/** `benchmaker resume RUN` */
export async function resumeStored(name: string, options: ResumeOptions, terminal: Terminal): Promise<number> {
  collectGarbageSooner()
  const app = composeApp(options)
  const cancel = listenForCancel(terminal)
  try {
    const stored = await findRun(await app.storage(), name)
    const baseline = await findBaseline(app, options)
    const suite = stored.testSuiteSnapshot
    if (!suite) throw new InputError(`run ${stored.id} was stored without its suite, so it cannot be gone on with`)
    const models = plainModels(stored)
    const judges = stored.judgeModel?.split(',')
    const prices = await findPrices(app, [...models, ...(judges ?? [])], options.maxCost !== undefined)
    const { onEvent } = createProgress(terminal, '')
    const resumed = await resumeRun(
      stored.id,
      {
        suite,
        models,
        client: app.clientFor,
        parameters: stored.parameters,
        judgeModelId: judges,
        concurrency: options.concurrency,
        timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
        maxCost: options.maxCost,
        prices,
        signal: cancel.signal,
        onEvent,
      },
      await app.engineTools({ countsTokens: options.maxCost !== undefined }),
    )
    const { asked, scored, retried, run } = resumed
    terminal.stderr.write(`Resumed ${run.id}: ${asked} asked (${retried} of them had ended in error), ${scored} stored answers scored.\n`)
    return await finishRuns({ runs: [run], baseline, options }, terminal)
  } finally {
    cancel.stop()
    await app.close()
  }
}
