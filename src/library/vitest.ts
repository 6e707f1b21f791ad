import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  cellStateOf,
  hasPassed,
  InputError,
  readPassMark,
  type CellResult,
  type ModelRequest,
  type RunResult,
  type Storage,
  type TestCase,
} from '../contract/index.ts'
import type { GivenSuite } from '../import/suite-files/given-suite.ts'
import type { Scorer } from '../scoring/index.ts'
import type { ClientDefinition } from '../services/index.ts'
import { multiRunStats } from '../statistics/index.ts'
import { openStorage } from '../storage/index.ts'
import { executeRun } from './runs.ts'

/** What is used of Vitest, which runs this file and is no dependency. */
interface Runner {
  describe(name: string, body: () => void | Promise<void>): void
  it(name: string, body: () => void, timeout?: number): void
  beforeAll(body: () => Promise<void>, timeout?: number): void
}

/** One case; fields of a test case of a suite may stand beside these. */
export interface EvalCase {
  input: string
  expected?: string | number | boolean
  id?: string
  [field: string]: unknown
}

type EvalAnswer = Awaited<ReturnType<ClientDefinition['complete']>>

export interface EvalDefinition {
  data: readonly EvalCase[] | (() => readonly EvalCase[] | Promise<readonly EvalCase[]>)
  /** What is tested: it answers the input of a case. */
  task: (input: string, request: ModelRequest) => string | EvalAnswer | Promise<string | EvalAnswer>
  /** Names of scoring methods, or scorers of your own; several are checks of one case. Default: exact-match. */
  scorers?: readonly (string | Scorer)[]
  /** How often each case is asked; default 1. */
  repeats?: number
  /** The mean score, 0 to 100, that is enough. Without it, every case must pass. */
  threshold?: number
  /** Under which name results are stored and compared; default `task`. */
  model?: string
  judgeModelId?: string
  /** Where runs are stored; default: the database in `$BENCHMAKER_HOME`, else in memory. */
  storage?: Storage
  /** For the whole run, in milliseconds; default 10 minutes. */
  timeout?: number
}

const scorerName = (scorer: string | Scorer) => (typeof scorer === 'string' ? scorer : scorer.name)

function toTestCase({ input, expected, id, ...fields }: EvalCase, index: number, methods: readonly string[]) {
  const [method = 'exact-match', ...others] = methods
  const expectedOutput = expected === undefined ? {} : { expectedOutput: expected }
  return {
    id: id ?? `case-${index + 1}`,
    prompt: input,
    ...(others.length === 0
      ? { scoringMethod: method, ...expectedOutput }
      : { checks: methods.map((scoringMethod) => ({ scoringMethod, ...expectedOutput })) }),
    ...fields,
  }
}

function readInput({ messages }: ModelRequest): string {
  const content = messages.at(-1)?.content ?? ''
  return typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

async function openDefaultStorage(): Promise<Storage> {
  const home = process.env['BENCHMAKER_HOME']
  if (home === undefined || home === '') return openStorage({ file: ':memory:' })
  mkdirSync(home, { recursive: true })
  return openStorage({ file: join(home, 'benchmaker.db') })
}

/** Why a case fails; undefined if it passed in every run. */
function explainFailure(runs: readonly RunResult[], id: string): string | undefined {
  for (const [index, { results, testSuiteSnapshot }] of runs.entries()) {
    const cell = results.find(({ testCaseId }) => testCaseId === id)
    const testCase = testSuiteSnapshot?.testCases.find((one) => one.id === id)
    const why = cell && testCase ? explainCell(cell, testCase) : 'it was not run'
    if (why !== undefined) return runs.length === 1 ? why : `run ${index + 1} of ${runs.length}: ${why}`
  }
  return undefined
}

function explainCell(cell: CellResult, testCase: TestCase): string | undefined {
  const { score, response = '', error, unscored } = cell
  if (!score) return `${cellStateOf(cell)}: ${error ?? unscored?.message ?? 'no score'}`
  if (hasPassed(score, readPassMark(testCase))) return undefined
  const expected = testCase.expectedOutput === undefined ? '' : `, expected ${JSON.stringify(testCase.expectedOutput)}`
  return `scored ${Math.round(score.score * 1000) / 10}${expected}, got ${JSON.stringify(response.slice(0, 500))}`
}

/** In a variable, so that no bundle takes Vitest in. */
const RUNNER = 'vitest'
const runner: Runner = await import(/* @vite-ignore */ RUNNER)

async function runEval(
  name: string,
  { cases, definition }: { cases: readonly EvalCase[]; definition: EvalDefinition },
): Promise<RunResult[]> {
  const { task, scorers = [], repeats = 1, model = 'task', storage, judgeModelId } = definition
  const methods = scorers.map(scorerName)
  const own = scorers.filter((scorer) => typeof scorer !== 'string')
  const suite: GivenSuite = { name, testCases: cases.map((one, index) => toTestCase(one, index, methods)) }
  const usedStorage = storage ?? (await openDefaultStorage())
  const seriesId = repeats > 1 ? randomUUID() : undefined
  const runs: RunResult[] = []
  try {
    for (let run = 0; run < repeats; run++)
      runs.push(
        await executeRun({
          suite,
          models: [model],
          client: {
            provider: 'vitest',
            async complete(request) {
              const answer = await task(readInput(request), request)
              return typeof answer === 'string' ? { response: answer } : answer
            },
          },
          storage: usedStorage,
          ...(own.length > 0 && { scorers: own }),
          ...(seriesId !== undefined && { seriesId }),
          ...(judgeModelId !== undefined && { judgeModelId }),
        }),
      )
  } finally {
    if (!storage) await usedStorage.close()
  }
  return runs
}

const DEFAULT_TIMEOUT_MS = 600_000

/**
 * An evaluation as Vitest tests: a test for each case, or with a threshold one for the mean. The results are a run like any
 * other: stored, listed, compared.
 */
export function describeEval(name: string, definition: EvalDefinition): void {
  const { data, threshold, repeats = 1, timeout = DEFAULT_TIMEOUT_MS } = definition
  if (!Number.isInteger(repeats) || repeats < 1) throw new InputError(`repeats is ${repeats}; it must be 1 or more`)
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 100))
    throw new InputError(`threshold is ${threshold}; it must be from 0 to 100 points`)
  runner.describe(name, async () => {
    const cases = typeof data === 'function' ? await data() : data
    if (cases.length === 0) throw new InputError(`${name} has no cases`)
    let runs: RunResult[] = []
    runner.beforeAll(async () => {
      runs = await runEval(name, { cases, definition })
    }, timeout)
    if (threshold !== undefined)
      runner.it(`scores ${threshold} of 100`, () => {
        const mean = [...multiRunStats(runs).values()][0]?.overCases.mean
        if (mean === undefined) throw new Error('no answer has a score')
        if (mean * 100 < threshold - 1e-9)
          throw new Error(`the mean is ${Math.round(mean * 1000) / 10}, below the required ${threshold}`)
      })
    else
      for (const [index, { id = `case-${index + 1}` }] of cases.entries())
        runner.it(id, () => {
          const why = explainFailure(runs, id)
          if (why !== undefined) throw new Error(why)
        })
  })
}
