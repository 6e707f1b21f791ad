import type { ModelList } from '../../../server/settings/model-catalog.ts'
import type { Calibration } from '../../../server/judges/calibrations.ts'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { ArenaState } from '../../../stores/arenaStore.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { ModelChoice } from './ModelChoice.tsx'

/** The latest calibration of each judge. */
function findLatest(calibrations: readonly Calibration[]): Map<string, Calibration> {
  const latest = new Map<string, Calibration>()
  for (const calibration of calibrations) {
    if (calibration.interpretation.rating === 'not calibrated') continue
    const previous = latest.get(calibration.result.judgeModelId)
    if (!previous || previous.savedAt < calibration.savedAt) latest.set(calibration.result.judgeModelId, calibration)
  }
  return latest
}

function JudgeBadge({ calibration }: { calibration: Calibration | undefined }) {
  if (!calibration)
    return (
      <Link to="/judges" className="underline decoration-dotted hover:text-ink">
        not calibrated
      </Link>
    )
  const { rating, summary, certainty } = calibration.interpretation
  const couldBeWorse = calibration.result.certainty?.couldBe.some((other) => other === 'poor' || other === 'fair')
  const isDoubtful = rating === 'poor' || rating === 'fair' || couldBeWorse
  return (
    <Badge
      kind={isDoubtful ? 'warning' : 'accent'}
      title={`${summary} ${certainty} (${formatLocalTime(calibration.savedAt)})`}
    >
      calibrated: {rating}
      {couldBeWorse && ' (low confidence)'}
    </Badge>
  )
}

/** The judges of the suite, each with its latest calibration. */
export function JudgeChoice({
  models,
  chosen,
  state,
}: {
  models: UseQueryResult<ModelList>
  chosen: readonly string[]
  state: ArenaState
}) {
  const calibrations = useQuery({
    queryKey: ['calibrations'],
    queryFn: () => readReply(api.calibrations.$get()),
    staleTime: 30_000,
  })
  const latest = findLatest(calibrations.data ?? [])
  const notes = new Map(
    calibrations.data ? chosen.map((id) => [id, <JudgeBadge key={id} calibration={latest.get(id)} />]) : [],
  )
  return (
    <ModelChoice
      title={chosen.length > 1 ? 'Judge panel' : 'Judge'}
      chosenLabel="Chosen judges"
      listLabel="Models as judges"
      addLabel={chosen.length === 0 ? 'Choose a judge' : 'Add judge'}
      models={models}
      chosen={chosen}
      onChange={(judgeModelIds) => state.choose({ judgeModelIds })}
      notes={notes}
    />
  )
}
