import { writeInterval, writePercent } from '../../../contract/index.ts'
import {
  leanOf,
  measurePositionPreference,
  type OrderedVerdicts,
  type PositionPreference,
} from '../../../statistics/judging/position-preference.ts'
import type { JudgeClient } from './judge-client.ts'
import { shuffle } from '../../../statistics/numbers/random.ts'
import { type AuditAnswer, limitTo, auditAnswerName, type AuditMaterial } from './audit-answers.ts'
import { conclude, notTested, type AuditCase, type AuditMeasure, type PendingFinding } from './finding.ts'

const PAIRS = 24

interface AnswerPair {
  a: AuditAnswer
  b: AuditAnswer
  /** How far their quality differs; unknown counts as a little. */
  gap: number
}

const UNKNOWN_GAP = 0.25

function gapOf(a: AuditAnswer, b: AuditAnswer): number {
  if (a.expectedScore === undefined || b.expectedScore === undefined) return UNKNOWN_GAP
  return Math.abs(a.expectedScore - b.expectedScore)
}

/** Two different answers to the same question; each is used once. The nearer in quality, the more the order can do. */
function choosePairs(material: AuditMaterial): AnswerPair[] {
  const { answers, random } = material
  const questions = Map.groupBy(
    answers.filter(({ response }) => response.trim() !== ''),
    ({ prompt, expectedOutput }) => JSON.stringify([prompt, expectedOutput]),
  )
  const pairs = [...questions.values()].flatMap((group) => {
    const sorted = shuffle(group, random).toSorted((a, b) => (a.expectedScore ?? 0) - (b.expectedScore ?? 0))
    const found: AnswerPair[] = []
    for (let index = 1; index < sorted.length; index++) {
      const [a, b, next] = [sorted[index - 1]!, sorted[index]!, sorted[index + 1]]
      if (a.response === b.response || (next && gapOf(a, b) > gapOf(b, next))) continue
      found.push(random() < 0.5 ? { a, b, gap: gapOf(a, b) } : { a: b, b: a, gap: gapOf(a, b) })
      index++
    }
    return found
  })
  return shuffle(pairs, random)
    .toSorted((first, second) => first.gap - second.gap)
    .slice(0, limitTo(PAIRS, material))
}

interface ComparedPair extends AuditCase {
  verdicts?: OrderedVerdicts
}

async function compareInBothOrders({ a, b }: AnswerPair, judgeClient: JudgeClient): Promise<ComparedPair> {
  const common = { prompt: a.prompt, reference: a.expectedOutput }
  const [forward, backward] = await Promise.all([
    judgeClient.compare({ ...common, first: a.response, second: b.response }),
    judgeClient.compare({ ...common, first: b.response, second: a.response }),
  ])
  const verdicts =
    forward.problem === undefined && backward.problem === undefined
      ? { forward: forward.winner, backward: backward.winner }
      : undefined
  return {
    id: a.id === undefined || b.id === undefined ? auditAnswerName(a) : `${a.id} / ${b.id}`,
    prompt: a.prompt,
    shown: [
      { label: 'A', text: a.response },
      { label: 'B', text: b.response },
    ],
    replies: [
      { label: 'A first', ...forward },
      { label: 'B first', ...backward },
    ],
    ...(verdicts && { verdicts, change: leanOf(verdicts) / 2 }),
    supports: verdicts !== undefined && leanOf(verdicts) !== 0,
  }
}

/** The share of changed verdicts that favour one place. */
function favourOf({ first, second, inconsistent, low, high }: PositionPreference): string {
  if (first > second) return `(${writePercent(first / inconsistent, 0)}, 95 % CI ${writeInterval({ low, high }, 0)})`
  return `(${writePercent(second / inconsistent, 0)}, 95 % CI ${writeInterval({ low: 1 - high, high: 1 - low }, 0)})`
}

function describePositionBias(measured: PositionPreference, isFound: boolean, whyNot = 'no position bias'): string {
  const { pairs, inconsistent, first, second } = measured
  if (inconsistent === 0) return `It gave the same verdict in both orders on all ${pairs} pairs.`
  const changed = `Changing the order changed its verdict on ${inconsistent} of ${pairs} pairs`
  if (!isFound) return `${changed}, ${first} times in favour of the first and ${second} times of the second: ${whyNot}.`
  const place = first > second ? 'first' : 'second'
  return `${changed}, ${Math.max(first, second)} times in favour of the answer shown ${place} ${favourOf(measured)}: it prefers the ${place} place.`
}

function measure(used: readonly OrderedVerdicts[]): AuditMeasure {
  const measured = measurePositionPreference(used)
  const { share, low, high, pValue } = measured
  const isFound = pValue < 0.05
  const describe: AuditMeasure['describe'] = (found, whyNot) => describePositionBias(measured, found, whyNot)
  const changed = {
    name: 'pairs whose verdict changed with the order',
    unit: 'share' as const,
    value: measured.inconsistentShare,
    low: measured.inconsistentLow,
    high: measured.inconsistentHigh,
  }
  if (share === undefined) return { isFound, describe, pValue, figure: changed, figures: [] }
  const favour = {
    name: 'changed verdicts that favour the first place',
    unit: 'share' as const,
    value: share,
    low,
    high,
  }
  return { isFound, describe, pValue, figure: favour, figures: [changed] }
}

/** The same two answers in both orders: does the place decide? */
export async function auditPosition(material: AuditMaterial, judgeClient: JudgeClient): Promise<PendingFinding> {
  const pairs = choosePairs(material)
  if (pairs.length === 0) return notTested('position', 'no question has two different answers to compare.')
  const compared = await Promise.all(pairs.map((pair) => compareInBothOrders(pair, judgeClient)))
  const used = compared.filter(({ verdicts }) => verdicts !== undefined)
  return conclude({
    audit: 'position',
    noun: 'pair',
    cases: compared.map(({ verdicts: _verdicts, ...shown }) => shown),
    used,
    measure: () => measure(used.flatMap(({ verdicts }) => verdicts ?? [])),
  })
}
