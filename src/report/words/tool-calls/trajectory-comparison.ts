import type {
  FigureComparison,
  ModelFigures,
  TrajectoryComparison,
  TrajectoryMeasure,
} from '../../../scoring/tool-calls/index.ts'
import { formatCost, formatCount, formatDuration, formatPercent, formatP, formatStatistic } from '../numbers.ts'

const labels: Readonly<Record<TrajectoryMeasure, string>> = {
  calls: 'Calls',
  errors: 'Errors',
  errorRate: 'Error rate',
  unknownTools: 'Calls to unknown tools',
  refusedBySchema: 'Refused by the tool’s schema',
  repeats: 'Identical repeats',
  unanswered: 'Unanswered calls',
  turns: 'Turns',
  inputTokens: 'Tokens in',
  outputTokens: 'Tokens out',
  cost: 'Cost',
  seconds: 'Time',
  emptyClaims: 'Claims of actions never called',
}

export const labelMeasure = (measure: TrajectoryMeasure): string => labels[measure]

export function formatFigure(measure: TrajectoryMeasure, value: number | null): string {
  if (value === null) return '–'
  if (measure === 'errorRate') return formatPercent(value)
  if (measure === 'cost') return formatCost(value)
  if (measure === 'seconds') return formatDuration(value * 1000)
  if (measure === 'inputTokens' || measure === 'outputTokens') return formatCount(Math.round(value))
  return formatStatistic(value, 1)
}

export const DESCRIBES_ONLY =
  'These figures describe the runs. They are no score: fewer calls or tokens need not be better.'

/** How two models differ on one figure; undefined where no difference is real. */
function describeFigure({ a, b, measure, paired }: FigureComparison): string | undefined {
  if (!paired?.isSignificant) return undefined
  const { meanDiff, shownInterval, n, adjustedP } = paired
  const [more, less] = meanDiff > 0 ? [a, b] : [b, a]
  const [low, high] = meanDiff > 0 ? shownInterval : [-shownInterval[1], -shownInterval[0]]
  const size = formatFigure(measure, Math.abs(meanDiff))
  const range = `${formatFigure(measure, low)} to ${formatFigure(measure, high)}`
  return `${labelMeasure(measure)}: ${more} has ${size} more than ${less} (${range}, ${formatCount(n, 'task')}, ${formatP(adjustedP)})`
}

/** The sentences of a comparison: each real difference, or that there is none. `way` says how tasks are named. */
export function describeTrajectoryComparison(
  { models, comparisons }: TrajectoryComparison,
  way = '--task-from names the tasks',
): string[] {
  if (models.length < 2) return []
  const real = comparisons.flatMap((comparison) => describeFigure(comparison) ?? [])
  if (real.length > 0) return real
  const shared = Math.max(0, ...comparisons.map(({ paired }) => paired?.n ?? 0))
  if (shared === 0) return [`The models share no task, so nothing is compared: ${way}.`]
  return [`No difference is beyond chance over ${formatCount(shared, 'task')} in common.`]
}

/** Figures that at least one model has. */
export function listMeasures(models: readonly ModelFigures[]): TrajectoryMeasure[] {
  const measures = Object.keys(labels) as TrajectoryMeasure[]
  return measures.filter((measure) => models.some(({ means }) => means[measure] !== null))
}
