import { clamp, InputError } from '../../contract/index.ts'
import type { ForeignResults, ForeignSample } from './foreign-results.ts'
import type { MetricSummary, ResultsChoices } from './results-choices.ts'
import { readScoreValue, type ScoreValue } from './score-value.ts'

/** The most by which arithmetic may miss the end of a scale from 0 to 1: a mean of ones can be 1.0000000000000002. */
const ROUNDING = 1e-9

const PLAIN_SCALE = { min: 0, max: 1 }

function isWithin(value: number, { min, max }: { min: number; max: number } = PLAIN_SCALE): boolean {
  const most = ROUNDING * (max - min)
  return value >= min - most && value <= max + most
}

function writeFigure(value: number): string {
  return String(Number(value.toPrecision(6)))
}

/** With all digits where fewer would put a value beyond the scale into it. */
function writeBeyond(value: number, scale = PLAIN_SCALE): string {
  const short = writeFigure(value)
  return isWithin(Number(short), scale) === isWithin(value, scale) ? short : String(value)
}

function countBy(texts: readonly string[]): string {
  const counts = [...Map.groupBy(texts, (text) => text)].sort(([a], [b]) => (a < b ? -1 : 1))
  return counts.map(([text, all]) => `${text} (${all.length})`).join(', ')
}

function summariseMetric(name: string, values: readonly ScoreValue[]): MetricSummary {
  const numbers = values.flatMap((value) => (value.kind === 'number' ? [value.value] : []))
  const fixed = values.flatMap((value) => (value.kind === 'fixed' ? [value.written] : []))
  const shares = values.flatMap((value) => (value.kind === 'share' ? [value.share] : []))
  const count = numbers.length + fixed.length + shares.length
  const [min, max] = [
    numbers.reduce((a, b) => Math.min(a, b), Infinity),
    numbers.reduce((a, b) => Math.max(a, b), -Infinity),
  ]
  const parts = [
    ...(fixed.length > 0 ? [countBy(fixed)] : []),
    ...(numbers.length > 0
      ? [
          `${numbers.length} ${numbers.length === 1 ? 'number' : 'numbers'} from ${writeFigure(min)} to ${writeFigure(max)}`,
        ]
      : []),
    ...(shares.length > 0 ? [`${shares.length} ${shares.length === 1 ? 'percentage' : 'percentages'}`] : []),
    ...(count < values.length ? [`${values.length - count} without a usable value`] : []),
  ]
  return {
    name,
    state: count === 0 ? 'unusable' : numbers.length === 0 || (isWithin(min) && isWithin(max)) ? 'ready' : 'scale',
    count,
    ...(numbers.length > 0 && { min, max }),
    description: parts.join(', '),
  }
}

/** Every metric of the file, in the order in which the file has them. */
export function summariseMetrics(samples: readonly ForeignSample[]): MetricSummary[] {
  const values = new Map<string, ScoreValue[]>()
  for (const sample of samples) {
    if (sample.error !== undefined) continue
    for (const [name, value] of sample.scores) {
      const known = values.get(name)
      if (known) known.push(readScoreValue(value))
      else values.set(name, [readScoreValue(value)])
    }
  }
  return [...values].map(([name, found]) => summariseMetric(name, found))
}

/** The name without the filter of lm-evaluation-harness. */
export const baseOf = (name: string) => name.split(',')[0]!

function listMetrics(metrics: readonly MetricSummary[]): string {
  return metrics.map(({ name, description }) => `${name}: ${description || 'nothing'}`).join('; ')
}

/** The metric of that name, or the only one that ends in it. */
function findMetric(metrics: readonly MetricSummary[], asked: string, file: string): MetricSummary {
  const exact = metrics.find(({ name }) => name === asked)
  const ending = metrics.filter(({ name }) => name.endsWith(`.${asked}`) || baseOf(name) === asked)
  const found = exact ?? (ending.length === 1 ? ending[0] : undefined)
  if (!found)
    throw new InputError(
      `${file}: ${ending.length > 1 ? `several metrics are called ${asked}` : `there is no metric ${asked}`}; it has ${listMetrics(metrics) || 'none'}`,
    )
  if (found.state === 'unusable')
    throw new InputError(`${file}: ${asked} has no score in any sample (${found.description})`)
  return found
}

/** What a file says about its metrics. */
type Origin = { file: string } & Pick<ForeignResults, 'lowerIsBetter' | 'onlyIfNamed' | 'preferred'>

/** The metric that counts unless the user says otherwise; undefined if no sample has a score. */
function chooseMetric(
  metrics: readonly MetricSummary[],
  { metric, scale }: Pick<ResultsChoices, 'metric' | 'scale'>,
  { file, preferred = [], onlyIfNamed }: Origin,
): MetricSummary | undefined {
  if (metric !== undefined) return findMetric(metrics, metric, file)
  const usable = metrics.filter(({ name, state }) => state !== 'unusable' && !onlyIfNamed?.has(baseOf(name)))
  const ready = usable.filter(({ state }) => state === 'ready')
  const first = preferred.map((name) => ready.find((found) => baseOf(found.name) === name)).find(Boolean)
  const scaled = usable.find(({ state }) => state === 'scale')
  if (scale && scaled) return scaled
  return first ?? ready[0] ?? scaled
}

function refuseScale({ name, min, max, count }: MetricSummary, file: string): never {
  throw new InputError(
    `${file}: ${name} has ${count} scores from ${writeBeyond(min!)} to ${writeBeyond(max!)}, which is not 0 to 1; say which value is worst and which is best: --scale MIN:MAX (--lower-is-better if MIN is best)`,
  )
}

/** A percentage is a share of the scale, so no scale holds one beyond 0% to 100%. */
function refuseBeyond(values: readonly ScoreValue[], metric: string, file: string): void {
  const beyond = values.filter((value) => value.kind === 'share' && !isWithin(value.share)).length
  if (beyond > 0)
    throw new InputError(
      `${file}: ${metric} has ${beyond} ${beyond === 1 ? 'percentage' : 'percentages'} beyond 0% to 100%; write plain numbers, and say which is worst and which is best: --scale MIN:MAX`,
    )
}

/** How the scores of a file became 0 to 1, kept with the run and shown with it. */
export interface ScoreMapping {
  metric: string | undefined
  metrics: MetricSummary[]
  scale?: { min: number; max: number } | undefined
  lowerIsBetter: boolean
  /** In words: what became 100, what 0. */
  description: string
  /** Maps a value of the metric. */
  map(value: unknown): { score: number; rawScore?: number; maxScore?: number } | { unscored: string }
}

function describeMapping(
  { name, min, max }: MetricSummary,
  values: readonly ScoreValue[],
  { scale, lowerIsBetter }: Pick<ScoreMapping, 'scale' | 'lowerIsBetter'>,
): string {
  const fixed = values.flatMap((value) => (value.kind === 'fixed' ? [value] : []))
  const groups = [...Map.groupBy(fixed, ({ written }) => written)].sort(([, a], [, b]) => b[0]!.score - a[0]!.score)
  const turn = (score: number) => Math.round((lowerIsBetter ? 1 - score : score) * 100)
  const missing = values.filter(({ kind }) => kind === 'none').length
  const parts = [
    ...groups.map(([written, all]) => `${written} became ${turn(all[0]!.score)} (${all.length})`),
    ...(min === undefined
      ? []
      : scale
        ? [
            `${writeFigure(scale.min)} became ${turn(0)} and ${writeFigure(scale.max)} became ${turn(1)} (values from ${writeFigure(min)} to ${writeFigure(max!)})`,
          ]
        : [`0 became ${turn(0)} and 1 became ${turn(1)}`]),
    ...(values.some(({ kind }) => kind === 'share') ? [`0% became ${turn(0)} and 100% became ${turn(1)}`] : []),
    ...(missing > 0 ? [`${missing} without a usable value are unscored`] : []),
  ]
  return `${name}: ${parts.join(', ')}`
}

/** Decides which metric counts and how its values become scores; refuses a scale that nobody named. */
export function mapScores(samples: readonly ForeignSample[], choices: ResultsChoices, origin: Origin): ScoreMapping {
  const { file, lowerIsBetter: lowerMetrics } = origin
  const metrics = summariseMetrics(samples)
  const chosen = chooseMetric(metrics, choices, origin)
  if (!chosen) {
    const found = listMetrics(metrics)
    return {
      metric: undefined,
      metrics,
      lowerIsBetter: false,
      description: found === '' ? 'The file has no scores.' : `No metric holds a score (${found}).`,
      map: () => ({ unscored: 'the file has no score for it' }),
    }
  }
  const { scale } = choices
  const lowerIsBetter = choices.lowerIsBetter ?? lowerMetrics?.has(baseOf(chosen.name)) ?? false
  if (!scale && chosen.state === 'scale') refuseScale(chosen, file)
  if (scale && chosen.min !== undefined && !(isWithin(chosen.min, scale) && isWithin(chosen.max!, scale)))
    throw new InputError(
      `${file}: ${chosen.name} has values from ${writeBeyond(chosen.min, scale)} to ${writeBeyond(chosen.max!, scale)}, beyond the scale ${scale.min}:${scale.max}; scores are never cut off, so name a scale that holds them all`,
    )
  const values = samples.flatMap((sample) =>
    sample.error === undefined ? [readScoreValue(sample.scores.get(chosen.name))] : [],
  )
  refuseBeyond(values, chosen.name, file)
  const turn = (share: number) => (lowerIsBetter ? 1 - clamp(share) : clamp(share))
  return {
    metric: chosen.name,
    metrics,
    scale,
    lowerIsBetter,
    description: describeMapping(chosen, values, { scale, lowerIsBetter }),
    map(value) {
      const read = readScoreValue(value)
      if (read.kind === 'none') return { unscored: read.reason }
      if (read.kind === 'fixed') return { score: turn(read.score) }
      if (read.kind === 'share') return { score: turn(read.share) }
      if (!scale) return { score: turn(read.value) }
      return {
        score: turn((read.value - scale.min) / (scale.max - scale.min)),
        rawScore: read.value,
        maxScore: scale.max,
      }
    },
  }
}
