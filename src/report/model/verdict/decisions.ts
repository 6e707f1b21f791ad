import type { ScoredRun, ScoreTable } from '../../../contract/index.ts'
import {
  createPairLimit,
  decidedInterval,
  fitToVerdict,
  judgeEquivalence,
  replayDecisions,
  type DecidedPair,
  type FindCountedCases,
  type ModelComparison,
  type PairedComparison,
} from '../../../statistics/index.ts'
import { describeDecisions } from '../../words/verdicts/decisions.ts'
import type { ReportDecision, ReportDecisions } from './report-decisions.ts'
import type { Standings } from '../standings/standings.ts'

type Replayed = NonNullable<ReturnType<typeof replayDecisions>>

function makeDecision(
  pair: DecidedPair,
  options: { pairs: number; sameWithin: number | undefined },
): Omit<ReportDecision, 'adjustedP'> {
  const { modelA, modelB, winner, isSame, at, differences, weights, logEvidence, counted, wins, losses } = pair
  const sum = differences.reduce((total, difference) => total + difference, 0)
  const weight = weights.reduce((total, one) => total + one, 0)
  return {
    modelA,
    modelB,
    ...(winner !== undefined && { winner }),
    ...(isSame && { isSame }),
    ...(at !== undefined && { at }),
    evidence: Math.exp(logEvidence.reduce((most, one) => Math.max(most, one), 0)),
    n: counted.length,
    meanDiff: differences.length === 0 ? 0 : sum / weight,
    confidence95: differences.length === 0 ? [-1, 1] : decidedInterval(pair, options),
    wins,
    losses,
  }
}

/** p as 1/evidence, corrected as the decisions were: below 0.05 exactly if the pair was decided. */
function adjustForPairs(pairs: readonly { evidence: number }[], models: number): number[] {
  const limitOf = createPairLimit(models)
  const adjusted = pairs.map(() => 1)
  let floor = 0
  const order = [...pairs.keys()].toSorted((a, b) => pairs[b]!.evidence - pairs[a]!.evidence)
  for (const [step, index] of order.entries()) {
    floor = Math.min(1, Math.max(floor, limitOf(pairs.length - step) / pairs[index]!.evidence))
    adjusted[index] = floor
  }
  return adjusted
}

/** What a run that stopped before an answer, at its budget say, did not ask is not saved: a resume asks it. */
function sumSaved({ rows, cost, answersCost, isCostKnown }: Standings, runs: readonly ScoredRun[], isDone: boolean) {
  const calls = rows.reduce((sum, { notRun }) => sum + notRun, 0)
  const of = runs.reduce((sum, { models, suite }) => sum + models.length * (suite?.cases.length ?? 0), 0)
  if (!isDone) return { calls: 0, of }
  const estimates = rows.map(({ modelId, notRun, errors, cost: { total, unknown } }) => {
    const cells = of / new Set(runs.flatMap(({ models }) => models)).size
    const answers = cells - notRun - errors
    if (notRun === 0) return { modelId, saved: 0 }
    return { modelId, saved: answers > unknown ? (total / (answers - unknown)) * notRun : Number.NaN }
  })
  const saved = estimates.reduce((sum, estimate) => sum + estimate.saved, 0)
  // Judges read each answer: what they cost is saved in the same proportion.
  const withJudges =
    answersCost.total > 0 ? (saved * Math.max(cost.total, answersCost.total)) / answersCost.total : saved
  return { calls, of, ...(isCostKnown && Number.isFinite(withJudges) && withJudges > 0 && { cost: withJudges }) }
}

/** The pairs of runs that decide; undefined unless they are all runs of one such request. */
export function listDecidedPairs(table: ScoreTable): ReportDecision[] | undefined {
  const replayed = replayDecisions(table)
  return replayed && listDecisions(replayed, table)
}

function listDecisions({ decisions, deciding }: Replayed, { runs }: ScoreTable): ReportDecision[] {
  const options = { pairs: decisions.pairs.length, sameWithin: deciding.sameWithin }
  const decided = decisions.pairs.map((pair) => makeDecision(pair, options))
  const adjusted = adjustForPairs(decided, runs[0]!.models.length)
  return decided.map((pair, index) => ({ ...pair, adjustedP: adjusted[index]! }))
}

/** What the runs decided while they were made; undefined unless they are all runs of a request that decides. */
export function buildDecisions(standings: Standings, table: ScoreTable): ReportDecisions | undefined {
  const replayed = replayDecisions(table)
  if (!replayed) return undefined
  const { runs } = table
  const { decisions, deciding, cases } = replayed
  const decided = listDecisions(replayed, table)
  const losers = new Set(
    decided.flatMap(({ modelA, modelB, winner }) =>
      winner === undefined ? [] : [winner === modelA ? modelB : modelA],
    ),
  )
  for (const { modelId, hasNoScore } of decisions.dropped) if (hasNoScore) losers.add(modelId)
  const [best, ...others] = (runs[0]?.models ?? []).filter((modelId) => !losers.has(modelId))
  const facts = {
    question: deciding.question,
    ...(deciding.sameWithin !== undefined && { sameWithin: deciding.sameWithin }),
    isSettled: decisions.isSettled,
    ...(best !== undefined && others.length === 0 && { best }),
    cases: decisions.cases,
    caseCount: cases.length,
    pairs: decided,
    dropped: [...decisions.dropped],
    ...(decisions.goodEnough && { goodEnough: decisions.goodEnough }),
    saved: sumSaved(standings, runs, decisions.isSettled || runs.every(isFinished)),
    casesWithoutScore: Math.max(0, ...decisions.pairs.map((pair) => countGaps(pair, decisions))),
  }
  return {
    ...facts,
    sentences: describeDecisions(facts, { isFinished: runs.every(isFinished), isUntil: !deciding.isOnce }),
  }
}

const isFinished = ({ status = 'completed' }: ScoredRun) => status === 'completed'

/** Cases that were counted while both models were asked, but have no difference. */
function countGaps(
  { modelA, modelB, counted }: DecidedPair,
  { dropped, cases }: { dropped: readonly { modelId: string; at: number }[]; cases: number },
): number {
  const asked = dropped
    .filter(({ modelId }) => modelId === modelA || modelId === modelB)
    .reduce((fewest, { at }) => Math.min(fewest, at), cases)
  return asked - counted.length
}

/** The cases that count for each pair of runs that decide, if any do: those asked beyond them do not. */
export function createCountedCases(table: ScoreTable): FindCountedCases | undefined {
  const replayed = replayDecisions(table)
  if (!replayed) return undefined
  const { decisions, cases } = replayed
  const pairName = (a: string, b: string) => JSON.stringify([a, b].toSorted())
  const countedOf = new Map(
    decisions.pairs
      .filter(({ counted }) => counted.length > 0)
      .map(({ modelA, modelB, counted }) => [
        pairName(modelA, modelB),
        new Set(counted.map((caseNumber) => cases[caseNumber - 1]!.id)),
      ]),
  )
  return (modelA, modelB) => countedOf.get(pairName(modelA, modelB))
}

/** Replaces the figures of a test that may be looked at only once. */
function followDecision(paired: PairedComparison, decision: ReportDecision, isReversed: boolean): PairedComparison {
  const { n, meanDiff, adjustedP, evidence, wins, losses, winner, modelA } = decision
  const [low, high] = decision.confidence95
  const confidence95: [number, number] = isReversed ? [0 - high, 0 - low] : [low, high]
  const mean = isReversed ? 0 - meanDiff : meanDiff
  const { plan, equivalence, ...rest } = paired
  // After the decision, the mean of many more cases may have changed its sign: then neither is said to be better.
  const isSignificant = winner !== undefined && meanDiff !== 0 && meanDiff > 0 === (winner === modelA)
  const shownInterval = fitToVerdict(confidence95, { mean, isDecided: isSignificant })
  return {
    ...rest,
    n,
    meanDiff: mean,
    confidence95,
    shownInterval,
    ...(equivalence && {
      equivalence: {
        margin: equivalence.margin,
        low: shownInterval[0],
        high: shownInterval[1],
        verdict: judgeEquivalence(shownInterval, { mean, margin: equivalence.margin, isDecided: isSignificant }),
      },
    }),
    wins: isReversed ? losses : wins,
    losses: isReversed ? wins : losses,
    ties: n - wins - losses,
    verdictP: Math.min(1, 1 / evidence),
    adjustedP,
    verdictTest: 'sequential',
    isSignificant,
    ...(plan && !isSignificant && { plan }),
  }
}

/** The comparisons of runs that decide rest on the cases in their drawn order, and on the test that may be repeated. */
export function followDecisions(
  comparisons: readonly ModelComparison[],
  { pairs }: Pick<ReportDecisions, 'pairs'>,
): ModelComparison[] {
  return comparisons.map((comparison) => {
    const { modelA, modelB, paired } = comparison
    const isPair = (a: string, b: string) => (decision: ReportDecision) =>
      decision.modelA === a && decision.modelB === b
    const decision = pairs.find(isPair(modelA, modelB))
    const reversed = pairs.find(isPair(modelB, modelA))
    const found = decision ?? reversed
    if (!found || !paired || found.n === 0) return comparison
    return { ...comparison, paired: followDecision(paired, found, !decision) }
  })
}
