import { open, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { InputError, type RunResult, type RunSummary } from '../contract/index.ts'
import { createReport, formatReport, formatRunJson, formatSuiteYaml, importSuite, loadRunFile, writeReport } from '../formats/index.ts'
import { importRun, rescoreRun } from '../services/index.ts'
import { composeApp, type AppOptions } from './compose.ts'
import { findRun, findSeries } from './find-run.ts'
import { formatCost } from './progress.ts'
import { formatResults } from './results-text.ts'
import { styleFor, type Terminal } from './terminal.ts'
import { cleanText, formatTable, shorten } from './text-table.ts'

interface StoredOptions extends AppOptions {
  json?: boolean
}

/** Opens the stored runs for the length of one command. */
async function withApp<T>(options: AppOptions, work: (app: ReturnType<typeof composeApp>) => Promise<T>): Promise<T> {
  const app = composeApp(options)
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace('T', ' ')
}

function describeRow({ id, startedAt, testSuiteName = '', models, status, cells, cost, unknownCosts }: RunSummary, columns: number): string[] {
  const missing = cells.unscored + cells.errors
  return [
    id,
    formatTime(startedAt),
    shorten(cleanText(testSuiteName), Math.max(12, columns - 90)),
    String(models.length),
    `${cells.scored}/${cells.total}`,
    String(missing),
    unknownCosts > 0 && cost === 0 ? 'unknown' : `${formatCost(cost)}${unknownCosts > 0 ? '+?' : ''}`,
    status,
  ]
}

/** `benchmaker list` */
export function listRuns(options: StoredOptions & { limit?: number }, terminal: Terminal): Promise<number> {
  return withApp(options, async (app) => {
    const runs = await (await app.storage()).listRuns({ limit: options.limit ?? 50 })
    if (options.json) terminal.stdout.write(`${JSON.stringify({ runs }, null, 2)}\n`)
    else if (runs.length === 0) terminal.stdout.write('No runs yet. Make one with: benchmaker run SUITE\n')
    else
      terminal.stdout.write(
        formatTable(
          [{ title: 'Run' }, { title: 'Started (UTC)' }, { title: 'Suite' }, { title: 'Models', align: 'right' }, { title: 'Scored', align: 'right' }, { title: 'Missing', align: 'right' }, { title: 'Cost', align: 'right' }, { title: 'Status' }],
          runs.map((run) => describeRow(run, terminal.columns)),
        ),
      )
    return 0
  })
}

function printRuns(runs: RunResult[], { json = false }: StoredOptions, terminal: Terminal): number {
  const report = createReport(runs)
  terminal.stdout.write(json ? formatRunJson(report) : formatResults(report, terminal))
  return 0
}

function formatCases(runs: RunResult[], terminal: Terminal): string {
  const style = styleFor(terminal)
  return runs
    .flatMap(({ results }) => results)
    .map(({ testCaseId, modelId, score, unscored, error, response = '' }) => {
      const mark = score ? (score.score * 100).toFixed(0).padStart(3) : '  –'
      const why = score?.notes ?? unscored?.message ?? error ?? ''
      const answer = shorten(cleanText(response.trim()), Math.max(20, terminal.columns - 8))
      return `${style('bold', mark)}  ${cleanText(testCaseId)} · ${cleanText(modelId)}\n     ${answer}\n     ${style('dim', shorten(cleanText(why), terminal.columns - 8))}\n`
    })
    .join('')
}

/** `benchmaker show RUN` */
export function showRun(name: string, options: StoredOptions & { cases?: boolean }, terminal: Terminal): Promise<number> {
  return withApp(options, async (app) => {
    const runs = await findSeries(await app.storage(), name)
    printRuns(runs, options, terminal)
    if (options.cases && !options.json) terminal.stdout.write(`\n${formatCases(runs, terminal)}`)
    return 0
  })
}

/** Deleting paid answers is asked about; where nobody can be asked, `--yes` must say so. */
async function confirmDeletion(run: RunResult, isConfirmed: boolean, terminal: Terminal): Promise<boolean> {
  if (isConfirmed) return true
  if (!process.stdin.isTTY) throw new InputError(`run ${run.id} has ${run.results.length} answers; add --yes to delete it`)
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await prompt.question(`Delete run ${run.id} with ${run.results.length} answers? [y/N] `)
  prompt.close()
  if (/^y(es)?$/i.test(answer.trim())) return true
  terminal.stderr.write('Kept.\n')
  return false
}

/** `benchmaker delete RUN` */
export function deleteRun(name: string, options: StoredOptions & { yes?: boolean }, terminal: Terminal): Promise<number> {
  return withApp(options, async (app) => {
    const storage = await app.storage()
    const run = await findRun(storage, name)
    if (!(await confirmDeletion(run, options.yes === true, terminal))) return 0
    await storage.deleteRun(run.id)
    terminal.stderr.write(`Deleted run ${run.id}.\n`)
    return 0
  })
}

/** Runs side by side: a model that is in several of them counts as one contestant for each. */
function mergeRuns(series: RunResult[][]): RunResult[] {
  const counts = new Map<string, number>()
  for (const runs of series) for (const model of new Set(runs.flatMap((run) => run.models))) counts.set(model, (counts.get(model) ?? 0) + 1)
  return series.flatMap((runs) => {
    const label = (model: string) => ((counts.get(model) ?? 0) > 1 ? `${model} · ${runs[0]!.seriesId ?? runs[0]!.id}` : model)
    return runs.map((run) => ({
      ...run,
      models: run.models.map(label),
      results: run.results.map((result) => ({ ...result, modelId: label(result.modelId) })),
    }))
  })
}

/** `benchmaker compare RUN…` */
export function compareRuns(names: string[], options: StoredOptions, terminal: Terminal): Promise<number> {
  return withApp(options, async (app) => {
    const storage = await app.storage()
    const series: RunResult[][] = []
    for (const name of names) series.push(await findSeries(storage, name))
    return printRuns(mergeRuns(series), options, terminal)
  })
}

/** `benchmaker export RUN` */
export function exportRun(name: string, options: StoredOptions & { out?: string[]; format?: string }, terminal: Terminal): Promise<number> {
  return withApp(options, async (app) => {
    const runs = await findSeries(await app.storage(), name)
    const report = createReport(runs)
    const { out = [], format = 'json' } = options
    if (out.length === 0) terminal.stdout.write(formatReport(report, format))
    await writeReport(report, out)
    for (const file of out) terminal.stderr.write(`wrote ${file}\n`)
    return 0
  })
}

/** `benchmaker import FILE`: runs are stored, a suite of another kind is written as YAML. */
export async function importFile(file: string, options: StoredOptions & { out?: string; keepUnchecked?: boolean }, terminal: Terminal): Promise<number> {
  return (await holdsRuns(file)) ? importRuns(file, options, terminal) : convertSuite(file, options, terminal)
}

async function convertSuite(file: string, { out, keepUnchecked = false }: { out?: string; keepUnchecked?: boolean }, terminal: Terminal): Promise<number> {
  const { suite, warnings, suggestedModels } = await importSuite(file, { keepUnchecked })
  for (const warning of warnings) terminal.stderr.write(`warning: ${cleanText(warning)}\n`)
  const text = formatSuiteYaml(suite)
  if (out === undefined) terminal.stdout.write(text)
  else await writeFile(out, text, { flag: 'wx' }).catch((error: Error) => {
    throw new InputError(`${out} was not written: ${error.message}`, { cause: error })
  })
  const models = suggestedModels?.length ? ` --models ${suggestedModels.join(',')}` : ''
  terminal.stderr.write(`${suite.testCases.length} cases. Run them with: benchmaker run ${out ?? file}${cleanText(models)}\n`)
  return 0
}

/** A JSON export begins with its runs; everything else is taken for a suite, whose reader says what it looked for. */
async function holdsRuns(file: string): Promise<boolean> {
  if (extname(file).toLowerCase() !== '.json') return false
  const handle = await open(file).catch(() => undefined)
  if (!handle) return false
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(200) })
  await handle.close()
  return /^\s*\{\s*"runs"\s*:/.test(buffer.toString('utf8', 0, bytesRead))
}

function importRuns(file: string, options: StoredOptions, terminal: Terminal): Promise<number> {
  return withApp(options, async (app) => {
    const runs = await loadRunFile(file)
    const storage = await app.storage()
    for (const run of runs) await importRun(run, storage, Date.now())
    terminal.stderr.write(`Imported ${runs.map(({ id }) => id).join(', ')}.\n`)
    return 0
  })
}

export interface RescoreOptions extends StoredOptions {
  suite?: string
  judge?: string[]
}

/** `benchmaker rescore RUN` */
export function rescoreStored(name: string, options: RescoreOptions, terminal: Terminal): Promise<number> {
  return withApp(options, async (app) => {
    const stored = await findRun(await app.storage(), name)
    const suite = options.suite === undefined ? stored.testSuiteSnapshot : (await importSuite(options.suite)).suite
    if (!suite) throw new InputError(`run ${stored.id} was stored without its suite; name one with --suite`)
    const judges = options.judge ?? stored.judgeModel?.split(',')
    const run = await rescoreRun(
      stored.id,
      { suite: { ...suite, variants: undefined }, models: stored.models, client: app.clientFor, judgeModelId: judges },
      await app.engineTools(),
    )
    return printRuns([{ ...run, testSuiteSnapshot: suite }], options, terminal)
  })
}
