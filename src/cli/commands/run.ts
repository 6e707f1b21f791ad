import { InputError, type RunResult } from '../../contract/index.ts'
import { importSuite } from '../../import/suite-files/recognise-suite.ts'
import { executeRun, resumeRun, type Price, type RunEvent, type RunSettings } from '../../services/index.ts'
import { composeApp, type App } from '../compose.ts'
import { EXIT_CANCELLED } from '../output/exit-codes.ts'
import { findRun, findSeries } from './find-run.ts'
import { createProgress } from '../output/progress.ts'
import { recallEndpoint, rememberEndpoint } from './run-endpoint.ts'
import { readParameters, selectCases, type RunOptions } from '../options/run-options.ts'
import { printWarnings } from '../output/print-warnings.ts'
import type { Terminal } from '../output/terminal.ts'

export const DEMO_MODELS = ['demo/good', 'demo/fair', 'demo/poor']

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

async function findBaseline(app: App, { baseline }: Pick<RunOptions, 'baseline'>): Promise<RunResult[] | undefined> {
  return baseline === undefined ? undefined : findSeries(await app.storage(), baseline)
}

/** What is exported has the answers in it; for the table they need not be read again. */
function needsTexts({ json = false, out = [] }: Pick<RunOptions, 'json' | 'out'>): boolean {
  return json || out.length > 0
}

async function checkOutFiles(files: readonly string[] = []): Promise<void> {
  if (files.length > 0) await (await import('../output/report-files.ts')).checkExportFiles(files)
}

const loadFinish = () => import('../output/finish-runs.ts')

/** `benchmaker run SUITE` */
export async function runSuite(suiteFile: string, options: RunOptions, terminal: Terminal): Promise<number> {
  await checkOutFiles(options.out)
  const { suite: whole, warnings } = await importSuite(suiteFile)
  printWarnings(warnings, terminal)
  const suite = selectCases(whole, options)
  const models = options.models ?? DEMO_MODELS
  if (!options.models)
    terminal.stderr.write(`No --models given: asking the simulated ${models.join(', ')}. No real model is asked.\n`)

  const app = await composeApp(options)
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
      combineJudges: options.combine,
      concurrency: options.concurrency,
      timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
      maxCost: options.maxCost,
      prices,
      textsInResult: needsTexts(options),
      signal: cancel.signal,
    }
    if (options.dryRun) {
      const { planDryRun, printDryRun } = await import('../output/dry-run.ts')
      printDryRun(planDryRun(settings, tools, options.repeat), options, terminal)
      return 0
    }
    const seriesId = options.repeat > 1 ? tools.createId() : undefined
    const runs: RunResult[] = []
    for (let index = 0; index < options.repeat && !cancel.signal.aborted; index++) {
      const label = options.repeat > 1 ? `run ${index + 1} of ${options.repeat} ` : ''
      const progress = createProgress(terminal, label)
      let remembered: Promise<void> | undefined
      const onEvent = (event: RunEvent) => {
        if (event.type === 'run-started') remembered = rememberEndpoint(tools.storage, event.runId, options.baseUrl)
        progress.onEvent(event)
      }
      const client = app.clientsOfRun(index, { cache: options.cache === true })
      runs.push(await executeRun({ ...settings, client, onEvent, seriesId }, tools))
      await remembered
      if (runs.at(-1)!.status !== 'completed') break
    }
    const { finishRuns } = await loadFinish()
    return await finishRuns(
      { runs, baseline, options, hasTexts: needsTexts(options), storage: tools.storage },
      terminal,
    )
  } finally {
    cancel.stop()
    await app.close()
  }
}

export type ResumeOptions = Pick<
  RunOptions,
  | 'combine'
  | 'concurrency'
  | 'timeout'
  | 'maxCost'
  | 'baseUrl'
  | 'failUnder'
  | 'baseline'
  | 'allowMissing'
  | 'out'
  | 'json'
  | 'data'
>

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
  await checkOutFiles(options.out)
  let app = await composeApp(options)
  const cancel = listenForCancel(terminal)
  try {
    const stored = await findRun(await app.storage(), name, { texts: false })
    const baseUrl = options.baseUrl ?? (await recallEndpoint(await app.storage(), stored.id))
    if (baseUrl !== options.baseUrl) {
      await app.close()
      app = await composeApp({ ...options, baseUrl })
    }
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
        combineJudges: options.combine,
        concurrency: options.concurrency,
        timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
        maxCost: options.maxCost,
        seriesId: stored.seriesId,
        prices,
        textsInResult: needsTexts(options),
        signal: cancel.signal,
        onEvent,
      },
      await app.engineTools({ countsTokens: options.maxCost !== undefined }),
    )
    const { asked, scored, retried, run } = resumed
    terminal.stderr.write(
      `Resumed ${run.id}: ${asked} asked (${retried} of them had ended in error), ${scored} stored answers scored.\n`,
    )
    const { finishRuns } = await loadFinish()
    return await finishRuns(
      { runs: [run], baseline, options, hasTexts: needsTexts(options), storage: await app.storage() },
      terminal,
    )
  } finally {
    cancel.stop()
    await app.close()
  }
}
