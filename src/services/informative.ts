import { isDeepStrictEqual } from 'node:util'
import {
  InputError,
  readCluster,
  withoutHost,
  type RunInput,
  type RunRequest,
  type Storage,
  type Suite,
  type TestCase,
} from '../contract/index.ts'
import { meanOf } from '../statistics/index.ts'
import { FEWEST_ASKED } from '../statistics/planning/score-by-history.ts'
import { modelOf, selectCases } from './plan.ts'
import type { RunTools } from './run-tools.ts'

/** Other models that must have a score of every case. */
const FEWEST_MODELS = 5
/** The newest ones of the suite; more hardly change a case's mean. */
const MOST_RUNS = 500

interface DrawTools extends Pick<RunTools, 'random'> {
  /** Undefined if nothing is stored yet. */
  storage: Pick<Storage, 'describeRuns' | 'loadScores'> | undefined
}

/** What a case asks and how it is scored. */
function contentOf({ metadata: _metadata, weight: _weight, cluster: _cluster, ...content }: TestCase): unknown {
  return JSON.parse(JSON.stringify(content))
}

/** By case, each other model's mean over its stored runs of that very case. */
async function loadHistory(
  { testCases, name }: Suite,
  { models, suiteId }: RunRequest,
  storage: NonNullable<DrawTools['storage']>,
): Promise<Map<string, Map<string, number[]>>> {
  const runs = await storage.describeRuns({
    kinds: ['suite', 'agent', 'imported'],
    suite: { id: suiteId, name },
    limit: MOST_RUNS,
  })
  const { scores, suites } = await storage.loadScores(runs.map(({ id }) => id))
  const contents = new Map(testCases.map((testCase) => [testCase.id, contentOf(testCase)]))
  const sameOf = suites.map(
    (suite) =>
      new Set(
        suite?.testCases.flatMap((testCase) =>
          isDeepStrictEqual(contentOf(testCase), contents.get(testCase.id)) ? [testCase.id] : [],
        ),
      ),
  )
  const asked = new Set(models.map(withoutHost))
  const known = new Map(testCases.map(({ id }) => [id, new Map<string, number[]>()]))
  const { cells } = scores
  for (const [cell, score] of cells.score.entries()) {
    const run = cells.run[cell]!
    const id = scores.caseIds[cells.case[cell]!]!
    if (Number.isNaN(score) || !sameOf[run]!.has(id)) continue
    const model = withoutHost(modelOf(scores.modelIds[cells.model[cell]!]!, suites[run]?.variants))
    if (asked.has(model)) continue
    const ofCase = known.get(id)!
    const own = ofCase.get(model)
    if (own) own.push(score)
    else ofCase.set(model, [score])
  }
  return known
}

/** Why a score of the suite cannot be estimated from some of its cases, whatever is stored. */
function findProblem({ testCases, clusterBy, wordings, variants }: Suite, request: RunRequest): string | undefined {
  const { informative = 0, until, screen } = request
  if (until !== undefined || screen !== undefined)
    return '--informative draws the cases at the start, and --until and --screen stop asking; choose one of them'
  const isWorded = wordings !== undefined || variants?.some((variant) => variant.wordings === true)
  if (isWorded || testCases.some((testCase) => testCase.wordings || readCluster(testCase, clusterBy) !== undefined))
    return '--informative draws single cases, and those of this suite belong together (clusters or wordings); run all of them'
  if (new Set(testCases.map(({ weight }) => weight)).size > 1)
    return '--informative draws every case with the same chance, and those of this suite have different weights; run all of them'
  if (informative < FEWEST_ASKED)
    return `--informative needs at least ${FEWEST_ASKED} cases: fewer say too little about how precise the estimate is`
  if (informative >= testCases.length)
    return `the suite has ${testCases.length} cases to run; leave out --informative, or draw fewer`
  return undefined
}

/** So many of them, each with the same chance, in their order. */
function drawSample<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const keys = items.map((item, index) => ({ item, index, key: random() })).toSorted((a, b) => a.key - b.key)
  return keys
    .slice(0, count)
    .toSorted((a, b) => a.index - b.index)
    .map(({ item }) => item)
}

/**
 * With `informative`, the cases to ask: a simple random sample, with what other models scored on every case. Refused with
 * one sentence where the score of all could not be estimated. A stored run keeps its cases.
 */
export async function drawInformative(input: RunInput, { storage, random }: DrawTools): Promise<RunInput> {
  if (input.isSelected) return input
  const { history: _given, ...request } = input.request
  const { informative } = request
  const suite = selectCases(input.suite, request)
  if (informative === undefined || suite.testCases.length === 0) return { ...input, request }
  const problem = findProblem(suite, request)
  if (problem !== undefined) throw new InputError(problem)
  const known = storage ? await loadHistory(suite, request, storage) : new Map<string, Map<string, number[]>>()
  const counts = suite.testCases.map(({ id }) => known.get(id)?.size ?? 0)
  const lacking = counts.filter((count) => count < FEWEST_MODELS).length
  if (lacking > 0)
    throw new InputError(
      `--informative needs scores of at least ${FEWEST_MODELS} other models on every case, in stored runs of these very cases; ${lacking} of ${counts.length} cases have fewer. Nothing was sent; run the suite without it`,
    )
  const means = Object.fromEntries(
    Array.from(known, ([id, models]) => [id, meanOf(Array.from(models.values(), (scores) => meanOf(scores)))]),
  )
  return {
    ...input,
    isSelected: true,
    suite: { ...suite, testCases: drawSample(suite.testCases, informative, random) },
    request: { ...request, history: { models: Math.min(...counts), means } },
  }
}
