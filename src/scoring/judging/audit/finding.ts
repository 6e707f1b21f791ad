import { countNoun, writeNumber } from '../../../contract/index.ts'
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
  /** `pValue` after Holm's correction over the audits of the same judge: it decides what is found. */
  adjustedP?: number
  /** Answers or pairs that were meant to be used, and that could be. */
  planned: number
  used: number
  /** Those that speak for the finding first. */
  cases: AuditCase[]
}

/** Fewer say nothing: with five, no exact test can reach 5 %. */
const FEWEST_USED = 6

const SIGNIFICANCE_LEVEL = 0.05

/** An audit that is done. What it found depends on the audits of the same judge: the more there are, the more chance finds. */
export interface PendingFinding {
  /** Absent if no test decides, or if it was not tested. */
  pValue?: number
  /** `adjustedP`: present if `pValue` is. */
  conclude(adjustedP?: number): AuditFinding
}

export function notTested(audit: AuditName, why: string): PendingFinding {
  const finding: AuditFinding = {
    audit,
    status: 'not-tested',
    sentence: `Not tested: ${why}`,
    figures: [],
    planned: 0,
    used: 0,
    cases: [],
  }
  return { conclude: () => finding }
}

export interface AuditMeasure extends Pick<AuditFinding, 'figure' | 'figures' | 'pValue'> {
  /** By this audit alone. */
  isFound: boolean
  /** `whyNot`: why something that this audit alone would find is not found. */
  describe(isFound: boolean, whyNot?: string): string
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
  measure(): AuditMeasure
}

/**
 * Concludes an audit. Too few usable replies are "not tested". If more than half failed, the rest may still show that
 * something is wrong, but not that all is well.
 */
export function conclude({ audit, noun, plural = `${noun}s`, cases, used, measure }: AuditOutcome): PendingFinding {
  const planned = cases.length
  const failed = planned - used.length
  const count = countNoun(planned, noun, plural)
  const problem = cases.flatMap(({ replies }) => replies).find((reply) => reply.problem !== undefined)?.problem
  const because = problem === undefined ? '' : ` (${problem})`
  const common = { audit, planned, used: used.length, cases: cases.toSorted(bySupport) }
  const measured = used.length >= FEWEST_USED ? measure() : undefined
  const notTestedFinding = (): AuditFinding => {
    const why =
      failed > 0
        ? `${failed} of ${count} got no usable reply${because}.`
        : `${count} ${planned === 1 ? 'is' : 'are'} too few; at least ${FEWEST_USED} are needed.`
    return { ...common, status: 'not-tested', sentence: `Not tested: ${why}`, figures: [] }
  }
  if (!measured) return { conclude: notTestedFinding }
  const { isFound: isFoundAlone, describe, ...figures } = measured
  const { pValue } = figures
  return {
    ...(pValue !== undefined && { pValue }),
    conclude(adjustedP) {
      const isFound = isFoundAlone && !(adjustedP !== undefined && adjustedP >= SIGNIFICANCE_LEVEL)
      if (!isFound && failed > used.length) return notTestedFinding()
      const whyNot =
        isFoundAlone && !isFound
          ? `not enough, as several audits were made (p ${writeNumber(pValue!, 3)}, corrected ${writeNumber(adjustedP!, 3)})`
          : undefined
      const left = failed > 0 ? ` ${failed} of ${count} could not be used${because}.` : ''
      return {
        ...common,
        ...figures,
        ...(adjustedP !== undefined && { adjustedP }),
        status: isFound ? 'found' : 'not-found',
        sentence: `${describe(isFound, whyNot)}${left}`,
      }
    },
  }
}

function bySupport(a: AuditCase, b: AuditCase): number {
  return Number(b.supports) - Number(a.supports) || Math.abs(b.change ?? 0) - Math.abs(a.change ?? 0)
}
