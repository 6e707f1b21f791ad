import { stateOfRuns, type RunKind, type RunState } from '../../../contract/index.ts'
import type { ComparedPair } from '../../../report/comparing/compare-runs.ts'
import { reportSide, type ReportedSide } from '../../../report/comparing/comparison.ts'
import type { CaseChanges, ComparedCell } from '../../../report/comparing/case-changes.ts'
import { pairModels, type ChosenModels, type ModelPair } from '../../../report/comparing/pair-models.ts'
import { describeSuiteChanges } from '../../../report/words/index.ts'
import type { ServerContext } from '../../context.ts'
import { notFound } from '../../http/refusal.ts'
import { findServedActivity } from '../../runs/run-activity.ts'
import { cutText } from '../fit-texts.ts'
import type { LoadedSelection } from '../selection/load-selection.ts'
import { createPauses } from '../selection/pauses.ts'
import { shortenId } from '../selection/resolve-selection.ts'
import { compareOnce, findCaseChanges, findChangesOfSuite } from './compared-pair.ts'

/** GET /api/compare?a=SELECTION&b=SELECTION&modelA=&modelB=: models of any two runs, case by case. */
export interface RunsComparison {
  a: ComparedSelection
  b: ComparedSelection
  /** Best of B first: each model with itself if both have it, else every one with every other. */
  pairs: ServedPair[]
  /** Pairs that were left out because they would take too long. */
  pairsLeftOut: number
  /** What to know first: variants of templates among the cases, and what differs between the suites and settings of the two. */
  notes: string[]
  /** Cases whose prompt, expected output or scoring is not the same in A and B. */
  changedCases: number
}

interface ComparedSelection extends ReportedSide {
  kind?: RunKind
  /** What people call the runs. */
  name?: string
  state: RunState
}

/** A pair of the report with its figures over the cases that are compared; its cases come page by page. */
export interface ServedPair extends Omit<ComparedPair, 'changes'> {
  changes: Omit<CaseChanges, 'cases'>
  /** Absent if no case is compared. */
  means?: { a: number; b: number }
  /** How many scored answers passed. */
  passed: { a: PassedOf; b: PassedOf }
}

interface PassedOf {
  passed: number
  count: number
}

/** Comparing a pair takes a quarter of a second for 20,000 cases. */
const MAX_PAIRED_CASES = 400_000
const MAX_PAIRS = 100

async function loadSide(
  { suite, scores: { runs }, results }: LoadedSelection,
  context: ServerContext,
): Promise<ComparedSelection> {
  const { rows } = await results.standings
  const [first] = runs
  const activityOf = await findServedActivity(runs, context)
  const side = reportSide(runs, { suite, models: rows.map(({ modelId }) => modelId) })
  return {
    ...side,
    title: cutText(side.title, 500),
    ...(first?.kind && { kind: first.kind }),
    ...(first?.label?.name !== undefined && { name: first.label.name }),
    state: stateOfRuns(runs.map(({ id }) => activityOf(id).state)),
  }
}

function checkModel({ scores }: LoadedSelection, modelId: string | undefined): void {
  if (modelId !== undefined && !scores.modelIds.includes(modelId)) throw notFound(`Model ${shortenId(modelId)}`)
}

function isSameSelection(a: LoadedSelection, b: LoadedSelection): boolean {
  return a.ids.join() === b.ids.join()
}

/** Means and passes over the cases that are compared, weighted as in the suite of B. */
function sumUp({ cases }: CaseChanges, weightOf: (caseId: string) => number): Pick<ServedPair, 'means' | 'passed'> {
  const passed = { a: { passed: 0, count: 0 }, b: { passed: 0, count: 0 } }
  const sums = { a: 0, b: 0, weight: 0 }
  const add = (side: 'a' | 'b', weight: number, cell: ComparedCell) => {
    sums[side] += weight * cell.score!
    passed[side].passed += cell.passed
    passed[side].count += cell.scored
  }
  for (const { id, kind, before, after } of cases) {
    if (kind === 'not compared' || !before || !after) continue
    const weight = weightOf(id)
    sums.weight += weight
    add('a', weight, before)
    add('b', weight, after)
  }
  return { ...(sums.weight > 0 && { means: { a: sums.a / sums.weight, b: sums.b / sums.weight } }), passed }
}

function weightsOf({ scores, facts }: LoadedSelection): (caseId: string) => number {
  const weights = new Map(
    facts.flatMap(({ weight }, index) => (weight === 1 ? [] : [[scores.caseIds[index]!, weight] as const])),
  )
  return (caseId) => weights.get(caseId) ?? 1
}

export interface ComparisonQuery {
  context: ServerContext
  chosen: ChosenModels
  isChangedCompared: boolean
  smallestDifference?: number | undefined
}

/** Compares models of two selections: what is better in B than in A, and what is worse. */
export async function createRunsComparison(
  a: LoadedSelection,
  b: LoadedSelection,
  { context, chosen, isChangedCompared, smallestDifference }: ComparisonQuery,
): Promise<RunsComparison> {
  checkModel(a, chosen.before)
  checkModel(b, chosen.after)
  const [sideA, sideB] = [await loadSide(a, context), await loadSide(b, context)]
  const suite = await findChangesOfSuite(a, b)
  const all = pairModels(sideA.models, sideB.models, { chosen, isSameRuns: isSameSelection(a, b) })
  const most = Math.max(1, Math.min(MAX_PAIRS, Math.floor(MAX_PAIRED_CASES / Math.max(1, b.scores.caseIds.length))))
  const pairs: ModelPair[] = all.slice(0, most)
  const leaveOut = isChangedCompared ? [] : [...suite.changed.keys()]
  const { comparisons, warning } = await compareOnce(a, b, { pairs, leaveOut, sameWithin: smallestDifference })
  const pauses = createPauses()
  const weightOf = weightsOf(b)
  const compared: ServedPair[] = []
  for (const [index, pair] of pairs.entries()) {
    const changes = await findCaseChanges([a, b], pair, { isChangedCompared })
    const { cases: _cases, ...counts } = changes
    const comparison = comparisons[index]
    compared.push({
      before: pair[0],
      after: pair[1],
      ...(comparison && { comparison }),
      changes: counts,
      ...sumUp(changes, weightOf),
    })
    if (pauses.isDue()) await pauses.take()
  }
  return {
    a: sideA,
    b: sideB,
    pairs: compared,
    pairsLeftOut: all.length - pairs.length,
    notes: [...(warning === undefined ? [] : [warning]), ...describeSuiteChanges(suite, { isChangedCompared })],
    changedCases: suite.changed.size,
  }
}
