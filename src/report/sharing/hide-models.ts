import {
  type CellResult,
  type Check,
  type RunRequest,
  type RunResult,
  type ScoringResult,
  type Suite,
  runRequestSchema,
  suiteSchema,
  testCaseSchema,
} from '../../contract/index.ts'
import { listJudges } from '../model/verdict/judge-notes.ts'
import { sha256 } from '../model/sha256.ts'
import { createRename, type Rename } from './model-aliases.ts'
import { baseOf, nameModels, variantsOf, type SharedRuns } from './name-models.ts'

/** Names of scoring methods, roles and choices: a model called `judge` must not change what they mean. */
const VALUES = new Set(
  `exact-match regex-match numeric-tolerance boolean llm-judge tool-calls json-match json-schema multiple-choice math text-overlap instructions code-tests group
  pairwise rubric similar code-arena page-tests page-steps page-similarity none javascript tool-names valid-tool-calls end-state world said turns latency cost system user assistant tool function text image mean median decided
  all best good-enough factuality faithfulness relevance completeness style safety`.split(/\s+/),
)

/** Fields of suites, cases, checks, scores and requests. */
const KEYS = new Set([
  ...Object.keys(suiteSchema.shape),
  ...Object.keys(testCaseSchema.shape),
  ...Object.keys(runRequestSchema.shape),
  ...`role content type image category difficulty tags models parameters score passed confidence notes rawScore maxScore
  judges missingJudges judgeModelId reasoning reason comparisons opponentId isConsistent style length headers listItems
  bold codeBlocks checks otherReading rating note rater queueId arguments expectedCalls tools`.split(/\s+/),
])

/** Whether a whole text is a word of the program, and so names no model. */
export const isProgramValue = (text: string): boolean => VALUES.has(text)

const isProgramKey = (key: string): boolean => KEYS.has(key)

export interface HiddenRuns extends SharedRuns {
  /** The new name of a model. */
  nameOf(id: string): string
  /** Replaces the names of models in a text. */
  rename: Rename
  /** The new id of a test case, which may contain the name of a model. */
  caseOf(id: string): string
}

/** Renames all texts in a value, keys included, but for the words of the program. */
function renameIn<Value>(value: Value, rename: Rename): Value {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return isProgramValue(part) ? part : rename(part)
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, field]) => [isProgramKey(key) ? key : rename(key), walk(field)]),
    )
  }
  return walk(value) as Value
}

/** New names that stay distinct: two cases must not become one. */
function renameApart(ids: Iterable<string>, rename: Rename): Map<string, string> {
  const taken = new Set<string>()
  return new Map(
    Array.from(ids, (id) => {
      const name = rename(id)
      let unique = name
      for (let count = 2; taken.has(unique); count++) unique = `${name} (${count})`
      taken.add(unique)
      return [id, unique]
    }),
  )
}

function listCaseIds(runs: readonly RunResult[]): Set<string> {
  return new Set(
    runs.flatMap(({ testSuiteSnapshot, results }) => [
      ...(testSuiteSnapshot?.testCases ?? []).map(({ id }) => id),
      ...results.map(({ testCaseId }) => testCaseId),
    ]),
  )
}

/** What the functions below need to know. */
interface Hiding {
  rename: Rename
  caseOf: (id: string) => string
  /** The new name of an id, with its variant. */
  nameOf: (id: string) => string
  raterOf: (rater: string) => string
  /** Whether the notes on the score of a case say how fast or expensive the answer was. */
  isMeasured: (testCaseId: string) => boolean
}

/** Cases with a check of latency or cost. */
function listMeasuredCases(runs: readonly RunResult[]): Set<string> {
  const isMeasured = ({ scoringMethod = '', checks = [] }: { scoringMethod?: string; checks?: Check[] }): boolean =>
    scoringMethod === 'latency' || scoringMethod === 'cost' || checks.some(isMeasured)
  return new Set(
    runs.flatMap(({ testSuiteSnapshot }) =>
      (testSuiteSnapshot?.testCases ?? []).filter(isMeasured).map(({ id }) => id),
    ),
  )
}

function withoutNotes({ notes: _notes, checks, ...score }: ScoringResult): ScoringResult {
  return {
    ...score,
    ...(checks && {
      checks: checks.map(({ id, name, scoringMethod, weight, ...check }) => ({
        ...withoutNotes(check),
        ...(id !== undefined && { id }),
        ...(name !== undefined && { name }),
        scoringMethod,
        weight,
      })),
    }),
  }
}

function hideScore<Score extends ScoringResult>(score: Score, hiding: Hiding): Score {
  const { nameOf, rename } = hiding
  const named = <Verdict extends { judgeModelId: string }>(verdicts: readonly Verdict[]): Verdict[] =>
    verdicts.map((verdict) => ({ ...renameIn(verdict, rename), judgeModelId: nameOf(verdict.judgeModelId) }))
  const { judges, missingJudges, comparisons, checks } = score
  return {
    ...renameIn(score, rename),
    ...(judges && { judges: named(judges) }),
    ...(missingJudges && {
      missingJudges: missingJudges.map(({ judgeModelId }) => ({
        judgeModelId: nameOf(judgeModelId),
        reason: 'no verdict',
      })),
    }),
    ...(comparisons && {
      comparisons: comparisons.map((comparison) => ({
        ...renameIn(comparison, rename),
        opponentId: nameOf(comparison.opponentId),
        ...(comparison.judges && { judges: named(comparison.judges) }),
        ...(comparison.missingJudges && {
          missingJudges: comparison.missingJudges.map(({ judgeModelId }) => ({
            judgeModelId: nameOf(judgeModelId),
            reason: 'no verdict',
          })),
        }),
      })),
    }),
    ...(checks && { checks: checks.map((check) => hideScore(check, hiding)) }),
  }
}

/**
 * A cell without what gives its model away: its cost, tokens and speed, and messages of its provider. Fields that are not
 * named here are left out.
 */
function hideCell(cell: CellResult, hiding: Hiding): CellResult {
  const { testCaseId, modelId, status, outcome, response, toolCalls, score, unscored, error, rating, ratings } = cell
  const { rename, nameOf, raterOf, caseOf } = hiding
  return {
    // That answers were reused must be said in every report.
    ...Object.fromEntries(
      Object.entries(cell).filter(([key, value]) => key === 'cachedAt' && typeof value === 'number'),
    ),
    testCaseId: caseOf(testCaseId),
    modelId: nameOf(modelId),
    ...(status && { status }),
    ...(outcome && { outcome }),
    ...(response !== undefined && { response: rename(response) }),
    ...(toolCalls && { toolCalls: renameIn(toolCalls, rename) }),
    ...(score && { score: hideScore(hiding.isMeasured(testCaseId) ? withoutNotes(score) : score, hiding) }),
    ...(unscored && { unscored: { code: unscored.code, message: `no score (${unscored.code})` } }),
    ...(error !== undefined && { error: 'the request failed' }),
    ...(rating && { rating: renameIn(rating, rename) }),
    ...(ratings && { ratings: ratings.map((said) => ({ ...renameIn(said, rename), rater: raterOf(said.rater) })) }),
  }
}

function hideSuite(suite: Suite, { rename, nameOf, caseOf }: Hiding): Suite {
  return {
    ...renameIn(suite, rename),
    testCases: suite.testCases.map((testCase) => ({ ...renameIn(testCase, rename), id: caseOf(testCase.id) })),
    ...(suite.variants && {
      variants: suite.variants.map((variant) => ({
        ...renameIn(variant, rename),
        ...(variant.models && { models: variant.models.map(nameOf) }),
      })),
    }),
  }
}

/** Without the endpoint, which says whose models they are, the provider's limits, the budget and who paid for it. */
function hideRequest(request: RunRequest, { rename, nameOf }: Hiding): RunRequest {
  const {
    endpoint: _endpoint,
    maxCost: _maxCost,
    follows: _follows,
    project: _project,
    startedBy: _person,
    modelPrices: _prices,
    ...other
  } = request
  const { requestsPerMinute: _requests, tokensPerMinute: _tokens, ...rest } = other
  return {
    ...renameIn(rest, rename),
    models: request.models.map(nameOf).toSorted(),
    ...(request.modelParameters && {
      modelParameters: Object.fromEntries(
        Object.entries(request.modelParameters).map(([model, parameters]) => [nameOf(model), parameters]),
      ),
    }),
    judgeModelIds: request.judgeModelIds.map(nameOf),
    ...(request.orderSeed !== undefined && { orderSeed: request.orderSeed }),
  }
}

/** Written by the program, which names no model there. */
const OWN_VERSIONS = new Set(['benchmaker', 'judgePrompt', 'suiteHash', 'leftOut'])

/** Names of files and runs may be names of models. */
const HIDDEN_VERSIONS = new Set(['importedFile', 'answersOf', 'importedModel'])

/**
 * The runs with `Model A`, `Model B`, … wherever they name a model, in the order of the leaderboard. Left out: costs,
 * tokens and times, which identify a model by its price and speed; messages of providers; endpoints; run ids, labels and
 * the names of people.
 */
export function hideModels(shared: SharedRuns): HiddenRuns {
  const { runs, calibrations } = shared
  const variants = variantsOf(runs)
  const names = nameModels(shared)
  const rename = createRename(names)
  const nameOf = (id: string) => {
    const base = baseOf(id, variants)
    return (names.get(base) ?? rename(base)) + (base === id ? '' : `@${rename(id.slice(base.length + 1))}`)
  }
  const raters = [
    ...new Set(runs.flatMap(({ results }) => results.flatMap(({ ratings = [] }) => ratings.map(({ rater }) => rater)))),
  ]
  const raterOf = (rater: string) => `Person ${raters.indexOf(rater) + 1}`
  const cases = renameApart(listCaseIds(runs), rename)
  const measured = listMeasuredCases(runs)
  const hiding: Hiding = {
    rename,
    nameOf,
    raterOf,
    caseOf: (id) => cases.get(id) ?? rename(id),
    isMeasured: (id) => measured.has(id),
  }
  const idOf = (kind: string, id: string) => `${kind}-${sha256(id).slice(0, 8)}`
  const hideRun = (run: RunResult): RunResult => {
    const { id, seriesId, testSuiteName, testSuiteSnapshot: suite, request, versions, judgeModel, ratingQueues } = run
    const { models, parameters, startedAt, completedAt, status, stopReason } = run
    const places = new Map(run.results.map(({ testCaseId }, index) => [testCaseId, index]))
    return {
      id: idOf('run', id),
      ...(seriesId !== undefined && { seriesId: idOf('series', seriesId) }),
      ...(testSuiteName !== undefined && { testSuiteName: rename(testSuiteName) }),
      ...(suite && { testSuiteSnapshot: hideSuite(suite, hiding) }),
      models: models.map(nameOf).toSorted(),
      ...(parameters && { parameters }),
      ...(judgeModel !== undefined && { judgeModel: listJudges([run]).map(nameOf).join(',') }),
      ...(startedAt !== undefined && { startedAt }),
      ...(completedAt !== undefined && { completedAt }),
      ...(status && { status }),
      ...(stopReason && { stopReason }),
      ...(request && { request: hideRequest(request, hiding) }),
      results: run.results
        .toSorted(
          (a, b) =>
            places.get(a.testCaseId)! - places.get(b.testCaseId)! ||
            (nameOf(a.modelId) < nameOf(b.modelId) ? -1 : nameOf(a.modelId) > nameOf(b.modelId) ? 1 : 0),
        )
        .map((cell) => hideCell(cell, hiding)),
      ...(versions && {
        versions: Object.fromEntries(
          Object.entries(versions).flatMap(([key, value]) =>
            HIDDEN_VERSIONS.has(key) ? [] : [OWN_VERSIONS.has(key) ? [key, value] : [rename(key), rename(value)]],
          ),
        ),
      }),
      ...(ratingQueues && {
        ratingQueues: ratingQueues.map((queue) => ({
          ...queue,
          id: rename(queue.id),
          seed: rename(queue.seed),
          runIds: queue.runIds.map((runId) => idOf('run', runId)),
          strata: queue.strata.map((stratum) => ({ ...stratum, modelId: nameOf(stratum.modelId) })),
          items: queue.items.map((item) => ({
            ...item,
            runId: idOf('run', item.runId),
            testCaseId: hiding.caseOf(item.testCaseId),
            modelId: nameOf(item.modelId),
          })),
        })),
      }),
    }
  }
  return {
    nameOf,
    rename,
    caseOf: hiding.caseOf,
    runs: runs.map(hideRun),
    ...(calibrations && {
      calibrations: calibrations.flatMap((standing) =>
        // Judges of other runs say nothing here.
        names.has(standing.judgeModelId) ? [{ ...standing, judgeModelId: nameOf(standing.judgeModelId) }] : [],
      ),
    }),
  }
}
