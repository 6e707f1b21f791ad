import type { TrendChange, TrendPoint } from '../../statistics/index.ts'
import { formatCount } from './numbers.ts'

const parameterNames: Record<string, string> = {
  topP: 'top-p',
  maxTokens: 'maximum tokens',
  frequencyPenalty: 'frequency penalty',
  presencePenalty: 'presence penalty',
  benchmarkMode: 'Benchmark Mode',
}

const subjects = {
  'suite-version': 'suite version',
  judge: 'judge',
  'judge-prompt': 'judge prompt version',
  endpoint: 'endpoint',
  program: 'Benchmaker',
}

const onOff: Record<string, string> = { true: 'on', false: 'off' }

/** `temperature 0.7 → 0`; an empty side is "none". */
function describeStep(subject: string, from: string, to: string): string {
  const name = (value: string) => (value === '' ? 'none' : (onOff[value] ?? value))
  return `${subject} ${name(from)} → ${name(to)}`
}

/** What changed between two runs of a suite, as part of a list. */
export function describeTrendChange(change: TrendChange): string {
  switch (change.kind) {
    case 'cases-selected':
      return change.count === change.before
        ? `${formatCount(change.count, 'other case')}`
        : `${formatCount(change.count, 'case')} instead of ${formatCount(change.before)}`
    case 'cases-changed':
      return `${formatCount(change.count, 'case')} edited`
    case 'rescored':
      return `answers of run ${change.runId} scored again`
    case 'system-prompt':
      return 'system prompt edited'
    case 'judge-instructions':
      return 'judge instructions edited'
    case 'variants':
      return 'variants edited'
    case 'parameter':
      return describeStep(parameterNames[change.name ?? ''] ?? change.name ?? '', change.from, change.to)
    default:
      return describeStep(subjects[change.kind], change.from, change.to)
  }
}

/** `all 30 cases`, `12 of 30 cases`, `30 of 31 cases, and 2 no longer in the suite` */
export function describeCoverage({ covered, removed }: Pick<TrendPoint, 'covered' | 'removed'>, cases: number): string {
  const part =
    covered === cases ? `all ${formatCount(cases, 'case')}` : `${formatCount(covered)} of ${formatCount(cases, 'case')}`
  return removed === 0 ? part : `${part}, and ${formatCount(removed)} no longer in the suite`
}
