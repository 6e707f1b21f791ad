import { InputError } from '../errors.ts'
import { readCluster } from '../suites/cluster.ts'
import { hasPassed, readPassMark, readPassMarks, type PassMark } from '../suites/pass-mark.ts'
import type { CellResult, Outcome, RunResult, WeightedCase } from '../runs/run.ts'
import type { CheckResult, JudgeVerdict } from './score.ts'
import {
  cellStates,
  copyCells,
  outcomes,
  selectRows,
  type CellColumns,
  type Columns,
  type ScoredRun,
  type Scores,
  type ScoreTable,
} from './score-table.ts'
import { cellStateOf, type CellState } from '../runs/states.ts'
import type { Suite } from '../suites/suite.ts'

/** True if cells of the run may have no result: it stopped early, was interrupted or is still in progress. */
export function isCutShort({ status, stopReason }: Pick<RunResult, 'status' | 'stopReason'>): boolean {
  return stopReason === 'decided' || (status !== undefined && status !== 'completed')
}

/** The table of the scores; weights and pass marks are those of the given cases, else of each run's own suite. */
export function toScoreTable(scores: Scores, testCases?: readonly WeightedCase[]): ScoreTable {
  if ('cells' in scores) return scores
  const builder = createScoreTable()
  for (const { results, testSuiteSnapshot, ...run } of [scores].flat()) {
    const { add, end } = builder.startRun(run, testSuiteSnapshot, testCases)
    for (const result of results) add(result)
    end()
  }
  return builder.finish()
}

/** Gives each distinct text an index in a growing list. */
function createIndex() {
  const texts: string[] = []
  const indices = new Map<string, number>()
  const indexOf = (text: string): number => {
    let index = indices.get(text)
    if (index === undefined) {
      index = texts.push(text) - 1
      indices.set(text, index)
    }
    return index
  }
  return { texts, indexOf, find: (text: string) => indices.get(text) }
}

function checkWeights(cases: readonly WeightedCase[]): void {
  let sum = 0
  for (const { id, weight = 1 } of cases) {
    sum += weight
    if (!Number.isFinite(weight) || weight <= 0)
      throw new InputError(
        `test case ${JSON.stringify(id)} has weight ${weight}; weights must be finite and greater than 0`,
      )
  }
  if (!Number.isFinite(sum))
    throw new InputError(
      'the weights of the test cases add up to more than a number can hold; divide them all by the same factor',
    )
}

/** Pass marks of the given cases, where they say anything about it, else of the run's own suite. */
function readMarks(
  suite: Suite | undefined,
  testCases: readonly WeightedCase[] | undefined,
): (testCaseId: string) => PassMark {
  const ownMarkOf = readPassMarks(suite)
  const given = (testCases ?? []).filter(({ passAt, scoringMethod, checks }) => passAt ?? scoringMethod ?? checks)
  if (given.length === 0) return ownMarkOf
  const marks = new Map(given.map((testCase) => [testCase.id, readPassMark(testCase, suite?.passAt)]))
  return (testCaseId) => marks.get(testCaseId) ?? ownMarkOf(testCaseId)
}

/** The clusters of the given cases, where they name any, else of the run's own suite. */
function listClusters(
  suite: Suite | undefined,
  testCases: readonly WeightedCase[] | undefined,
): [testCaseId: string, cluster: string][] {
  return [...(suite?.testCases ?? []), ...(testCases ?? [])].flatMap((testCase) => {
    const cluster = readCluster(testCase, suite?.clusterBy)
    return cluster === undefined ? [] : [[testCase.id, cluster]]
  })
}

function readScore({ score: result, modelId, testCaseId }: CellResult, runId: string): number {
  const score: unknown = result?.score
  if (score === undefined) return Number.NaN
  if (typeof score === 'number' && score >= 0 && score <= 1) return score
  throw new InputError(
    `run ${runId}: model ${modelId} has score ${typeof score === 'string' ? JSON.stringify(score) : String(score)} on test case ${testCaseId}; scores must be 0 to 1`,
  )
}

const ANSWERED: ReadonlySet<Outcome | undefined> = new Set<Outcome>([
  'ok',
  'empty',
  'refusal',
  'filtered',
  'truncated',
  'limit',
])

/** The answer itself may not have been loaded. */
function isAnswered({ response, latencyMs, outcome }: CellResult): boolean {
  return (response ?? latencyMs) !== undefined || ANSWERED.has(outcome)
}

function readReason({ unscored, outcome, error }: CellResult, state: CellState): string {
  if (state !== 'unscored' && state !== 'error') return 'not-run'
  return unscored?.code ?? outcome ?? (error === undefined ? 'not-scored' : 'error')
}

/** The texts of a suite's criteria, by case and id: a stored score may come without them. */
type CriteriaByCase = Map<string, Map<string, string>>

function readCriteria(suite: Suite | undefined): CriteriaByCase {
  const texts: CriteriaByCase = new Map()
  for (const { id, ...testCase } of suite?.testCases ?? []) {
    const criteria: unknown = testCase['criteria']
    if (!Array.isArray(criteria)) continue
    texts.set(id, new Map(criteria.map((criterion: unknown, index) => readCriterion(criterion, index))))
  }
  return texts
}

function readCriterion(criterion: unknown, index: number): [id: string, text: string] {
  if (typeof criterion === 'string') return [String(index + 1), criterion]
  const { id, text, criterion: other } = (criterion ?? {}) as Record<string, unknown>
  return [String(id ?? index + 1), String(text ?? other ?? '')]
}

/** A rubric may be one of several checks, or in a group of them. */
function listCriteria(checks: readonly CheckResult[]): CheckResult[] {
  return checks.flatMap((check) =>
    check.scoringMethod === 'criterion' ? [check] : check.checks ? listCriteria(check.checks) : [],
  )
}

/** What people said, without their notes. */
function readRatings({ rating, ratings }: CellResult): Pick<CellResult, 'rating' | 'ratings'> {
  return {
    ...(rating?.rating !== undefined && { rating: { rating: rating.rating } }),
    ...(ratings && { ratings: ratings.map(({ note: _note, ...own }) => own) }),
  }
}

const noCells: CellColumns = {
  run: new Uint32Array(),
  case: new Uint32Array(),
  model: new Uint32Array(),
  score: new Float64Array(),
  weight: new Float64Array(),
  passed: new Uint8Array(),
  state: new Uint8Array(),
  reason: new Uint32Array(),
  outcome: new Uint8Array(),
  answered: new Uint8Array(),
  compared: new Uint8Array(),
  latencyMs: new Float64Array(),
  firstTokenMs: new Float64Array(),
  cachedAt: new Float64Array(),
  cost: new Float64Array(),
  host: new Uint32Array(),
  leftOut: new Uint32Array(),
}

/** What a run's cells of one case have in common. */
interface RunCase {
  id: string
  index: number
  weight: number
  mark: PassMark
  /** The case that came after it when it came last. */
  next: RunCase | undefined
}

/** One model in one run. */
interface RunModel {
  index: number
  /** 1 for each case that has a cell, by its index; cases beyond the end have none. */
  hasCell: Uint8Array<ArrayBuffer>
}

function push<Name extends string>(columns: Columns<Name>, row: Record<Name, number>): void {
  for (const name in columns) columns[name].push(row[name])
}

/** Builds a table run by run and cell by cell. Rejects a second result for the same cell: neither could be preferred. */
export function createScoreTable() {
  const cases = createIndex()
  const clusters = createIndex()
  /** Of each case that is in one. */
  const clusterOf = new Map<string, number>()
  const models = createIndex()
  const judges = createIndex()
  const reasons = createIndex()
  const criteria = createIndex()
  const hosts = createIndex()
  const leftOut = createIndex()
  const runs: ScoredRun[] = []
  let cells = noCells
  let cellCount = 0
  const grades: ScoreTable['grades'] = { cell: [], panel: [], judge: [], score: [], shift: [] }
  const missingJudges: ScoreTable['missingJudges'] = { cell: [], judge: [] }
  const criterionScores: ScoreTable['criterionScores'] = { cell: [], criterion: [], score: [] }
  const comparisons: ScoreTable['comparisons'] = { cell: [], opponent: [], score: [], judges: [], inconsistent: [] }
  const otherReadings: ScoreTable['otherReadings'] = { cell: [], passes: [] }
  const styles: ScoreTable['styles'] = { cell: [], length: [], headers: [], listItems: [], bold: [], codeBlocks: [] }
  const userWords: ScoreTable['userWords'] = { cell: [], words: [] }
  const ratings: ScoreTable['ratings'] = []
  /** Opponents may come later: their indices are found at the end. */
  const opponents: string[] = []

  const addGrades = (
    verdicts: readonly JudgeVerdict[],
    { cell, panel, combined, share }: { cell: number; panel: number; combined: number; share: number },
  ) => {
    for (const { judgeModelId, score } of verdicts)
      push(grades, { cell, panel, judge: judges.indexOf(judgeModelId), score, shift: share * (score - combined) })
  }

  /** The judges of a group are also those of its checks, which say how much of the score each of them gave. */
  const addGradesOfChecks = (
    checks: readonly CheckResult[],
    { cell, share, before = 0 }: { cell: number; share: number; before?: number },
  ): number => {
    let panel = before
    const total = checks.reduce((sum, { weight }) => sum + weight, 0)
    for (const { judges: verdicts, score: combined, weight, ...check } of checks) {
      const own = { cell, share: (share * weight) / total }
      if (check.scoringMethod === 'group' && check.checks)
        panel = addGradesOfChecks(check.checks, { ...own, before: panel })
      else {
        panel++
        if (verdicts) addGrades(verdicts, { ...own, panel, combined })
      }
    }
    return panel
  }

  /** Everything about a score that few runs have. */
  const addDetails = (cell: number, { testCaseId, modelId, score }: CellResult, criteriaOf: CriteriaByCase) => {
    if (!score) return
    // The judges of a rubric are those of its criteria: each counts once, with its total.
    if (score.judges) addGrades(score.judges, { cell, panel: 0, combined: score.score, share: 1 })
    else addGradesOfChecks(score.checks ?? [], { cell, share: 1 })
    for (const { judgeModelId } of score.missingJudges ?? [])
      push(missingJudges, { cell, judge: judges.indexOf(judgeModelId) })
    if (score.checks)
      for (const { id, name, score: given } of listCriteria(score.checks)) {
        const text = (name ?? (id === undefined ? undefined : criteriaOf.get(testCaseId)?.get(id)) ?? '').trim()
        if (text !== '') push(criterionScores, { cell, criterion: criteria.indexOf(text), score: given })
      }
    if (score.otherReading) push(otherReadings, { cell, passes: score.otherReading === 'passes' ? 1 : 0 })
    if (score.style) push(styles, { cell, ...score.style })
    if (score.userWords !== undefined) push(userWords, { cell, words: score.userWords })
    // Every pair is stored with both of its answers: it is read where its model comes first by name.
    for (const { opponentId, score: points, judges: judgements = [] } of score.comparisons ?? [])
      if (modelId < opponentId) {
        const inconsistent = judgements.filter(({ isConsistent }) => !isConsistent).length
        const opponent = opponents.push(opponentId) - 1
        push(comparisons, { cell, opponent, score: points, judges: judgements.length, inconsistent })
      }
  }

  return {
    /** Add the cells of the run in their order, then end it. */
    startRun(
      run: Omit<ScoredRun, 'suite'>,
      suite: Suite | undefined,
      testCases?: readonly WeightedCase[],
    ): { add: (result: CellResult) => void; end: () => void } {
      const weighted: readonly WeightedCase[] = testCases ?? suite?.testCases ?? []
      checkWeights(weighted)
      const weights = new Map(weighted.map(({ id, weight = 1 }) => [id, weight]))
      for (const [id, cluster] of listClusters(suite, testCases)) clusterOf.set(id, clusters.indexOf(cluster))
      const markOf = readMarks(suite, testCases)
      const criteriaOf = readCriteria(suite)
      const suiteCases = suite && {
        name: suite.name,
        cases: Uint32Array.from(suite.testCases, ({ id }) => cases.indexOf(id)),
        weights: Float64Array.from(suite.testCases, ({ id }) => weights.get(id) ?? 1),
        ...(suite.testCases.some(({ metadata }) => metadata?.category !== undefined) && {
          categories: suite.testCases.map(({ metadata }) => metadata?.category),
        }),
        ...(suite.smallestDifference !== undefined && { smallestDifference: suite.smallestDifference }),
      }
      const runIndex = runs.push({ ...run, ...(suiteCases && { suite: suiteCases }) }) - 1
      const caseOf = new Map<string, RunCase>()
      const addCase = (testCaseId: string): RunCase => {
        const added = {
          id: testCaseId,
          index: cases.indexOf(testCaseId),
          weight: weights.get(testCaseId) ?? 1,
          mark: markOf(testCaseId),
          next: undefined,
        }
        caseOf.set(testCaseId, added)
        return added
      }
      // Cells come by case or, in the order of cases, by model: most are found without looking up the text.
      let last: RunCase | undefined
      const findCase = (testCaseId: string): RunCase => {
        if (last?.id === testCaseId) return last
        const next = last?.next
        const found = next?.id === testCaseId ? next : (caseOf.get(testCaseId) ?? addCase(testCaseId))
        if (last) last.next = found
        last = found
        return found
      }
      const ownModels = new Map<string, RunModel>()
      const addModel = (modelId: string): RunModel => {
        const added = { index: models.indexOf(modelId), hasCell: new Uint8Array(cases.texts.length) }
        ownModels.set(modelId, added)
        return added
      }
      run.models.forEach(addModel)

      const add = (result: CellResult) => {
        const { testCaseId, modelId, score, outcome } = result
        const { index: caseIndex, weight, mark } = findCase(testCaseId)
        const model = ownModels.get(modelId) ?? addModel(modelId)
        if (caseIndex >= model.hasCell.length)
          model.hasCell = new Uint8Array(model.hasCell.buffer.transfer(2 * caseIndex + 1))
        if (model.hasCell[caseIndex] === 1)
          throw new InputError(`run ${run.id} has two results of model ${modelId} for test case ${testCaseId}`)
        model.hasCell[caseIndex] = 1
        const value = readScore(result, run.id)
        // A score without a number is none.
        const state = score && Number.isNaN(value) ? 'error' : cellStateOf(result)
        const cell = cellCount++
        if (cell === cells.run.length) cells = copyCells(cells, Math.max(1024, 2 * cell))
        cells.run[cell] = runIndex
        cells.case[cell] = caseIndex
        cells.model[cell] = model.index
        cells.score[cell] = value
        cells.weight[cell] = weight
        cells.passed[cell] = score && hasPassed(score, mark) ? 1 : 0
        cells.state[cell] = cellStates.indexOf(state)
        cells.reason[cell] = state === 'scored' ? 0 : reasons.indexOf(readReason(result, state))
        cells.outcome[cell] = outcome === undefined ? 0 : outcomes.indexOf(outcome) + 1
        cells.answered[cell] = isAnswered(result) ? 1 : 0
        cells.compared[cell] = score?.comparisons ? 1 : 0
        cells.latencyMs[cell] = result.latencyMs ?? Number.NaN
        cells.firstTokenMs[cell] = result.firstTokenMs ?? Number.NaN
        cells.cachedAt[cell] = result.cachedAt ?? Number.NaN
        cells.cost[cell] = result.cost ?? Number.NaN
        cells.host[cell] = result.servedBy === undefined ? 0 : hosts.indexOf(result.servedBy) + 1
        cells.leftOut[cell] = result.leftOut?.length ? leftOut.indexOf(result.leftOut.join(', ')) + 1 : 0
        addDetails(cell, result, criteriaOf)
        if ((result.rating ?? result.ratings) !== undefined) ratings.push({ cell, ...readRatings(result) })
      }

      /** Cells that a run did not get to count as missing. */
      const end = () => {
        if (!isCutShort(run)) return
        for (const { id: testCaseId } of suite?.testCases ?? [])
          for (const modelId of run.models)
            if (ownModels.get(modelId)?.hasCell[cases.indexOf(testCaseId)] !== 1)
              add({ testCaseId, modelId, outcome: 'cancelled' })
      }
      return { add, end }
    },
    finish(): ScoreTable {
      const opponent = comparisons.opponent.map((index) => models.find(opponents[index]!) ?? -1)
      return {
        runs,
        caseIds: cases.texts,
        clusters: Int32Array.from(cases.texts, (id) => clusterOf.get(id) ?? -1),
        clusterIds: clusters.texts,
        modelIds: models.texts,
        judgeIds: judges.texts,
        reasons: reasons.texts,
        criteria: criteria.texts,
        hosts: hosts.texts,
        leftOut: leftOut.texts,
        cells: copyCells(cells, cellCount),
        grades,
        missingJudges,
        criterionScores,
        // Runs that are shown together may have models under other names than their opponents know.
        comparisons: selectRows({ ...comparisons, opponent }, (row) => opponent[row]! >= 0),
        otherReadings,
        styles,
        userWords,
        ratings,
      }
    },
  }
}
