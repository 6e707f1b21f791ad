import { createInterface } from 'node:readline/promises'
import { whereRunning, InputError, type InspectPage, type RunResult, type Storage } from '../../../contract/index.ts'
import { importSuite } from '../../../import/index.ts'
import { makeRunDocument } from '../../../report/formats/json.ts'
import { hideNames, leaveOutPages } from '../../../report/model/arena/arena-report.ts'
import {
  buildReport,
  findFormat,
  findFormatOfFile,
  prepareForSharing,
  writeReport,
  type Report,
} from '../../../report/index.ts'
import { toShare } from '../../options/run-options.ts'
import { sharingOf, type SharingFlags } from '../../options/sharing-options.ts'
import { formatCount } from '../../../report/words/index.ts'
import { writeReportFiles } from '../../output/report-files.ts'
import {
  areArenaRuns,
  attachQueues,
  deleteRun as deleteRunAndVotes,
  findActivity,
  findStandings,
  loadArenaReport,
  rescoreRun,
} from '../../../services/index.ts'
import { composeApp, type App, type AppOptions } from '../../compose.ts'
import { drawLabel } from '../../output/results/label-text.ts'
import { countRunsNotStarted, findCost, findRunIds, findResult } from './find-run.ts'
import { EXIT_CANCELLED, EXIT_MISSING } from '../../output/exit-codes.ts'
import { areComplete } from '../../output/finish-runs.ts'
import { printNotice, printWarnings } from '../../output/notice.ts'
import { printRest } from '../../output/finish-runs.ts'
import { drawAnswers, drawCases, drawFailedAnswers } from '../../output/results/answers-text.ts'
import { drawResults, listSections, printResults, type ResultsTextOptions } from '../../output/results/results-text.ts'
import type { ReadingOptions } from '../../options/reading-options.ts'
import { withRun } from '../run.ts'
import { printDocument, printForPeople, printJson, type Terminal } from '../../output/terminal.ts'
import { refuseFormatOfFiles } from '../../options/out-files.ts'
import { cleanText } from '../../output/text-table.ts'

export interface StoredOptions extends AppOptions {
  json?: boolean
  /** In points. */
  smallestDifference?: number
  /** In points. */
  sameWithin?: number
  reference?: string
  /** Counts ratings that no queue drew, too. */
  allRatings?: boolean
}

/** Opens the app for one command. */
export async function withApp<T>(options: AppOptions, work: (app: App) => Promise<T>): Promise<T> {
  const app = await composeApp(options)
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

/** For commands that only read: a database on a read-only disk will do, but not a damaged one. */
export async function withData<T>(
  { damaged = false, ...options }: AppOptions & { damaged?: boolean },
  work: (storage: Storage, app: App) => Promise<T>,
): Promise<T> {
  const app = await composeApp(options, process.env, { isReadOnlyAllowed: true })
  try {
    if (!damaged) await app.refuseDamaged()
    return await work(await app.storage(), app)
  } finally {
    await app.close()
  }
}

/** The report of stored runs with their total cost. */
export async function buildStored(
  runs: RunResult[],
  {
    storage,
    smallestDifference,
    sameWithin,
    reference,
    allRatings,
    ...flags
  }: Pick<StoredOptions, 'smallestDifference' | 'sameWithin' | 'reference' | 'allRatings'> &
    SharingFlags & { storage: Storage },
): Promise<Report> {
  const [activity, drawn] = await Promise.all([
    findActivity(runs, { storage, now: storage.now() }),
    attachQueues(storage, runs),
  ])
  const interrupted = [...activity].flatMap(([id, { state }]) => (state === 'interrupted' ? [id] : []))
  const sharing = sharingOf(flags)
  const shared = prepareForSharing({ runs: drawn, calibrations: await findStandings(runs, storage) }, sharing)
  const positions = new Map(runs.map(({ id }, index) => [id, index]))
  return buildReport(shared.runs, {
    // A total would say what the models cost.
    ...(!sharing.isAnonymous && { cost: await findCost(storage, runs) }),
    smallestDifference: toShare(smallestDifference),
    sameWithin: toShare(sameWithin),
    reference: reference === undefined ? undefined : shared.nameOf(reference),
    interrupted: new Set(interrupted.map((id) => shared.runs[positions.get(id)!]!.id)),
    runsNotStarted: countRunsNotStarted(runs),
    calibrations: shared.calibrations,
    prompts: shared.prompts,
    countAllRatings: allRatings,
  })
}

/** Prints stored runs with their total cost. */
async function printRuns(
  runs: RunResult[],
  options: StoredOptions & { storage: Storage },
  terminal: Terminal,
): Promise<number> {
  const report = await buildStored(runs, options)
  printResults(report, options, terminal)
  return 0
}

export interface ShowOptions extends StoredOptions, Pick<ResultsTextOptions, 'output' | 'pairs'> {
  /** Every answer. */
  cases?: boolean
  failed?: boolean
  /** Ids, categories or tags of cases. */
  case?: string[]
  model?: string
  styleControl?: boolean
}

/** `benchmaker show RUN` */
export function showRun(name: string, options: ShowOptions, terminal: Terminal): Promise<number> {
  const { cases, failed, case: names, model } = options
  return withData(options, async (storage) => {
    const runs = await findResult(storage, name)
    const report = await buildStored(runs, { ...options, storage })
    if (!options.json && (failed === true || names !== undefined || model !== undefined)) {
      const drawn =
        names === undefined
          ? drawFailedAnswers(report, { model, isFull: options.output === 'full' }, terminal)
          : drawCases(report, { names, model }, terminal)
      terminal.stdout.write(drawn)
      return 0
    }
    const activity = await findActivity(runs, { storage, now: storage.now() })
    if (options.json) printJson({ ...makeRunDocument(report), activity: Object.fromEntries(activity) }, terminal)
    const label = drawLabel(runs[0]?.label, terminal)
    const drawn = { ...options, ...listSections(report) }
    printForPeople((room) => label + drawResults(report, room, drawn), options, terminal)
    for (const [id, { state, workedOnBy }] of activity)
      if (workedOnBy) printNotice(`Run ${id} is running ${cleanText(whereRunning(workedOnBy))}.`, terminal)
      else if (state === 'interrupted')
        printNotice(`Run ${id} was interrupted. Next: benchmaker resume ${id}`, terminal)
    if (runs.some(({ status }) => status === 'cancelled')) printRest(runs, terminal)
    if (cases && !options.json) terminal.stdout.write(`\n${drawAnswers(report, terminal)}`)
    return 0
  })
}

/** Asks before deleting paid answers; without a terminal, `--yes` is required. */
async function confirmDeletion(
  named: string,
  content: string,
  { isConfirmed, terminal }: { isConfirmed: boolean; terminal: Terminal },
): Promise<boolean> {
  if (isConfirmed) return true
  if (!process.stdin.isTTY) throw new InputError(`${named} has ${content}; add --yes to delete it`)
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await prompt.question(`Delete ${cleanText(named)} with ${content}? [y/N] `)
  prompt.close()
  if (/^y(es)?$/i.test(answer.trim())) return true
  terminal.stderr.write('Kept.\n')
  return false
}

/** `benchmaker delete RUN` */
export function deleteRun(
  name: string,
  options: StoredOptions & { yes?: boolean },
  terminal: Terminal,
): Promise<number> {
  return withApp(options, async (app) => {
    const storage = await app.storage()
    const ids = await findRunIds(storage, name)
    const runs = await storage.listRuns({ ids })
    const activity = await findActivity(runs, { storage, now: storage.now() })
    for (const [id, { workedOnBy }] of activity)
      if (workedOnBy)
        throw new InputError(
          `run ${id} is running ${whereRunning(workedOnBy)}; wait for it, or stop that process first`,
        )
    const isSeries = ids.length > 1
    const named = isSeries ? `series ${name}` : `run ${ids[0]}`
    const answers = formatCount(
      runs.reduce((sum, { cells }) => sum + cells.total, 0),
      'answer',
    )
    const content = isSeries ? `${formatCount(ids.length, 'run')} with ${answers}` : answers
    const deleted: string[] = []
    if (await confirmDeletion(named, content, { isConfirmed: options.yes === true, terminal }))
      for (const id of ids) if (await deleteRunAndVotes(storage, id)) deleted.push(id)
    if (deleted.length > 0) terminal.stderr.write(`Deleted ${cleanText(named)}.\n`)
    if (options.json) printJson({ deleted }, terminal)
    return 0
  })
}

export interface ExportOptions extends StoredOptions, SharingFlags {
  out?: string[]
  format?: string
  damaged?: boolean
  withoutNames?: boolean
}

/** The pages of Code Arena runs, if a file with pictures is to be written. */
async function loadPages(
  runs: RunResult[],
  { out = [], format, withoutNames = false, anonymous, texts }: ExportOptions,
  { storage, inspectPage }: { storage: Storage; inspectPage: InspectPage },
): Promise<Pick<Report, 'arena'>> {
  const isHtml = (file: string) => findFormatOfFile(file)?.name === 'html'
  const canShow = areArenaRuns(runs) && (out.some(isHtml) || findFormat(format ?? '')?.name === 'html')
  if (!canShow && withoutNames)
    throw new InputError('--without-names is for the HTML file of a Code Arena run; other files would show the names')
  if (!canShow) return {}
  if (withoutNames && !out.every(isHtml))
    throw new InputError('--without-names is for HTML files only; other files would show the names')
  const arena = await loadArenaReport(runs, { storage, inspectPage, takesPictures: true })
  const named = withoutNames || anonymous ? hideNames(arena) : arena
  return { arena: texts === false ? leaveOutPages(named) : named }
}

/** `benchmaker export RUN` */
export function exportRun(name: string, options: ExportOptions, terminal: Terminal): Promise<number> {
  const { out = [], format = 'json', json = false } = options
  refuseFormatOfFiles(options)
  if (json && findFormat(format)?.name !== 'json')
    throw new InputError(`--json and --format ${format} contradict each other; leave one out`)
  return withData(options, async (storage, { inspectPage }) => {
    const runs = await findResult(storage, name)
    const pages = await loadPages(runs, options, { storage, inspectPage })
    const report = { ...(await buildStored(runs, { ...options, storage })), ...pages }
    await writeReportFiles(report, out)
    if (out.length === 0) printDocument(writeReport(report, { format }), terminal)
    else if (json) printJson({ wrote: out, runs: runs.map(({ id }) => id) }, terminal)
    for (const file of out) terminal.stderr.write(`wrote ${cleanText(file)}\n`)
    if (!options.damaged) return 0
    terminal.stderr.write('The database was not checked (--damaged): parts of the run may be missing or wrong.\n')
    return EXIT_MISSING
  })
}

export interface RescoreOptions extends StoredOptions, ReadingOptions {
  suite?: string
  judge?: string[]
  combine?: 'mean' | 'median'
}

/** `benchmaker rescore RUN` */
export function rescoreStored(name: string, options: RescoreOptions, terminal: Terminal): Promise<number> {
  const { suite: file, judge, combine, baseUrl } = options
  return withRun(options, terminal, async (app, { signal }) => {
    const storage = await app.storage()
    const runIds = await findRunIds(storage, name)
    const suite = file === undefined ? undefined : (await importSuite(file, options)).suite
    const change = { suite, judgeModelIds: judge, combineJudges: combine, endpoint: baseUrl }
    const tools = await app.runTools()
    const rescored: RunResult[] = []
    const warned = new Set<string>()
    for (const runId of runIds) {
      const { run, warnings } = await rescoreRun(runId, change, tools, { signal })
      printWarnings(
        warnings.filter((warning) => !warned.has(warning)),
        terminal,
      )
      for (const warning of warnings) warned.add(warning)
      if (run.id !== runId)
        terminal.stderr.write(
          `Run ${cleanText(run.id)} has the answers of ${cleanText(runId)} with the new scores; ${cleanText(runId)} is unchanged.\n`,
        )
      rescored.push(run)
    }
    await printRuns(rescored, { ...options, storage }, terminal)
    if (signal?.aborted) return EXIT_CANCELLED
    return areComplete(areArenaRuns(rescored) ? rescored.map(withoutUnjudged) : rescored) ? 0 : EXIT_MISSING
  })
}

/** Pages of the Code Arena that no judge graded wait for votes, not for a score. */
function withoutUnjudged(run: RunResult): RunResult {
  return { ...run, results: run.results.filter(({ unscored }) => unscored?.code !== 'not-judged') }
}
