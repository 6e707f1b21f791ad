import { marginOf, toScoreTable, type RunResult, type ScoreTable } from '../../contract/index.ts'
import { compareColumns, listDecidedOrders, type ModelComparison } from '../../statistics/index.ts'
import { findSuite } from '../model/cases.ts'
import { createCountedCases, followDecisions, listDecidedPairs } from '../model/verdict/decisions.ts'
import { listCaseChanges, readCases, type CaseChanges } from './case-changes.ts'
import { listScored, weighTemplates, type Prompts, type TemplateWarning } from '../model/contestants/templates.ts'
import type { ComparedSide } from './compared-side.ts'
import { pairModels, type ChosenModels, type ModelPair } from './pair-models.ts'
import { findSuiteChanges, type SuiteChanges } from './suite-changes.ts'

/** Two models of any runs, case by case. */
export interface ComparedPair {
  before: string
  after: string
  /** After − before, paired over the cases that both have; undefined if one side has no score. */
  comparison?: ModelComparison
  changes: CaseChanges
}

/** Two runs or series of a suite. */
export interface RunComparison {
  pairs: ComparedPair[]
  suite: SuiteChanges
}

export interface CompareOptions {
  chosen?: ChosenModels
  /** 0 to 1. */
  smallestDifference?: number | undefined
  /** The difference that does not matter, 0 to 1; default: that of the runs or their suite. */
  sameWithin?: number | undefined
  /** Compares cases whose prompt, expected output or scoring changed like all others. */
  isChangedCompared?: boolean
  /** What differs between the suites, if it is known already. */
  suite?: SuiteChanges
}

export function modelsOf({ runs, models }: ComparedSide): string[] {
  return [...new Set(models ?? runs.flatMap((run) => run.models))]
}

/** What differs between the suites of two runs or series. */
export function findRunChanges(before: readonly RunResult[], after: readonly RunResult[]): SuiteChanges {
  return findSuiteChanges(
    { suite: findSuite(before), run: before.at(-1) },
    { suite: findSuite(after), run: after.at(-1) },
  )
}

const haveSameIds = (before: readonly { id: string }[], after: readonly { id: string }[]) =>
  before.map(({ id }) => id).join() === after.map(({ id }) => id).join()

/** The scores of two runs or series, and which of their models to compare. */
export interface PairedScores {
  before: ScoreTable
  after: ScoreTable
  pairs: readonly ModelPair[]
  /** Cases that changed between the two. */
  leaveOut: readonly string[]
  smallestDifference?: number | undefined
  sameWithin?: number | undefined
  /** The clusters are not those that the runs were made with: the scores as they were, for what runs decided by order. */
  asDrawn?: { before: ScoreTable; after: ScoreTable }
}

/**
 * After − before for each pair, with Holm's correction over the pairs; undefined if one of the two has no score. What a
 * run that decides has decided about its own models stands.
 */
export function comparePairs({
  before,
  after,
  pairs,
  leaveOut,
  smallestDifference,
  sameWithin = marginOf(after) ?? marginOf(before),
  asDrawn,
}: PairedScores): (ModelComparison | undefined)[] {
  const isSameRuns = haveSameIds(before.runs, after.runs)
  const compared = compareColumns(
    pairs.map(([a, b]) => [
      { scores: after, modelId: b },
      { scores: before, modelId: a },
    ]),
    {
      smallestDifference,
      sameWithin,
      leaveOut: new Set(leaveOut),
      findCountedCases: isSameRuns ? createCountedCases(asDrawn?.before ?? before) : undefined,
      orders: asDrawn && listDecidedOrders(asDrawn.after, asDrawn.before),
    },
  )
  const decided = isSameRuns && !asDrawn ? listDecidedPairs(before) : undefined
  return decided
    ? compared.map((comparison) => comparison && followDecisions([comparison], { pairs: decided })[0])
    : compared
}

/** Templates among the cases of two runs or series, by the verdicts of these pairs. */
export function weighPairTemplates(
  scores: PairedScores,
  { prompts, comparisons }: { prompts: Prompts; comparisons: readonly (ModelComparison | undefined)[] },
): TemplateWarning | undefined {
  const { before, after, leaveOut } = scores
  const [earlier, left] = [listScored(before), new Set(leaveOut)]
  const cases = new Set([...listScored(after)].filter((id) => earlier.has(id) && !left.has(id)))
  return weighTemplates({
    cases,
    prompts,
    comparisons,
    compare: (countByTemplate) =>
      comparePairs({
        ...scores,
        before: countByTemplate(before),
        after: countByTemplate(after),
        asDrawn: { before, after },
      }),
  })
}

/** What to warn of beside the comparisons of these pairs, which are named as A and B. */
export function warnOfTemplates(
  { prompts = new Map(), ...scores }: PairedScores & { prompts?: Prompts },
  comparisons: readonly (ModelComparison | undefined)[],
): string | undefined {
  const named = comparisons.map((comparison, index) => {
    const [before, after] = scores.pairs[index]!
    if (!comparison || before !== after) return comparison && { ...comparison, modelA: after, modelB: before }
    return { ...comparison, modelA: `${after} in B`, modelB: `${before} in A` }
  })
  return weighPairTemplates(scores, { prompts, comparisons: named })?.sentence
}

/**
 * Compares models of any two runs or series: each with itself if both sides have it, else every one with every other.
 * Holm's correction is over all pairs; cases that changed between the two are left out of the test.
 */
export function compareRuns(before: ComparedSide, after: ComparedSide, options: CompareOptions = {}): RunComparison {
  const { chosen = {}, smallestDifference, sameWithin, isChangedCompared = false } = options
  const suite = options.suite ?? findRunChanges(before.runs, after.runs)
  const isSameRuns = haveSameIds(before.runs, after.runs)
  const names = pairModels(modelsOf(before), modelsOf(after), { chosen, isSameRuns })
  const earlier = toScoreTable(before.runs)
  const comparisons = comparePairs({
    before: earlier,
    after: isSameRuns ? earlier : toScoreTable(after.runs),
    pairs: names,
    leaveOut: isChangedCompared ? [] : [...suite.changed.keys()],
    smallestDifference,
    sameWithin,
  })
  const pairs = names.map(([a, b], index): ComparedPair => {
    const comparison = comparisons[index]
    return {
      before: a,
      after: b,
      ...(comparison && { comparison }),
      changes: listCaseChanges(readCases(before.runs, a), readCases(after.runs, b), { suite, isChangedCompared }),
    }
  })
  return { pairs, suite }
}
