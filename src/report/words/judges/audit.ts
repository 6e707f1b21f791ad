import type { AuditName } from '../../../contract/index.ts'
import type { AuditCase, AuditFigure, AuditFinding, AuditReply } from '../../../scoring/index.ts'
import { describeInterval, formatDifference, formatPercent, formatScore, formatStatistic } from '../numbers.ts'

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

export const auditStatusWords: Record<AuditFinding['status'], string> = {
  found: 'found',
  'not-found': 'not found',
  'not-tested': 'not tested',
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

/** What a glance at an audit should say. */
export function summariseAudit(findings: readonly Pick<AuditFinding, 'audit' | 'status'>[]): string {
  const named = (status: AuditFinding['status']) =>
    findings.filter((finding) => finding.status === status).map(({ audit }) => auditWords[audit].title.toLowerCase())
  const [found, untested] = [named('found'), named('not-tested')]
  const parts = [
    found.length > 0 ? `found: ${found.join(', ')}` : untested.length === findings.length ? '' : 'nothing found',
    untested.length > 0 ? `not tested: ${untested.join(', ')}` : '',
  ]
  return parts.filter((part) => part !== '').join('; ')
}
