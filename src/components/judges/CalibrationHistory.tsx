import { RunnersOnly } from '../access/for-runners.tsx'
import type { Calibration } from '../../server/judges/calibrations.ts'
import { Link } from '../router.tsx'
import { Badge } from '../ui/Badge.tsx'
import { calibrationTable } from '../../report/tables/judges.ts'
import type { Column } from '../../report/tables/table.ts'
import { describeCalibrationRating } from '../../report/words/judges/calibration.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import { formatLocalTime } from '../ui/local-time.ts'
import { ModelName } from '../ui/names/ModelName.tsx'
import { EmptyState } from '../ui/Notice.tsx'
import { orderCalibrations } from './order-calibrations.ts'

type Rating = Calibration['interpretation']['rating']

const LOOKS: Record<Rating, 'accent' | 'warning' | 'danger' | 'plain'> = {
  excellent: 'accent',
  good: 'accent',
  fair: 'warning',
  poor: 'danger',
  'not calibrated': 'plain',
}

export function RatingBadge({ rating }: { rating: Rating }) {
  return <Badge kind={LOOKS[rating]}>{rating}</Badge>
}

const judgeColumn: Column<Calibration> = {
  key: 'judge',
  label: 'Judge',
  role: 'name',
  text: ({ result }) => result.judgeModelId,
}

/** All calibrations by judge and prompt, newest first. Two with the same samples show how consistent it is. */
export function CalibrationHistory({ calibrations }: { calibrations: Calibration[] }) {
  if (calibrations.length === 0)
    return (
      <EmptyState title="No calibrations yet.">
        <RunnersOnly>Click Calibrate; it takes a few seconds.</RunnersOnly>
      </EmptyState>
    )
  return (
    <DataTable
      label="Calibrations"
      columns={[judgeColumn, ...calibrationTable.map((column) => ({ ...column, role: undefined }))]}
      rows={orderCalibrations(calibrations)}
      keyOf={({ id }) => id}
      draw={{
        judge: ({ result }) => <ModelName id={result.judgeModelId} withBadge={false} />,
        when: ({ id, savedAt }) => (
          <Link to={`/judges/${encodeURIComponent(id)}`} className="text-accent-ink hover:underline">
            {formatLocalTime(savedAt)}
          </Link>
        ),
        rating: ({ interpretation: { rating }, result }) => (
          <>
            <RatingBadge rating={rating} />{' '}
            <span className="text-muted">{describeCalibrationRating(rating, result).slice(rating.length)}</span>
          </>
        ),
      }}
    />
  )
}
