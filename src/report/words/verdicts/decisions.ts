import type { LiveDeciding } from '../../../contract/index.ts'
import type { ReportDecisions } from '../../model/verdict/report-decisions.ts'
import { joinWords } from '../names.ts'
import { formatCost, formatCount, formatMargin } from '../numbers.ts'
import { describeSameWithin, TOO_CLOSE } from './verdicts.ts'

type Facts = Omit<ReportDecisions, 'sentences'>

/** `143 of 1,000 cases` */
function countCases({ cases, caseCount }: Pick<Facts, 'cases' | 'caseCount'>): string {
  return cases === caseCount
    ? `all ${formatCount(caseCount, 'case')}`
    : `${formatCount(cases)} of ${formatCount(caseCount, 'case')}`
}

/** `a and b are practically the same (within 2 points)` */
function describeSame(models: readonly string[], sameWithin = 0): string {
  return `${joinWords(models)} are ${describeSameWithin(sameWithin)}`
}

/** `only a is good enough (within 2 points of the best)` */
function describeGoodOnes(models: readonly string[], sameWithin = 0): string {
  const within = `(within ${formatMargin(sameWithin)} of the best)`
  return models.length === 1
    ? `only ${models[0]!} is good enough ${within}`
    : `${joinWords(models)} are good enough ${within}`
}

/** `a is the best of 3 models` or `a beats b`. */
function describeWinner({ best, pairs: all, question, dropped, sameWithin, goodEnough }: Facts): string {
  const failed = new Set(dropped.flatMap(({ modelId, hasNoScore }) => (hasNoScore ? [modelId] : [])))
  const pairs = all.filter(({ modelA, modelB }) => !failed.has(modelA) && !failed.has(modelB))
  if (pairs.length === 0) return 'there is nothing to decide without scores'
  if (question === 'good-enough') return describeGoodOnes(goodEnough ?? [], sameWithin)
  const [pair] = pairs
  if (pairs.length === 1 && pair?.winner !== undefined)
    return `${pair.winner} beats ${pair.winner === pair.modelA ? pair.modelB : pair.modelA}`
  if (pairs.length === 1 && pair?.isSame) return describeSame([pair.modelA, pair.modelB], sameWithin)
  if (question === 'all')
    return `all ${formatCount(pairs.length)} pairs of models${failed.size > 0 ? ' with scores' : ''} are decided`
  if (best !== undefined) return `${best} is the best`
  const unbeaten = listUnbeaten(pairs)
  return unbeaten.length > 1 ? describeSame(unbeaten, sameWithin) : 'each model is worse than another'
}

function listUnbeaten(pairs: Facts['pairs']): string[] {
  const losers = new Set(pairs.map(({ winner, modelA, modelB }) => winner && (winner === modelA ? modelB : modelA)))
  const models = [...new Set(pairs.flatMap(({ modelA, modelB }) => [modelA, modelB]))]
  return models.filter((modelId) => !losers.has(modelId))
}

/** What is still in question: the models that may be good enough or best, or how many pairs. Undefined if nothing is. */
function describeOpen({ question, pairs, dropped, goodEnough, sameWithin = 0 }: Facts): string | undefined {
  if (question === 'good-enough') {
    const out = new Set(dropped.map(({ modelId }) => modelId))
    const models = new Set(pairs.flatMap(({ modelA, modelB }) => [modelA, modelB]))
    const open = joinWords([...models].filter((modelId) => !out.has(modelId)))
    return goodEnough ? undefined : `which of ${open} are within ${formatMargin(sameWithin)} of the best is not settled`
  }
  if (question === 'best' || pairs.length === 1) {
    const open = listUnbeaten(pairs)
    const areSame = pairs.every(
      ({ modelA, modelB, isSame }) => isSame || !open.includes(modelA) || !open.includes(modelB),
    )
    return open.length > 1 && !areSame ? `${joinWords(open)} are ${TOO_CLOSE}` : undefined
  }
  const left = pairs.filter(({ winner, isSame }) => winner === undefined && !isSame).length
  if (left === 0) return undefined
  return `${formatCount(left)} of ${formatCount(pairs.length, 'pair')} of models are ${TOO_CLOSE}`
}

/** Says how far a run that decides has come: `Stopped when decided after 143 of 1,000 cases: a beats b.` */
function describeState(facts: Facts, { isFinished, isUntil }: { isFinished: boolean; isUntil: boolean }): string {
  const after = `after ${countCases(facts)}`
  if (facts.isSettled) {
    const isDecided =
      facts.goodEnough !== undefined || facts.pairs.some(({ winner, isSame }) => winner !== undefined || isSame)
    const state = !isDecided ? 'Stopped' : isFinished ? 'Stopped when decided' : 'Decided'
    return `${state} ${after}: ${describeWinner(facts)}.`
  }
  const open = describeOpen(facts)
  // A screened run asks all cases of those that are left, and may decide between them on the way.
  if (open === undefined) return `Decided ${after}: ${describeWinner(facts)}.`
  return `${isUntil ? 'Not decided' : 'Screened'} ${after}: ${open}.`
}

function describeDropped({ dropped, isSettled, cases }: Facts): string[] {
  const sentences = (models: typeof dropped, why: string) =>
    Array.from(
      Map.groupBy(models, ({ at }) => at),
      ([at, group]) =>
        `${joinWords(group.map(({ modelId }) => modelId))} ${group.length === 1 ? 'was' : 'were'} dropped after ${formatCount(at, 'case')}${why}.`,
    )
  const failed = dropped.filter(({ hasNoScore }) => hasNoScore)
  const early = dropped.filter(({ at, hasNoScore }) => !hasNoScore && (!isSettled || at < cases))
  return [
    ...sentences(early, ''),
    ...(early.length > 0
      ? ['So the scores are of different cases: compare models by their pairs, which are of the same cases.']
      : []),
    ...sentences(failed, ', because none of them has a score'),
  ]
}

/** In a list: `gpt-4o (after 20 cases, none with a score)`. */
export function describeDroppedModel({ modelId, at, hasNoScore }: LiveDeciding['dropped'][number]): string {
  return `${modelId} (after ${formatCount(at, 'case')}${hasNoScore ? ', none with a score' : ''})`
}

function describeSaved({ saved: { calls, of, cost } }: Facts): string[] {
  if (calls === 0) return []
  const dollars = cost === undefined ? '' : `, about ${formatCost(cost)}`
  return [`Saved ${formatCount(calls)} of ${formatCount(of, 'request')}${dollars}.`]
}

/** What stopped because of a gap saw one that is larger than it would have become. */
function describeExaggeration({ pairs, cases, caseCount, dropped }: Facts): string[] {
  const decided = pairs.filter(({ winner }) => winner !== undefined)
  if (cases < caseCount)
    return decided.length === 0 ? [] : ['An early stop makes the gap look larger; the interval allows for it.']
  const early = dropped.filter(
    ({ modelId, at }) =>
      at < caseCount && decided.some(({ modelA, modelB }) => modelId === modelA || modelId === modelB),
  )
  if (early.length === 0) return []
  const names = joinWords(early.map(({ modelId }) => modelId))
  return [`Dropping a model early makes the gap to ${names} look larger; the interval allows for it.`]
}

/** What a run that decides has found, in sentences that every view uses as they are. */
export function describeDecisions(facts: Facts, state: { isFinished: boolean; isUntil: boolean }): string[] {
  const { casesWithoutScore } = facts
  return [
    describeState(facts, state),
    ...describeDropped(facts),
    ...describeSaved(facts),
    ...describeExaggeration(facts),
    ...(casesWithoutScore > 0
      ? [
          `Up to ${formatCount(casesWithoutScore, 'case counts', 'cases count')} for no decision on a pair, because a model has no score there. If a model fails where it would have been wrong, that favours it.`,
        ]
      : []),
  ]
}

/** Evidence in few digits: `3.4`, `61`, `1,200`, `over a million`. */
export function formatEvidence(evidence: number): string {
  if (evidence >= 1e6) return 'over a million'
  if (evidence >= 10) return formatCount(Math.floor(evidence))
  return (Math.floor(evidence * 10) / 10).toFixed(1)
}

/** The evidence of a pair after the last case counted. */
export function lastEvidence({ points }: LiveDeciding['pairs'][number]): number {
  return points.at(-1)?.[1] ?? 1
}

/** One line while it runs: `1 of 3 pairs decided, evidence 3.4 of 20`. */
export function describeEvidenceSoFar({ pairs, pairCount, decided, line, isSettled }: LiveDeciding): string {
  if (isSettled) return 'decided'
  const next = pairs.find(({ winner, isSame, isLeftOpen = false }) => winner === undefined && !isSame && !isLeftOpen)
  const evidence = next === undefined ? '' : `evidence ${formatEvidence(lastEvidence(next))} of ${formatEvidence(line)}`
  if (pairCount === 1) return evidence
  return `${formatCount(decided)} of ${formatCount(pairCount, 'pair')} decided${evidence === '' ? '' : `, ${evidence}`}`
}

/** The same in a sentence for a screen. */
export function describeDecidingState(deciding: LiveDeciding): string {
  const { cases, caseCount, isSettled, pairs, pairCount } = deciding
  const after = `after ${countCases({ cases, caseCount })}`
  if (!isSettled)
    return `${formatCount(cases)} of ${formatCount(caseCount, 'case')} counted · ${describeEvidenceSoFar(deciding)}`
  const [pair] = pairs
  const who =
    pairCount === 1 && pair?.winner !== undefined
      ? `: ${pair.winner} beats ${pair.winner === pair.modelA ? pair.modelB : pair.modelA}`
      : pairCount === 1 && pair?.isSame
        ? `: ${pair.modelA} and ${pair.modelB} are practically the same`
        : ''
  return `${pairs.some(({ winner, isSame }) => winner !== undefined || isSame) ? 'Stopped when decided' : 'Stopped'} ${after}${who}.`
}
