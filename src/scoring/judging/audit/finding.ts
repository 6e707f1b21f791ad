import { countNoun } from '../../../contract/index.ts'
import type { AuditName } from '../../../contract/index.ts'

/** A figure with its 95 % interval. */
export interface AuditFigure {
  name: string
  /** `points`: of scores, where 0.1 is 10 points. `change`: of scores, with a sign. `share`: of answers or pairs. */
  unit: 'points' | 'change' | 'share' | 'correlation'
  value: number
  low: number
  high: number
}

/** A reply of the judge that was a score, a comparison, or neither. */
export interface AuditReply {
  label: string
  score?: number
  winner?: 'first' | 'second' | 'tie'
  reasoning?: string
  /** Why there is no score. */
  problem?: string
}

/** What lies behind a finding: what the judge was shown, and what it said. */
export interface AuditCase {
  id: string
  prompt: string
  shown: { label: string; text: string }[]
  replies: AuditReply[]
  /** How much the score moved, −1 to 1; for a pair, positive if the first place gained. */
  change?: number
  /** True if the case speaks for the finding. */
  supports: boolean
}

export interface AuditFinding {
  audit: AuditName
  /** `not-tested` if too few replies could be used: never a sign that all is well. */
  status: 'found' | 'not-found' | 'not-tested'
  sentence: string
  /** The main figure; absent if it was not tested. */
  figure?: AuditFigure
  /** Further ones. */
  figures: AuditFigure[]
  pValue?: number
  /** Answers or pairs that were meant to be used, and that could be. */
  planned: number
  used: number
  /** Those that speak for the finding first. */
  cases: AuditCase[]
}

/** Fewer say nothing: with five, no exact test can reach 5 %. */
const FEWEST_USED = 6

export function notTested(audit: AuditName, why: string): AuditFinding {
  return {
    audit,
    status: 'not-tested',
    sentence: `Not tested: ${why}`,
    figures: [],
    planned: 0,
    used: 0,
    cases: [],
  }
}

export interface AuditOutcome {
  audit: AuditName
  /** `answer` or `pair`, and its plural if that is irregular. */
  noun: string
  plural?: string
  cases: readonly AuditCase[]
  /** Cases with all the replies that the figure needs. */
  used: readonly AuditCase[]
  /** Called only if enough can be used. */
  measure(): Pick<AuditFinding, 'sentence' | 'figure' | 'figures' | 'pValue'> & { isFound: boolean }
}

/**
 * Concludes an audit. Too few usable replies are "not tested". If more than half failed, the rest may still show that
 * something is wrong, but not that all is well.
 */
export function conclude({ audit, noun, plural = `${noun}s`, cases, used, measure }: AuditOutcome): AuditFinding {
  const planned = cases.length
  const failed = planned - used.length
  const count = countNoun(planned, noun, plural)
  const problem = cases.flatMap(({ replies }) => replies).find((reply) => reply.problem !== undefined)?.problem
  const because = problem === undefined ? '' : ` (${problem})`
  const common = { audit, planned, used: used.length, cases: cases.toSorted(bySupport) }
  const measured = used.length >= FEWEST_USED ? measure() : undefined
  if (!measured || (!measured.isFound && failed > used.length)) {
    const why =
      failed > 0
        ? `${failed} of ${count} got no usable reply${because}.`
        : `${count} ${planned === 1 ? 'is' : 'are'} too few; at least ${FEWEST_USED} are needed.`
    return { ...common, status: 'not-tested', sentence: `Not tested: ${why}`, figures: [] }
  }
  const { isFound, sentence, ...figures } = measured
  const left = failed > 0 ? ` ${failed} of ${count} could not be used${because}.` : ''
  return { ...common, ...figures, status: isFound ? 'found' : 'not-found', sentence: `${sentence}${left}` }
}

function bySupport(a: AuditCase, b: AuditCase): number {
  return Number(b.supports) - Number(a.supports) || Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0)
}
