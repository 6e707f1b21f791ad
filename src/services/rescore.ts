import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  InputError,
  withoutDeciding,
  type CellResult,
  type Person,
  type RunRequest,
  type RunResult,
  type RunStatus,
  type Storage,
  type Suite,
  type TestCase,
  type Variant,
  countNoun,
} from '../contract/index.ts'
import { findVariant, questionOf } from '../scoring/index.ts'
import { readAnswer, readStoredRun } from './stored-run.ts'
import { BudgetReached, noSpending } from './requesting/budget.ts'
import { isArenaCase } from './code-arena/suite.ts'
import { isPairwise, findLackingSecrets, planRun, requestOf, withEndpoint } from './plan.ts'
import { createEngine, scoreCell, type Engine, type OpenCell } from './engine.ts'
import { importCell, refuseImported } from './stored-runs/import-run.ts'
import { namePromptVersions } from './prompt-versions.ts'
import { embeddersOf, judgesOf, refuseProblems, type PreparedRun } from './prepare.ts'
import type { RunOptions, RunTools } from './run-tools.ts'
import { claimRun } from './series.ts'

/** What to score the answers with instead of the run's own settings. */
export interface RescoreChange {
  suite?: Suite | undefined
  /** The suite is this version of the stored one that the run was started from. */
  suiteVersion?: number | undefined
  judgeModelIds?: string[] | undefined
  combineJudges?: RunRequest['combineJudges'] | undefined
  /** The address of the judges' server. */
  endpoint?: string | undefined
  /** Who pays for the judges, on a team server; without one, whoever started the run. */
  payer?: Person | undefined
}

export interface RescoredRun {
  /** The run itself if nothing changed, otherwise a new one. */
  run: RunResult
  /** For the user: cases that were left out, prompts that differ from those that were sent. */
  warnings: string[]
}

const CELLS_AT_ONCE = 16

/** Answers that are scored by comparing them: case by case. */
async function compareStored(compared: Required<OpenCell>[], engine: Engine): Promise<void> {
  for (const [testCaseId, [first]] of Map.groupBy(compared, ({ cell }) => cell.testCaseId)) {
    if (engine.options.signal?.aborted) return
    await engine.waiting.compareAgain(first!.cell.runId, testCaseId)
  }
}

async function scoreStored(stored: Required<OpenCell>[], engine: Engine): Promise<void> {
  try {
    await scoreInTurn(stored, engine)
  } catch (error) {
    if (!(error instanceof BudgetReached)) throw error
    throw new InputError(`rescoring stopped: ${error.message}. What was scored again is kept.`, { cause: error })
  } finally {
    await engine.close()
  }
}

async function scoreInTurn(stored: Required<OpenCell>[], engine: Engine): Promise<void> {
  const isWaiting = ({ cell }: OpenCell) => isPairwise(engine.cases.get(cell.testCaseId)!)
  const answered = stored.filter((open) => !isWaiting(open))
  await compareStored(stored.filter(isWaiting), engine)
  for (let start = 0; start < answered.length && !engine.options.signal?.aborted; start += CELLS_AT_ONCE)
    await Promise.all(
      answered.slice(start, start + CELLS_AT_ONCE).map(async ({ cell, answer }) => {
        const log = engine.cases.get(cell.testCaseId)!.conversation ? await engine.tools.storage.loadEvents(cell) : []
        // A conversation whose user or environment failed is not over, and stays without a score.
        if (log.length > 0 && log.at(-1)!.kind !== 'ended') return
        const score = await scoreCell(cell, answer, engine)
        await engine.tools.storage.saveScore(cell, score)
        engine.context.emit({ type: 'cell-scored', cell, score })
      }),
    )
}

/** What the case asks with each of these variants. */
function questionsOf(testCase: TestCase, variants: readonly (Variant | undefined)[]): unknown {
  return [undefined, ...variants].map((variant) => questionOf(testCase, variant))
}

function listWarnings(runSuite: Suite, suite: Suite): string[] {
  const { testCases: runCases, variants: asked = [] } = runSuite
  const { testCases: suiteCases, variants: given = [] } = suite
  const now = asked.map((variant) => given.find(({ name }) => name === variant.name) ?? variant)
  const runCasesById = new Map(runCases.map((testCase) => [testCase.id, testCase]))
  const suiteIds = new Set(suiteCases.map(({ id }) => id))
  const notRun = suiteCases.filter(({ id }) => !runCasesById.has(id)).length
  const dropped = runCases.filter(({ id }) => !suiteIds.has(id)).length
  const changed = suiteCases.flatMap((testCase) => {
    const before = runCasesById.get(testCase.id)
    return before && !isDeepStrictEqual(questionsOf(before, asked), questionsOf(testCase, now)) ? [testCase.id] : []
  })
  return [
    ...(notRun > 0 ? [`left out ${countNoun(notRun, 'test case')} of the suite that this run did not include`] : []),
    ...(dropped > 0 ? [`left out ${countNoun(dropped, 'test case')} of the run that the suite does not have`] : []),
    ...(changed.length > 0
      ? [
          `the prompt of ${changed.slice(0, 5).join(', ')}${changed.length > 5 ? ' and others' : ''} has changed since the answers were given`,
        ]
      : []),
  ]
}

/** Runs of a series that are rescored with the same suite and judges form a new series. */
function seriesOf({ seriesId }: RunResult, { suite, request }: PreparedRun): { seriesId?: string } {
  if (seriesId === undefined) return {}
  const { judgeModelIds, combineJudges } = request
  const hash = createHash('sha256')
    .update(JSON.stringify([suite, judgeModelIds, combineJudges]))
    .digest('hex')
    .slice(0, 8)
  return { seriesId: `${seriesId}-${hash}` }
}

/** What a run decided depends on the order drawn from its cases: with other cases, it is a plain run. */
function keepDeciding(request: RunRequest, { testSuiteSnapshot }: RunResult, { testCases }: Suite): RunRequest {
  const before = testSuiteSnapshot?.testCases ?? []
  const isSame = before.length === testCases.length && before.every(({ id }, index) => id === testCases[index]!.id)
  return isSame ? request : withoutDeciding(request)
}

/** Without an attempt: the new run did not ask, and what it cost was paid by the old one. */
async function copyError(result: CellResult, runId: string, storage: Storage): Promise<void> {
  const { testCaseId, modelId, outcome, error } = result
  if (readAnswer(result) || outcome === undefined || outcome === 'cancelled' || error === undefined) return
  await storage.saveError({ runId, testCaseId, modelId }, outcome, error)
}

/** Copies the answers and errors of a run to a new run, which stores its own request and the id of the original. */
async function copyAnswers(
  run: RunResult,
  prepared: PreparedRun,
  { storage, clock, createId }: RunTools,
): Promise<string> {
  const {
    id: _id,
    results,
    status: _status,
    completedAt: _completed,
    judgeModel: _judge,
    seriesId: _series,
    ...header
  } = run
  const { suite, request } = prepared
  const { judgeModelIds } = request
  const runId = createId()
  const startedAt = clock.now()
  const cells = suite.testCases.flatMap(({ id }) => run.models.map((modelId) => ({ testCaseId: id, modelId })))
  await storage.createRun(
    {
      ...header,
      kind: run.kind ?? 'suite',
      id: runId,
      startedAt,
      testSuiteId: request.suiteId,
      testSuiteName: suite.name,
      testSuiteSnapshot: suite,
      request: { ...keepDeciding(request, run, suite), models: requestOf(run).models, repeat: 1 },
      versions: {
        ...run.versions,
        ...(judgeModelIds.length > 0 && { judgePrompt: namePromptVersions(suite) }),
        answersOf: run.id,
      },
      ...(judgeModelIds.length > 0 && { judgeModel: judgeModelIds.join(',') }),
      ...seriesOf(run, prepared),
    },
    cells,
  )
  // What the answers cost was paid when they were given.
  await storage.savePayers(runId, {})
  const caseIds = new Set(suite.testCases.map(({ id }) => id))
  const answered = results.filter((result) => caseIds.has(result.testCaseId) && readAnswer(result))
  await Promise.all([
    ...answered.map(({ score: _old, unscored, ...answer }) => {
      const hasFailed = unscored && ['user-error', 'environment-error'].includes(unscored.code)
      return importCell({ ...answer, ...(hasFailed && { unscored }) }, runId, startedAt, storage)
    }),
    ...results.filter(({ testCaseId }) => caseIds.has(testCaseId)).map((result) => copyError(result, runId, storage)),
  ])
  await Promise.all(
    answered.map(async ({ testCaseId, modelId }) => {
      const log = await storage.loadEvents({ runId: run.id, testCaseId, modelId })
      if (log.length > 0) await storage.appendEvents({ runId, testCaseId, modelId }, log)
    }),
  )
  await storage.savePayers(runId, request)
  return runId
}

/** Only judges and embedding models are called, so only they need a key and a price. Contestants are taken as stored. */
async function prepareScoring(
  run: RunResult,
  request: RunRequest,
  suite: Suite,
  tools: RunTools,
): Promise<PreparedRun> {
  const { variants = [], ...plainSuite } = suite
  const runVariants = run.testSuiteSnapshot?.variants ?? []
  const plainRequest = {
    ...request,
    models: run.models,
    maxCost: undefined,
    // The batches of the run hold grades for what was asked then.
    batch: undefined,
    // Whoever scores again wants new grades, not the old ones.
    cache: false,
  }
  const plan = planRun(
    { kind: run.kind ?? 'suite', request: plainRequest, suite: plainSuite, isSelected: true },
    tools.scoring.scorers,
  )
  refuseProblems(plan)
  const judges = judgesOf(plan)
  const { clientOf, readPrices } = tools.connect(request, 0)
  const embedders = embeddersOf(plan)
  for (const judge of judges) clientOf(judge).checkModel?.(judge)
  for (const embedder of embedders) clientOf(embedder).checkModel?.(embedder, 'embeddings')
  const asked = [...new Set([...judges, ...embedders])]
  const lacking = asked.length > 0 ? findLackingSecrets({ ...request, headersLacking: [] }) : undefined
  if (lacking !== undefined) throw new InputError(lacking)
  const prices = await readPrices(asked).catch(() => new Map())
  // A judge reads what the variant asked.
  const contestants = plan.contestants.map((contestant) => {
    const variant = findVariant(variants, contestant.id) ?? findVariant(runVariants, contestant.id)
    return variant ? { ...contestant, variant } : contestant
  })
  return { ...plan, suite, contestants, prices, unknownPrices: asked.filter((model) => !prices.has(model)) }
}

/** With a budget of its own: what the answers cost is not paid again. */
function openEngine(
  run: RunResult,
  prepared: PreparedRun,
  { tools, options }: { tools: RunTools; options: RunOptions },
): Promise<Engine> {
  const seriesId = `rescore-${tools.createId()}`
  return createEngine({ prepared, tools, options, runId: run.id, seriesId, index: 0, spent: noSpending })
}

async function rescoreInPlace(
  run: RunResult,
  prepared: PreparedRun,
  tools: RunTools,
  options: RunOptions,
): Promise<RunResult> {
  await tools.storage.savePayers(run.id, prepared.request)
  const engine = await openEngine(run, prepared, { tools, options })
  const answered = run.results.flatMap((result) => {
    const { testCaseId, modelId, cost } = result
    const answer = engine.cases.has(testCaseId) ? readAnswer(result) : undefined
    const cell = { runId: run.id, testCaseId, modelId }
    return answer ? [{ cell, answer: { ...answer, ...(cost !== undefined && { cost }) } }] : []
  })
  await scoreStored(answered, engine)
  return (await tools.storage.loadRun(run.id))!
}

/** A copy that leaves out what its original did not ask is complete. */
function findStatus({ status, stopReason }: RunResult, isWhole: boolean): RunStatus {
  if (status === 'failed') return 'failed'
  return isWhole || stopReason === 'decided' ? 'completed' : 'cancelled'
}

async function rescoreCopy(
  run: RunResult,
  prepared: PreparedRun,
  tools: RunTools,
  options: RunOptions,
): Promise<RunResult> {
  const { storage, clock } = tools
  const engine = await openEngine(run, prepared, { tools, options })
  const copyId = await copyAnswers(run, prepared, tools)
  const open = await storage.loadOpenCells(copyId)
  await scoreStored(
    open.flatMap(({ cell, answer }) => (answer ? [{ cell, answer }] : [])),
    engine,
  )
  // Cells that were not run stay open for a resume, unless they were left out by decision.
  const isWhole = open.every(({ answer }) => answer)
  const status = findStatus(run, isWhole)
  await storage.setRunStatus(copyId, status, {
    completedAt: clock.now(),
    ...((!isWhole || status === 'failed') && run.stopReason && { stopReason: run.stopReason }),
  })
  return (await storage.loadRun(copyId))!
}

/**
 * Scores the stored answers of a run again; only judges and embedding models are called. With the stored request and suite the run is scored
 * in place. With others the answers are copied to a new run, so that the old scores and their settings are kept.
 */
export async function rescoreRun(
  runId: string,
  change: RescoreChange,
  tools: RunTools,
  options: RunOptions = {},
): Promise<RescoredRun> {
  const run = await tools.storage.loadRun(runId)
  if (!run) throw new InputError(`there is no run ${runId}`)
  if (!change.suite)
    refuseImported(run, 'to score its answers here, name a suite with these cases and a scoring method: --suite FILE')
  if (!run.testSuiteSnapshot && !change.suite)
    throw new InputError(`run ${runId} was stored without its suite; name one with --suite`)
  const { kind, request: stored, suite: own } = readStoredRun({ testSuiteSnapshot: change.suite!, ...run })
  const wanted = change.suite ?? own
  const asked = new Set(own.testCases.map(({ id }) => id))
  const suite = { ...wanted, testCases: wanted.testCases.filter(({ id }) => asked.has(id)) }
  if (suite.testCases.length === 0)
    throw new InputError(`the suite has none of the test cases of run ${runId}, so there is nothing to score`)

  const {
    judgeModelIds = stored.judgeModelIds,
    combineJudges = stored.combineJudges,
    payer = stored.startedBy,
  } = change
  const isOwnSuite = isDeepStrictEqual(JSON.parse(JSON.stringify(suite)), own)
  const request: RunRequest = {
    ...withEndpoint(stored, change.endpoint),
    suiteId: isOwnSuite || kind === 'page' || change.suiteVersion !== undefined ? stored.suiteId : suite.name,
    ...(!isOwnSuite && change.suiteVersion !== undefined && { suiteVersion: change.suiteVersion }),
    judgeModelIds,
    combineJudges,
    startedBy: payer,
  }
  const isSame =
    isOwnSuite && isDeepStrictEqual(judgeModelIds, stored.judgeModelIds) && combineJudges === stored.combineJudges
  // Throws before anything is written.
  const prepared = await prepareScoring(run, request, suite, tools)
  // Code Arena pages are judged by the pictures stored with the run, which a copy would not have.
  const isInPlace = isSame || own.testCases.some(isArenaCase)
  const rescored = await claimRun({ runId, index: 0 }, tools, options, (claimed) =>
    (isInPlace ? rescoreInPlace : rescoreCopy)(run, prepared, tools, claimed),
  )
  return { run: rescored, warnings: listWarnings(own, wanted) }
}
