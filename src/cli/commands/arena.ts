import {
  InputError,
  makeLabel,
  maxArenaModels,
  type ArenaReport,
  type RunResult,
  type RunInput,
} from '../../contract/index.ts'
import { buildReport, writeReport, type Report } from '../../report/index.ts'
import { checkExportFiles, writeReportFiles } from '../output/report-files.ts'
import {
  conversationOf,
  createArenaRequest,
  createFollowUp,
  listGaps,
  findStandings,
  loadArenaReport,
  turnOf,
} from '../../services/index.ts'
import { cellStates } from '../../report/words/index.ts'
import { arenaPages } from '../../report/tables/arena-pages.ts'
import { readSandboxSetting } from '../../settings/index.ts'
import type { App } from '../compose.ts'
import { countRunsNotStarted, findCost, findRunId } from './results/find-run.ts'
import { checkGates, readNotWorseThan, type Gates } from './gates.ts'
import { printNotice } from '../output/notice.ts'
import { drawResults } from '../output/results/results-text.ts'
import { exitCodeOf } from '../output/exit-codes.ts'
import { printRest } from '../output/finish-runs.ts'
import { findBaseline, showDryRun, startRuns, withRun } from './run.ts'
import { toShare, type RunOptions } from '../options/run-options.ts'
import { readLabelOptions } from '../options/label-options.ts'
import { DEMO_MODELS, readArenaRequest, readFollowUp } from '../options/run-request.ts'
import { printDocument, printForPeople, styleFor, type Terminal } from '../output/terminal.ts'
import { cleanText, drawTable, wrapText } from '../output/text-table.ts'

export interface ArenaOptions extends RunOptions {
  quickJudge?: boolean
  /** The run to continue. */
  follow?: string
}

const DEMO_JUDGE = 'demo/judge'

/** Chooses the models and judges and reports the defaults: simulated models get a simulated judge. */
function chooseArenaModels(options: ArenaOptions, terminal: Terminal): { models: string[]; judges: string[] } {
  const models = options.models ?? DEMO_MODELS
  if (models.length > maxArenaModels)
    throw new InputError(`the Code Arena compares at most ${maxArenaModels} models, not ${models.length}`)
  if (!options.models)
    printNotice(
      `No --models given: using the simulated ${cleanText(models.join(', '))}. No real model is called.`,
      terminal,
    )
  if (options.judge) return { models, judges: options.judge }
  const areSimulated = models.every((model) => model.startsWith('demo/'))
  printNotice(
    areSimulated
      ? `No --judge given: using the simulated ${DEMO_JUDGE}.`
      : 'No --judge given: the pages are inspected but not judged.',
    terminal,
  )
  return { models, judges: areSimulated ? [DEMO_JUDGE] : [] }
}

/** One page per model says nothing about the models; several pages get the usual statistics. */
function drawStandings(report: Report, terminal: Terminal): string {
  if (report.runs.length === 1)
    return `\n${wrapText('This is one page per model; another attempt may differ. --repeat 5 shows by how much.', terminal.columns, '')}\n`
  return `\n${drawResults(report, terminal)}`
}

function listProblems({ pages }: ArenaReport): string[] {
  const lines = pages.flatMap(({ modelId, problems, error, unscored, score }) => {
    const reasons = [
      ...problems,
      ...(error === undefined ? [] : [error]),
      ...(error === undefined && !unscored && score === undefined ? [cellStates.skipped.word] : []),
      ...(unscored && unscored.code !== 'not-judged' ? [`${unscored.code}: ${unscored.message}`] : []),
    ]
    return reasons.map((reason) => `${cleanText(modelId)}: ${cleanText(reason)}`)
  })
  return [...new Set(lines)]
}

const refuseRerun: Gates['rerun'] = async () => ({
  candidate: [],
  baseline: [],
  obstacle: { code: 'impossible', reason: 'pages of the Code Arena are not run again' },
})

/** Prints and exports the runs, checks the gates and returns the exit code. Without a judge, no score is missing. */
async function finishArena(
  runs: RunResult[],
  baseline: RunResult[] | undefined,
  options: ArenaOptions,
  { terminal, app }: { terminal: Terminal; app: App },
): Promise<number> {
  const storage = await app.storage()
  const arena = await loadArenaReport(runs, { storage, inspectPage: app.inspectPage, takesPictures: false })
  const report: Report = {
    ...buildReport(runs, {
      cost: await findCost(storage, runs),
      smallestDifference: toShare(options.smallestDifference),
      runsNotStarted: countRunsNotStarted(runs),
      calibrations: await findStandings(runs, storage),
    }),
    arena,
  }
  const isJudged = runs.some(({ judgeModel }) => judgeModel !== undefined)
  if (options.json) printDocument(writeReport(report, { format: 'json' }), terminal)
  printForPeople(
    (room) =>
      `${styleFor(room)('bold', wrapText(cleanText(report.title), room.columns, '  '))}\n\n${drawTable(arenaPages(arena), arena.pages, room)}${isJudged ? drawStandings(report, room) : ''}`,
    options,
    terminal,
  )
  for (const line of listProblems(arena)) printNotice(line, terminal)
  await writeReportFiles(report, options.out ?? [])
  for (const file of options.out ?? []) terminal.stderr.write(`wrote ${cleanText(file)}\n`)
  const last = runs.at(-1)!
  terminal.stderr.write('\n')
  printNotice(
    `Run ${cleanText(runs.map(({ id }) => id).join(', '))}: open the Code Arena with benchmaker, or: benchmaker show ${cleanText(last.id)}`,
    terminal,
  )

  const { failures, passes, notes } = await checkGates(runs, {
    failUnder: options.failUnder,
    baseline,
    changedToo: options.changedToo,
    rerun: options.rerun === false ? undefined : refuseRerun,
    notWorseThan: readNotWorseThan(options),
    allowMissing: options.allowMissing,
  })
  for (const note of notes) printNotice(`baseline: ${cleanText(note)}`, terminal)
  for (const pass of passes) printNotice(`gate passed: ${cleanText(pass)}`, terminal)
  for (const failure of failures) printNotice(`gate failed: ${cleanText(failure)}`, terminal)
  if (runs.some(({ status }) => status === 'cancelled')) printRest(runs, terminal)
  const isComplete = runs.every(
    (run) =>
      run.status === 'completed' &&
      run.results.every(({ score, unscored }) => score ?? (!isJudged && unscored?.code === 'not-judged')),
  )
  return exitCodeOf(runs, { hasFailedGate: failures.length > 0, isComplete })
}

/** Chooses what is asked, and says what the models of a follow-up do not get of their earlier turns. */
async function prepareRequest(
  prompt: string,
  options: ArenaOptions,
  { app, terminal }: { app: App; terminal: Terminal },
): Promise<RunInput> {
  if (options.follow === undefined) {
    const { models, judges } = chooseArenaModels(options, terminal)
    return createArenaRequest(readArenaRequest(prompt, { ...options, models, judge: judges }))
  }
  const storage = await app.storage()
  const runId = await findRunId(storage, options.follow)
  const input = await createFollowUp(runId, readFollowUp(prompt, options), { storage, now: storage.now() })
  const { request, suite } = input
  const conversation = conversationOf(suite.testCases[0]!)
  printNotice(
    `Turn ${turnOf({ conversation })} of the conversation with ${cleanText(request.models.join(', '))}, after run ${cleanText(runId)}.`,
    terminal,
  )
  for (const model of request.models)
    for (const gap of listGaps(conversation!, model)) printNotice(cleanText(`${model}: ${gap}`), terminal)
  return input
}

/** `benchmaker arena PROMPT` */
export async function runArena(prompt: string, options: ArenaOptions, terminal: Terminal): Promise<number> {
  if (prompt.trim() === '')
    throw new InputError(
      'the prompt is empty; describe the page, for example: benchmaker arena "a pricing page with three plans"',
    )
  await checkExportFiles(options.out ?? [])
  readNotWorseThan(options)
  const label = makeLabel(readLabelOptions(options))
  return withRun(options, terminal, async (app, run) => {
    const input = await prepareRequest(prompt, options, { app, terminal })
    if (options.dryRun) return showDryRun(input, options, { app, terminal })
    const baseline = await findBaseline(app, options)
    if (!options.quickJudge && readSandboxSetting(app.dataFolder, process.env).sandbox === 'off')
      terminal.stderr.write('Chromium’s sandbox is off by your setting: model-written pages are opened without it.\n')
    const runs = await startRuns(input, { app, terminal }, { ...run, label, gates: options })
    return finishArena(runs, baseline, options, { terminal, app })
  })
}
