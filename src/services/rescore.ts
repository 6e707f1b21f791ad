import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { InputError, type RunRequest, type RunResult, type Suite, type TestCase } from '../contract/index.ts'
import { readAnswer } from './answer-outcome.ts'
import { isArenaCase, suiteIdOf } from './code-arena/suite.ts'
import { createEngine, scoreCell, type Engine, type OpenCell } from './engine.ts'
import { importCell } from './import-run.ts'
import { planRun, requestOf } from './plan.ts'
import { judgesOf, refuseProblems, type PreparedRun } from './prepare.ts'
import type { RunOptions, RunTools } from './run-tools.ts'
import { claimRun } from './series.ts'

/** What scores the answers instead of what the run was made with. */
export interface RescoreChange {
  suite?: Suite | undefined
  judgeModelIds?: string[] | undefined
  combineJudges?: RunRequest['combineJudges'] | undefined
  /** Where judges are asked. */
  endpoint?: string | undefined
}

export interface RescoredRun {
  /** The run itself where nothing was changed, else a new one. */
  run: RunResult
  /** What a reader should know: cases that were left out, prompts that are not those that were asked. */
  warnings: string[]
}

const CELLS_AT_ONCE = 16

async function scoreStored(answered: Required<OpenCell>[], engine: Engine): Promise<void> {
  for (let start = 0; start < answered.length && !engine.options.signal?.aborted; start += CELLS_AT_ONCE)
    await Promise.all(
      answered.slice(start, start + CELLS_AT_ONCE).map(async ({ cell, answer }) => {
        const score = await scoreCell(cell, answer, engine)
        await engine.tools.storage.saveScore(cell, score)
        engine.context.emit({ type: 'cell-scored', cell, score })
      }),
    )
}

function questionOf({ prompt, messages }: TestCase): unknown {
  return messages ?? prompt
}

function listWarnings({ testCases: asked }: Suite, { testCases: wanted }: Suite): string[] {
  const known = new Map(asked.map((testCase) => [testCase.id, testCase]))
  const names = new Set(wanted.map(({ id }) => id))
  const notAsked = wanted.filter(({ id }) => !known.has(id)).length
  const dropped = asked.filter(({ id }) => !names.has(id)).length
  const changed = wanted.flatMap((testCase) => {
    const before = known.get(testCase.id)
    return before && !isDeepStrictEqual(questionOf(before), questionOf(testCase)) ? [testCase.id] : []
  })
  return [
    ...(notAsked > 0 ? [`${notAsked} of the cases in the suite were not asked in this run and are left out`] : []),
    ...(dropped > 0 ? [`${dropped} of the cases in the run are not in the suite and are left out`] : []),
    ...(changed.length > 0
      ? [
          `the answers to ${changed.slice(0, 5).join(', ')}${changed.length > 5 ? ' and others' : ''} were given to another prompt than the suite has now`,
        ]
      : []),
  ]
}

/** Runs of one series that are scored by the same suite and judges are a series again. */
function seriesOf({ seriesId }: RunResult, { suite, request }: PreparedRun): { seriesId?: string } {
  if (seriesId === undefined) return {}
  const { judgeModelIds, combineJudges } = request
  const hash = createHash('sha256')
    .update(JSON.stringify([suite, judgeModelIds, combineJudges]))
    .digest('hex')
    .slice(0, 8)
  return { seriesId: `${seriesId}-${hash}` }
}

/** Writes the answers of a run as a new one that says what scores it and whose answers it has. */
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
      id: runId,
      startedAt,
      testSuiteId: request.suiteId,
      testSuiteName: suite.name,
      testSuiteSnapshot: suite,
      request: { ...request, models: requestOf(run).models, repeat: 1 },
      versions: { ...run.versions, answersOf: run.id },
      ...(judgeModelIds.length > 0 && { judgeModel: judgeModelIds.join(',') }),
      ...seriesOf(run, prepared),
    },
    cells,
  )
  const wanted = new Set(suite.testCases.map(({ id }) => id))
  const answered = results.filter((result) => wanted.has(result.testCaseId) && readAnswer(result))
  await Promise.all(
    answered.map(({ score: _old, unscored: _reason, ...answer }) => importCell(answer, runId, startedAt, storage)),
  )
  return runId
}

/** Only judges are asked, so only they need a key and a price; each contestant stands for itself, without variants. */
async function prepareScoring(
  run: RunResult,
  request: RunRequest,
  suite: Suite,
  tools: RunTools,
): Promise<PreparedRun> {
  const { variants: _variants, ...plain } = suite
  const asked = { ...request, models: run.models, filter: undefined, limit: undefined, maxCost: undefined }
  const plan = planRun(asked, plain, tools.scoring.scorers)
  refuseProblems(plan)
  const judges = judgesOf(plan)
  const { clientOf, readPrices } = tools.connect(request, 0)
  for (const judge of judges) clientOf(judge)
  const prices = await readPrices(judges).catch(() => new Map())
  return { ...plan, prices, unknownPrices: judges.filter((judge) => !prices.has(judge)) }
}

async function rescoreInPlace(
  run: RunResult,
  prepared: PreparedRun,
  tools: RunTools,
  options: RunOptions,
): Promise<RunResult> {
  const engine = await createEngine({ prepared, tools, options, index: 0, spent: 0n })
  const answered = run.results.flatMap((result) => {
    const { testCaseId, modelId } = result
    const answer = engine.cases.has(testCaseId) ? readAnswer(result) : undefined
    return answer ? [{ cell: { runId: run.id, testCaseId, modelId }, answer }] : []
  })
  await scoreStored(answered, engine)
  return (await tools.storage.loadRun(run.id))!
}

async function rescoreCopy(
  run: RunResult,
  prepared: PreparedRun,
  tools: RunTools,
  options: RunOptions,
): Promise<RunResult> {
  const { storage, clock } = tools
  const engine = await createEngine({ prepared, tools, options, index: 0, spent: 0n })
  const copyId = await copyAnswers(run, prepared, tools)
  const open = await storage.loadOpenCells(copyId)
  await scoreStored(
    open.flatMap(({ cell, answer }) => (answer ? [{ cell, answer }] : [])),
    engine,
  )
  // What had no answer stays open, for a resume.
  const status = open.every(({ answer }) => answer) ? 'completed' : 'cancelled'
  await storage.setRunStatus(copyId, status, { completedAt: clock.now() })
  return (await storage.loadRun(copyId))!
}

/**
 * Scores the stored answers of a run again; no model but judges is asked. By the request and the suite that are stored with it
 * it is scored in place. By others its answers become a new run, so that neither the old scores nor what they were given for is lost.
 */
export async function rescoreRun(
  runId: string,
  change: RescoreChange,
  tools: RunTools,
  options: RunOptions = {},
): Promise<RescoredRun> {
  const run = await tools.storage.loadRun(runId)
  if (!run) throw new InputError(`there is no run ${runId}`)
  const own = run.testSuiteSnapshot ?? change.suite
  if (!own) throw new InputError(`run ${runId} was stored without its suite; name one with --suite`)
  const wanted = change.suite ?? own
  const asked = new Set(own.testCases.map(({ id }) => id))
  const suite = { ...wanted, testCases: wanted.testCases.filter(({ id }) => asked.has(id)) }
  if (suite.testCases.length === 0)
    throw new InputError(`the suite has none of the cases of run ${runId}, so there is nothing to score`)

  const stored = requestOf(run)
  const {
    judgeModelIds = stored.judgeModelIds,
    combineJudges = stored.combineJudges,
    endpoint = stored.endpoint,
  } = change
  const isOwnSuite = isDeepStrictEqual(JSON.parse(JSON.stringify(suite)), own)
  const request: RunRequest = {
    ...stored,
    suiteId: isOwnSuite ? stored.suiteId : suiteIdOf(suite),
    judgeModelIds,
    combineJudges,
    endpoint,
  }
  const isSame =
    isOwnSuite && isDeepStrictEqual(judgeModelIds, stored.judgeModelIds) && combineJudges === stored.combineJudges
  // Checked before anything is written.
  const prepared = await prepareScoring(run, request, suite, tools)
  // Pages of the Code Arena are judged by the pictures that are stored with them.
  const isInPlace = isSame || own.testCases.some(isArenaCase)
  const rescored = await claimRun({ runId, index: 0 }, tools, options, (claimed) =>
    (isInPlace ? rescoreInPlace : rescoreCopy)(run, prepared, tools, claimed),
  )
  return { run: rescored, warnings: listWarnings(own, wanted) }
}
