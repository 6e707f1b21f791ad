import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { InputError, type RunResult, type Suite, type TestCase } from '../contract/index.ts'
import { readAnswer } from './answer-outcome.ts'
import { isArenaCase, suiteIdOf } from './code-arena/suite.ts'
import { startEngine, type EngineTools, type RunSettings } from './engine.ts'
import { importCell } from './import-run.ts'
import { rescoreRun, scoreStored } from './rescore.ts'

export interface RescoredRun {
  /** The run itself where its own suite scored it again, else a new one. */
  run: RunResult
  /** What a reader should know: cases that were left out, prompts that are not those that were asked. */
  warnings: string[]
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

/** Runs of one series that are scored by one suite are a series again. */
function seriesOf({ seriesId }: RunResult, suite: Suite, judges: string | undefined): { seriesId?: string } {
  if (seriesId === undefined) return {}
  const hash = createHash('sha256')
    .update(JSON.stringify([suite, judges]))
    .digest('hex')
    .slice(0, 8)
  return { seriesId: `${seriesId}-${hash}` }
}

/** Writes the answers of a run as a new one that says what scores it and whose answers it has. */
async function copyAnswers(
  run: RunResult,
  suite: Suite,
  judges: string | undefined,
  { storage, clock, createId }: EngineTools,
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
  const runId = createId()
  const startedAt = clock.now()
  const cells = suite.testCases.flatMap(({ id }) => run.models.map((modelId) => ({ testCaseId: id, modelId })))
  await storage.createRun(
    {
      ...header,
      id: runId,
      startedAt,
      testSuiteId: suiteIdOf(suite),
      testSuiteName: suite.name,
      testSuiteSnapshot: suite,
      versions: { ...run.versions, answersOf: run.id },
      ...(judges !== undefined && { judgeModel: judges }),
      ...seriesOf(run, suite, judges),
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

/**
 * Scores the stored answers of a run by the suite and the judges given; no model is asked. By its own suite and judges it is scored
 * in place. By others its answers become a new run, so that neither the old scores nor what they were given for is lost.
 */
export async function rescoreBySuite(runId: string, settings: RunSettings, tools: EngineTools): Promise<RescoredRun> {
  const { storage } = tools
  const run = await storage.loadRun(runId)
  if (!run) throw new InputError(`there is no run ${runId}`)
  const own = run.testSuiteSnapshot ?? settings.suite
  const asked = new Set(own.testCases.map(({ id }) => id))
  const suite = { ...settings.suite, testCases: settings.suite.testCases.filter(({ id }) => asked.has(id)) }
  if (suite.testCases.length === 0)
    throw new InputError(`the suite has none of the cases of run ${runId}, so there is nothing to score`)
  const warnings = listWarnings(own, settings.suite)
  const { judgeModelId } = settings
  const judges = typeof judgeModelId === 'string' ? judgeModelId : judgeModelId?.join(',')
  // Each contestant stands for itself: nothing is asked of models, so variants play no part.
  const scored = { ...settings, suite: { ...suite, variants: undefined }, models: run.models }
  const isSame = judges === run.judgeModel && isDeepStrictEqual(JSON.parse(JSON.stringify(suite)), own)
  // Pages of the Code Arena are judged by the pictures that are stored with them.
  if (isSame || own.testCases.some(isArenaCase)) return { run: await rescoreRun(runId, scored, tools), warnings }

  // Checked before anything is written.
  const engine = startEngine(scored, tools, 0)
  const copyId = await copyAnswers(run, suite, judges, tools)
  const open = await storage.loadOpenCells(copyId)
  await scoreStored(
    open.flatMap(({ cell, answer }) => (answer ? [{ cell, answer }] : [])),
    engine,
  )
  // What had no answer stays open, for a resume.
  await storage.setRunStatus(copyId, open.every(({ answer }) => answer) ? 'completed' : 'cancelled', tools.clock.now())
  return { run: (await storage.loadRun(copyId))!, warnings }
}
