import { isSettled, isSkipped, type RunResult, type Storage } from '../../contract/index.ts'
import { buildReport, buildSummary } from '../../report/index.ts'
import { describeRest } from '../../report/words/index.ts'
import { findStandings } from '../../services/index.ts'
import { writeReportFiles } from './report-files.ts'
import { exitCodeOf } from './exit-codes.ts'
import { countRunsNotStarted, findCost } from '../commands/results/find-run.ts'
import { checkGates, isLeftOut } from '../commands/gates.ts'
import { printNotice } from './notice.ts'
import { drawResults, printResults } from './results/results-text.ts'
import { toShare, type RunOptions } from '../options/run-options.ts'
import type { Terminal } from './terminal.ts'
import { cleanText } from './text-table.ts'

interface Finished {
  runs: RunResult[]
  /** Loaded before the run: afterwards `latest` would be the run itself. */
  baseline: RunResult[] | undefined
  options: Pick<RunOptions, 'failUnder' | 'allowMissing' | 'smallestDifference' | 'out' | 'json'>
  /** True if the runs include the answers, which exports need. */
  hasTexts: boolean
  storage: Storage
}

/** Says how many cells a stopped run or series did not run, and how to resume it. */
export function printRest(runs: readonly RunResult[], terminal: Terminal): void {
  const left = runs.reduce(
    (sum, { results }) => sum + results.filter(isSkipped).length,
    countRunsNotStarted(runs) * runs[0]!.results.length,
  )
  const isAtBudget = runs.some(({ stopReason }) => stopReason === 'budget')
  printNotice(describeRest(left, { runId: cleanText(runs.at(-1)!.id), isAtBudget }), terminal)
}

/** True if every cell has a score, needs none or was left out by decision. */
export function areComplete(runs: readonly RunResult[]): boolean {
  return runs.every(
    (run) => run.status === 'completed' && run.results.every((cell) => isSettled(cell) || isLeftOut(run, cell)),
  )
}

/** Prints and exports the runs, checks the gates and returns the exit code. */
export async function finishRuns(
  { runs, baseline, options, hasTexts, storage }: Finished,
  terminal: Terminal,
): Promise<number> {
  const { failUnder, allowMissing, out = [], json = false } = options
  const reportOptions = {
    cost: await findCost(storage, runs),
    smallestDifference: toShare(options.smallestDifference),
    runsNotStarted: countRunsNotStarted(runs),
    calibrations: await findStandings(runs, storage),
  }
  if (hasTexts) {
    const report = buildReport(runs, reportOptions)
    printResults(report, { json }, terminal)
    await writeReportFiles(report, out)
  } else terminal.stdout.write(drawResults(buildSummary(runs, reportOptions), terminal))
  for (const file of out) terminal.stderr.write(`wrote ${cleanText(file)}\n`)
  terminal.stderr.write('\n')
  printNotice(
    `Run ${cleanText(runs.map(({ id }) => id).join(', '))}: benchmaker show ${cleanText(runs.at(-1)!.id)}`,
    terminal,
  )

  const { failures, notes } = checkGates(runs, { failUnder, baseline, allowMissing })
  for (const note of notes) printNotice(`baseline: ${cleanText(note)}`, terminal)
  for (const failure of failures) printNotice(`gate failed: ${cleanText(failure)}`, terminal)
  if (runs.some(({ status }) => status === 'cancelled')) printRest(runs, terminal)
  else if (runs.some(({ status }) => status === 'failed'))
    printNotice(
      `The provider refuses requests. Next: fix that, then benchmaker resume ${cleanText(runs.at(-1)!.id)}`,
      terminal,
    )
  return exitCodeOf(runs, { hasFailedGate: failures.length > 0, isComplete: areComplete(runs) })
}
