import type { ListedFinding } from '../../../server/judges/audits.ts'
import { formatAuditFigure, formatAuditInterval } from '../../../report/words/index.ts'
import { DifferenceMark } from '../../results/compare/DifferenceMark.tsx'
import { IntervalMark } from '../../ui/charts/IntervalMark.tsx'
import { reachOf } from './audit-groups.ts'

type Figure = NonNullable<ListedFinding['figure']>

/** The standard deviations of judges lie within this; a larger one is drawn at its end. */
const MAX_DEVIATION = 0.3

/** A figure with its interval: changes around 0, shares and deviations from 0. */
export function AuditFigureMark({ figure }: { figure: Figure }) {
  const { value, low, high, unit, name } = figure
  const label = `${name}: ${formatAuditFigure(figure)}, 95 % CI ${formatAuditInterval(figure)}`
  if (unit === 'change')
    return <DifferenceMark mean={value} low={low} high={high} reach={reachOf(figure)} label={label} />
  const domain: [number, number] = unit === 'points' ? [0, MAX_DEVIATION] : [0, 1]
  return <IntervalMark mean={value} low={low} high={high} domain={domain} label={label} />
}
