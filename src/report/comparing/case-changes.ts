import { hasPassed, readCluster, readPassMarks, type CellState, type RunResult } from '../../contract/index.ts'
import { countFlips, type Flips } from '../../statistics/count-flips.ts'
import { sameScoreTolerance } from '../../statistics/numbers/weighted-moments.ts'
import type { ChangedPart, SuiteChanges } from './suite-changes.ts'

/** One model on one case, over the runs of one side. */
export interface ComparedCell {
  /** Mean over the answers with a score. */
  score?: number
  /** How many of the `scored` answers passed. */
  passed: number
  scored: number
  state: CellState
  /** Undefined for a case that is its own. */
  cluster?: string | undefined
}

/** One model of some runs, by case. */
export interface ComparedCases {
  /** In the order of the suite. */
  caseIds: readonly string[]
  /** Undefined for a case that the runs do not have. */
  cellOf(caseId: string): ComparedCell | undefined
}

/** Why a case counts neither as better nor as worse. */
export type NotCompared = 'changed' | 'error' | 'unscored' | 'skipped' | 'only before' | 'only after'

export interface CaseChange {
  id: string
  kind: 'better' | 'worse' | 'same' | 'not compared'
  before?: ComparedCell
  after?: ComparedCell
  /** After − before, if both have a score. */
  difference?: number
  /** `lost`: passed before and not after. `gained`: the other way round. Over several runs: in most of them. */
  pass?: 'lost' | 'gained' | undefined
  why?: NotCompared
  /** What differs between the two versions of the case. */
  changed?: readonly ChangedPart[]
}

/** What changed from one column to the other, case by case. */
export interface CaseChanges {
  /** What to read first comes first: passed before and not after, then by size; unchanged and not compared come last. */
  cases: CaseChange[]
  better: number
  worse: number
  same: number
  lost: number
  gained: number
  /**
   * `lost`, `gained` and both together as shares of the cases that clearly passed or failed on both sides; absent if
   * there is none.
   */
  flips?: Flips
  notCompared: Record<NotCompared, number>
}

export const changeFilters = ['all', 'worse', 'better', 'same', 'not compared'] as const

export type ChangeFilter = (typeof changeFilters)[number]

export function filterChanges({ cases }: CaseChanges, filter: ChangeFilter): CaseChange[] {
  return filter === 'all' ? cases : cases.filter(({ kind }) => kind === filter)
}

/** The cell of each case, from stored runs. */
export function readCases(runs: readonly RunResult[], modelId: string): ComparedCases {
  const cells = new Map<string, ComparedCell>()
  const clusterOf = new Map(
    runs.flatMap(({ testSuiteSnapshot: suite }) =>
      (suite?.testCases ?? []).map((testCase) => [testCase.id, readCluster(testCase, suite?.clusterBy)]),
    ),
  )
  const open = (caseId: string): ComparedCell => {
    const cell = cells.get(caseId) ?? { passed: 0, scored: 0, state: 'skipped', cluster: clusterOf.get(caseId) }
    cells.set(caseId, cell)
    return cell
  }
  for (const { models, results, testSuiteSnapshot } of runs) {
    if (models.includes(modelId)) for (const { id } of testSuiteSnapshot?.testCases ?? []) open(id)
    const markOf = readPassMarks(testSuiteSnapshot)
    for (const { modelId: ofModel, testCaseId, score, unscored, outcome } of results) {
      if (ofModel !== modelId) continue
      const cell = open(testCaseId)
      if (score) {
        cell.score = ((cell.score ?? 0) * cell.scored + score.score) / (cell.scored + 1)
        cell.scored += 1
        cell.passed += hasPassed(score, markOf(testCaseId)) ? 1 : 0
        cell.state = 'scored'
      } else if (cell.state !== 'scored' && unscored) cell.state = 'unscored'
      else if (cell.state === 'skipped' && outcome !== 'cancelled') cell.state = 'error'
    }
  }
  return { caseIds: [...cells.keys()], cellOf: (caseId) => cells.get(caseId) }
}

/** Passed in most of its runs; undefined if it passed in exactly half of them. */
function passedByMost({ passed, scored }: ComparedCell): boolean | undefined {
  return passed * 2 === scored ? undefined : passed * 2 > scored
}

/** Who passed before and after, if both are clear. */
interface Outcomes {
  before: boolean[]
  after: boolean[]
  clusters: (string | undefined)[]
}

function findPassChange(before: ComparedCell, after: ComparedCell): CaseChange['pass'] {
  const [first, second] = [passedByMost(before), passedByMost(after)]
  if (first === undefined || second === undefined || first === second) return undefined
  return first ? 'lost' : 'gained'
}

function addOutcomes(outcomes: Outcomes, { before, after }: CaseChange): void {
  const [first, second] = [before && passedByMost(before), after && passedByMost(after)]
  if (first === undefined || second === undefined) return
  outcomes.before.push(first)
  outcomes.after.push(second)
  outcomes.clusters.push(after?.cluster ?? before?.cluster)
}

/** The state that is worse news, if neither or only one side has a score. */
const STATES = ['error', 'unscored', 'skipped'] as const

function findWhyNotCompared(
  before: ComparedCell | undefined,
  after: ComparedCell | undefined,
): NotCompared | undefined {
  if (!before) return 'only after'
  if (!after) return 'only before'
  return STATES.find((state) => before.state === state || after.state === state)
}

function compareCells(
  { id, before, after }: Pick<CaseChange, 'id' | 'before' | 'after'>,
  { changed, otherMark }: Pick<SuiteChanges, 'changed' | 'otherMark'>,
  isChangedCompared: boolean,
): CaseChange {
  const parts = changed.get(id)
  const about = { id, ...(before && { before }), ...(after && { after }), ...(parts && { changed: parts }) }
  const missing = findWhyNotCompared(before, after)
  if (missing !== undefined) return { ...about, kind: 'not compared', why: missing }
  const difference = after!.score! - before!.score!
  if (parts && !isChangedCompared) return { ...about, difference, kind: 'not compared', why: 'changed' }
  const pass = otherMark.has(id) ? undefined : findPassChange(before!, after!)
  const isSame = Math.abs(difference) <= sameScoreTolerance
  return {
    ...about,
    difference,
    kind: isSame ? 'same' : difference > 0 ? 'better' : 'worse',
    ...(pass && { pass }),
  }
}

const KIND_ORDER: Record<CaseChange['kind'], number> = { worse: 1, better: 1, same: 2, 'not compared': 3 }

function orderOf({ kind, pass }: CaseChange): number {
  return pass === 'lost' ? 0 : KIND_ORDER[kind]
}

const changeSize = ({ kind, difference = 0 }: CaseChange) => (kind === 'not compared' ? 0 : Math.abs(difference))

export interface ChangeOptions {
  suite: Pick<SuiteChanges, 'changed' | 'otherMark'>
  /** Counts changed cases like the others instead of leaving them out. */
  isChangedCompared?: boolean
}

/** Compares two columns case by case. Errors, cells that were not run and changed cases are neither better nor worse. */
export function listCaseChanges(
  before: ComparedCases,
  after: ComparedCases,
  { suite, isChangedCompared = false }: ChangeOptions,
): CaseChanges {
  const changes: CaseChanges = {
    cases: [],
    better: 0,
    worse: 0,
    same: 0,
    lost: 0,
    gained: 0,
    notCompared: { changed: 0, error: 0, unscored: 0, skipped: 0, 'only before': 0, 'only after': 0 },
  }
  const outcomes: Outcomes = { before: [], after: [], clusters: [] }
  const add = (id: string, earlier: ComparedCell | undefined, later: ComparedCell | undefined) => {
    if (!earlier && !later) return
    const change = compareCells(
      { id, ...(earlier && { before: earlier }), ...(later && { after: later }) },
      suite,
      isChangedCompared,
    )
    if (change.why) changes.notCompared[change.why] += 1
    else if (change.kind !== 'not compared') changes[change.kind] += 1
    if (change.pass) changes[change.pass] += 1
    if (change.kind !== 'not compared' && !suite.otherMark.has(id)) addOutcomes(outcomes, change)
    changes.cases.push(change)
  }
  for (const id of after.caseIds) add(id, before.cellOf(id), after.cellOf(id))
  // A case that both suites have is in `after.caseIds` too.
  for (const id of before.caseIds) if (!after.cellOf(id)) add(id, before.cellOf(id), undefined)
  if (outcomes.before.length > 0) changes.flips = countFlips(outcomes.before, outcomes.after, outcomes.clusters)
  changes.cases.sort((left, right) => orderOf(left) - orderOf(right) || changeSize(right) - changeSize(left))
  return changes
}
