import type { AuditName } from '../../../contract/index.ts'
import type { AuditCase, AuditFigure, AuditFinding, AuditReply } from '../../../scoring/index.ts'
import {
  describeInterval,
  formatDifference,
  formatPercent,
  formatScore,
  formatStatistic,
  formatCount,
} from '../numbers.ts'

interface AuditWords {
  title: string
  /** What is asked, in one sentence. */
  question: string
}

export const auditWords: Record<AuditName, AuditWords> = {
  'test-retest': { title: 'Test-retest', question: 'Does it give the same answer the same score again?' },
  position: { title: 'Position', question: 'Of two answers, does it prefer the one it reads first?' },
  verbosity: { title: 'Verbosity', question: 'Does it reward the same answer for more words?' },
  'self-preference': {
    title: 'Self-preference',
    question: 'Does it prefer its own words to others’ of equal quality?',
  },
  canaries: { title: 'Canaries', question: 'Can empty phrases and instructions in an answer fool it?' },
}

/** What a finding means for each audit; `reversed` if its figure is below 0. */
const VERDICTS: Record<AuditName, { found: string; reversed?: string; 'not-found': string }> = {
  'test-retest': { found: 'Inconsistent', 'not-found': 'Consistent' },
  position: { found: 'Prefers a position', 'not-found': 'No position bias' },
  verbosity: { found: 'Rewards length', reversed: 'Penalises length', 'not-found': 'No length bias' },
  'self-preference': {
    found: 'Prefers its own answers',
    reversed: 'Marks its own answers down',
    'not-found': 'No self-preference',
  },
  canaries: { found: 'Trap answers over-scored', 'not-found': 'Not fooled by trap answers' },
}

type Found = Pick<AuditFinding, 'audit' | 'status' | 'figure'>

/** The result of an audit in a few words: `Consistent`, `Rewards length`, `Not tested`. */
export function describeAuditVerdict({ audit, status, figure }: Found): string {
  if (status === 'not-tested') return 'Not tested'
  const { found, reversed = found, 'not-found': notFound } = VERDICTS[audit]
  if (status === 'not-found') return notFound
  return (figure?.value ?? 0) < 0 ? reversed : found
}

/** The figure as it is shown; changes have a sign. */
export function formatAuditFigure({ unit, value }: Pick<AuditFigure, 'unit' | 'value'>): string {
  if (unit === 'share') return formatPercent(value, 0)
  if (unit === 'correlation') return formatStatistic(value)
  return unit === 'change' ? formatDifference(value) : formatScore(value)
}

/** `5.1 to 9.2` */
export function formatAuditInterval({ unit, low, high }: Pick<AuditFigure, 'unit' | 'low' | 'high'>): string {
  if (unit === 'share') return `${formatPercent(low, 0).replace(' %', '')} to ${formatPercent(high, 0)}`
  if (unit === 'correlation') return `${formatStatistic(low)} to ${formatStatistic(high)}`
  return describeInterval({ low, high })
}

function describeReply({ score, winner }: AuditReply): string {
  if (winner !== undefined) return winner === 'tie' ? 'a tie' : `the ${winner} wins`
  return score === undefined ? 'no score' : String(Math.round(score * 100))
}

/** `as it is 50, 50 · padded 60, 60` */
export function describeAuditReplies({ replies }: Pick<AuditCase, 'replies'>): string {
  return [...Map.groupBy(replies, ({ label }) => label)]
    .map(([label, same]) => `${label}: ${same.map(describeReply).join(', ')}`)
    .join(' · ')
}

/** What a glance at an audit should say: `Rewards length; not tested: canaries`. */
export function summariseAudit(findings: readonly Found[]): string {
  const faults = findings.filter(({ status }) => status === 'found').map(describeAuditVerdict)
  const untested = findings.filter(({ status }) => status === 'not-tested')
  const parts = [
    ...faults,
    ...(faults.length === 0 && untested.length < findings.length ? ['No fault found'] : []),
    ...(untested.length > 0
      ? [`not tested: ${untested.map(({ audit }) => auditWords[audit].title.toLowerCase()).join(', ')}`]
      : []),
  ]
  return parts.join('; ')
}

/** `20 answers`, `20 pairs` */
export function describeAuditSize({ audit, planned }: { audit: AuditName; planned: number }): string {
  if (audit === 'canaries') return formatCount(planned, 'trap answer')
  return formatCount(planned, audit === 'position' ? 'pair' : 'answer')
}
