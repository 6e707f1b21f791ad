import { isSettled, isSkipped, type RunResult, type Storage } from '../../contract/index.ts'
import { buildReport, buildSummary, type ReportSummary } from '../../report/index.ts'
import {
  chooseFailures,
  listChosenCases,
  listFailureRows,
  type FailureRow,
} from '../../report/model/failures/failures.ts'
import { explainBroken, LAST_RUNS } from '../../report/model/failures/broken-reasons.ts'
import { isBroken } from '../../report/words/verdicts/failures/everything-fails.ts'
import { findSuite } from '../../report/model/cases.ts'
import { listGroups } from '../../report/model/standings/groups.ts'
import { describeRest, formatCount } from '../../report/words/index.ts'
import { findStandings } from '../../services/index.ts'
import { writeReportFiles } from './report-files.ts'
import { exitCodeOf } from './exit-codes.ts'
import { countRunsNotStarted, findCost } from '../commands/results/find-run.ts'
import { checkGates, isLeftOut, readNotWorseThan, type Gates } from '../commands/gates.ts'
import { printNotice, printWarnings } from './notice.ts'
import { drawResults, printResults } from './results/results-text.ts'
import { toShare, type RunOptions } from '../options/run-options.ts'
import type { Terminal } from './terminal.ts'
import { cleanText } from './text-table.ts'

interface Finished {
  runs: RunResult[]
  /** Loaded before the run: afterwards `latest` would be the run itself. */
  baseline: RunResult[] | undefined
  /** Runs both again before the baseline's gate fails. */
  rerun: Gates['rerun']
  options: Pick<
    RunOptions,
    | 'failUnder'
    | 'allowMissing'
    | 'changedToo'
    | 'notWorseThan'
    | 'margin'
    | 'smallestDifference'
    | 'out'
    | 'json'
    | 'output'
    | 'pairs'
  >
  /** True if the runs include the answers, which exports need. */
  hasTexts: boolean
  storage: Storage
}

/** The name of the runs, if it can be typed as it is. */
function addressOfResults(runs: readonly RunResult[]): string | undefined {
  const name = runs.at(-1)!.label?.name
  return name !== undefined && /^[\w.-]+$/.test(name) ? name : undefined
}

/** Says how many cells a stopped run or series did not run, and how to resume it. */
export function printRest(runs: readonly RunResult[], terminal: Terminal): void {
  const left = runs.reduce(
    (sum, { results }) => sum + results.filter(isSkipped).length,
    countRunsNotStarted(runs) * runs[0]!.results.length,
  )
  const isAtBudget = runs.some(({ stopReason }) => stopReason === 'budget')
  printNotice(describeRest(left, { runId: addressOfResults(runs) ?? runs.at(-1)!.id, isAtBudget }), terminal)
}

/** True if every cell has a score, needs none or was left out by decision. */
export function areComplete(runs: readonly RunResult[]): boolean {
  return runs.every(
    (run) => run.status === 'completed' && run.results.every((cell) => isSettled(cell) || isLeftOut(run, cell)),
  )
}

/** What failed, with the texts of the few answers that are shown: a run need not be loaded with all of its texts. */
async function listFailures(
  { rows }: Pick<ReportSummary, 'rows'>,
  { runs, storage }: Pick<Finished, 'runs' | 'storage'>,
): Promise<FailureRow[]> {
  const models = rows.map(({ modelId }) => modelId)
  const chosen = chooseFailures(runs, models)
  const testCaseIds = listChosenCases(chosen)
  if (testCaseIds.length === 0) return []
  const loaded = await Promise.all(runs.map(({ id }) => storage.loadRun(id, { testCaseIds })))
  return listFailureRows(chosen, { runs: loaded.filter((run) => run !== undefined), models })
}

/** Why nothing passed, if nothing did. */
async function loadReasons(
  { rows }: Pick<ReportSummary, 'rows'>,
  { runs, storage }: Pick<Finished, 'runs' | 'storage'>,
) {
  if (!isBroken(rows)) return undefined
  const loaded = await Promise.all(runs.slice(-LAST_RUNS).map(({ id }) => storage.loadRun(id)))
  return explainBroken(
    loaded.filter((run) => run !== undefined),
    findSuite(runs),
  )
}

/** Where it is kept, and what to type to see more of it. */
function describeWhere(runs: readonly RunResult[]): string {
  const name = runs.at(-1)!.label?.name
  const models = new Set(runs.flatMap((run) => run.models)).size
  const pairs = models > 3 ? ` · --pairs compares all ${formatCount((models * (models - 1)) / 2, 'pair')}` : ''
  return `Run ${cleanText(name ?? runs.map((run) => run.id).join(', '))} · benchmaker show ${addressOfResults(runs) ?? 'latest'} --failed${pairs}`
}

/** Prints and exports the runs, checks the gates and returns the exit code. */
export async function finishRuns(
  { runs, baseline, rerun, options, hasTexts, storage }: Finished,
  terminal: Terminal,
): Promise<number> {
  const { failUnder, allowMissing, out = [], json = false } = options
  if (failUnder !== undefined && failUnder > 0 && failUnder <= 1)
    printWarnings([`--fail-under ${failUnder} means ${failUnder} of 100. Did you mean ${failUnder * 100}?`], terminal)
  const { output, pairs } = options
  const level = { ...(output && { output }), ...(pairs && { pairs }), hasBaseline: baseline !== undefined }
  const reportOptions = {
    cost: await findCost(storage, runs),
    smallestDifference: toShare(options.smallestDifference),
    runsNotStarted: countRunsNotStarted(runs),
    calibrations: await findStandings(runs, storage),
  }
  if (hasTexts) {
    const report = buildReport(runs, reportOptions)
    printResults(report, { json, ...level }, terminal)
    await writeReportFiles(report, out)
  } else {
    const summary = buildSummary(runs, reportOptions)
    const failures = await listFailures(summary, { runs, storage })
    const reasons = await loadReasons(summary, { runs, storage })
    const groups = listGroups({ ...summary, runs, suite: findSuite(runs) })
    const drawn = { ...level, groups, failures, ...(reasons && { reasons }) }
    terminal.stdout.write(drawResults(summary, terminal, drawn))
  }
  for (const file of out) terminal.stderr.write(`wrote ${cleanText(file)}\n`)
  const last = describeWhere(runs)
  const { failures, passes, notes } = await checkGates(runs, {
    failUnder,
    baseline,
    changedToo: options.changedToo,
    rerun,
    notWorseThan: readNotWorseThan(options),
    allowMissing,
  })
  for (const note of notes) printNotice(`baseline: ${cleanText(note)}`, terminal)
  for (const pass of passes) printNotice(`gate passed: ${cleanText(pass)}`, terminal)
  for (const failure of failures) printNotice(`gate failed: ${cleanText(failure)}`, terminal)
  if (output !== 'quiet') terminal.stderr.write(`\n${last}\n`)
  if (runs.some(({ status }) => status === 'cancelled')) printRest(runs, terminal)
  else if (runs.some(({ status }) => status === 'failed'))
    printNotice(
      `Next: fix what was refused, then benchmaker resume ${addressOfResults(runs) ?? cleanText(runs.at(-1)!.id)}`,
      terminal,
    )
  return exitCodeOf(runs, { hasFailedGate: failures.length > 0, isComplete: areComplete(runs) })
}
