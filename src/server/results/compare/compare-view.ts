import { stateOfRuns, type RunKind, type RunState } from '../../../contract/index.ts'
import type { ModelComparison } from '../../../statistics/index.ts'
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
  pairs: ComparedModels[]
  /** Pairs that were left out because they would take too long. */
  pairsLeftOut: number
  /** What differs between the suites and settings of the two, a sentence each. */
  notes: string[]
  /** Cases whose prompt, expected output or scoring is not the same in A and B. */
  changedCases: number
}

interface ComparedSelection {
  kind?: RunKind
  title: string
  runs: string[]
  startedAt?: number
  /** What people call them. */
  name?: string
  /** The file that the runs were imported from. */
  file?: string
  /** Best first. */
  models: string[]
  state: RunState
}

export interface ComparedModels extends Omit<CaseChanges, 'cases'> {
  modelA: string
  modelB: string
  /** Over the cases that are compared; absent if there are none. */
  means?: { a: number; b: number }
  passedA: PassedOf
  passedB: PassedOf
  /** B − A, paired over the cases both have. */
  comparison?: ModelComparison
}

/** How many scored answers to the compared cases passed. */
interface PassedOf {
  passed: number
  count: number
}

/** Comparing a pair takes a quarter of a second for 20,000 cases. */
const MAX_PAIRED_CASES = 400_000
const MAX_PAIRS = 100

async function loadSide(
  { suite, scores: { runs }, ids, results }: LoadedSelection,
  context: ServerContext,
): Promise<ComparedSelection> {
  const { rows } = await results.standings
  const [first] = runs
  const activityOf = await findServedActivity(runs, context)
  return {
    ...(first?.kind && { kind: first.kind }),
    title: cutText(suite?.name ?? first?.testSuiteName ?? `Run ${ids[0]}`, 500),
    runs: ids,
    ...(first?.startedAt !== undefined && { startedAt: first.startedAt }),
    ...(first?.label?.name !== undefined && { name: first.label.name }),
    ...(first?.versions?.['importedFile'] !== undefined && { file: first.versions['importedFile'] }),
    models: rows.map(({ modelId }) => modelId),
    state: stateOfRuns(ids.map((id) => activityOf(id).state)),
  }
}

function checkModel({ scores }: LoadedSelection, modelId: string | undefined): void {
  if (modelId !== undefined && !scores.modelIds.includes(modelId)) throw notFound(`Model ${shortenId(modelId)}`)
}

function isSameSelection(a: LoadedSelection, b: LoadedSelection): boolean {
  return a.ids.join() === b.ids.join()
}

/** Means and passes over the cases that are compared, weighted as in the suite of B. */
function toComparedPair(
  { cases }: CaseChanges,
  weightOf: (caseId: string) => number,
): Pick<ComparedModels, 'means' | 'passedA' | 'passedB'> {
  const [passedA, passedB] = [
    { passed: 0, count: 0 },
    { passed: 0, count: 0 },
  ]
  const sums = { a: 0, b: 0, weight: 0 }
  const count = (passed: PassedOf, cell: ComparedCell) => {
    passed.passed += cell.passed
    passed.count += cell.scored
  }
  for (const { id, kind, before, after } of cases) {
    if (kind === 'not compared' || !before || !after) continue
    const weight = weightOf(id)
    sums.a += weight * before.score!
    sums.b += weight * after.score!
    sums.weight += weight
    count(passedA, before)
    count(passedB, after)
  }
  return {
    ...(sums.weight > 0 && { means: { a: sums.a / sums.weight, b: sums.b / sums.weight } }),
    passedA,
    passedB,
  }
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
  const comparisons = await compareOnce(a, b, { pairs, leaveOut, smallestDifference })
  const pauses = createPauses()
  const weightOf = weightsOf(b)
  const compared: ComparedModels[] = []
  for (const [index, pair] of pairs.entries()) {
    const changes = await findCaseChanges([a, b], pair, { isChangedCompared })
    const { cases: _cases, ...counts } = changes
    const comparison = comparisons[index]
    compared.push({
      modelA: pair[0],
      modelB: pair[1],
      ...toComparedPair(changes, weightOf),
      ...(comparison && { comparison }),
      ...counts,
    })
    if (pauses.isDue()) await pauses.take()
  }
  return {
    a: sideA,
    b: sideB,
    pairs: compared,
    pairsLeftOut: all.length - pairs.length,
    notes: describeSuiteChanges(suite, { isChangedCompared }),
    changedCases: suite.changed.size,
  }
}
