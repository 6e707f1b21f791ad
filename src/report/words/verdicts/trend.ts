import type { TrendChange, TrendDrift, TrendPoint } from '../../../statistics/index.ts'
import { formatCount, formatDifference, formatP } from '../numbers.ts'

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

const formatDay = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10)

/** `x has drifted: −4.1 points since 2026-10-03 (always-valid p = 0.003, 50 cases, 12 runs).` */
export function describeDrift({ modelId, isDrift, p, difference, since, cases, runs }: TrendDrift): string {
  const figures = `always-valid ${formatP(p)}, ${formatCount(cases, 'case')}, ${formatCount(runs, 'run')}`
  if (isDrift && since !== undefined)
    return `${modelId} has drifted: ${formatDifference(difference)} points since ${formatDay(since)} (${figures}).`
  return `${modelId}: no drift detected (${figures}).`
}

/** If none of the models has. */
export function describeNoDrift(models: number): string {
  return `No drift detected in ${formatCount(models, 'model')}.`
}

/** Said once wherever drift is shown. */
export const DRIFT_NOTE =
  'Each run is compared with the earlier ones of the same model, case by case, as far as cases and settings are the same. The test allows for a look after every run. A judge that grades whole runs more strictly than others can look like a drift.'
