import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Calibration, ModelList } from '../../server/api.ts'
import { api } from '../api-client.ts'
import { Link } from '../router.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { SelectField } from '../ui/Field.tsx'
import { formatTime } from '../ui/format.ts'
import { Section } from '../ui/Page.tsx'
import { ChosenModels } from './ChosenModels.tsx'
import { ModelPicker, noFilters } from './ModelPicker.tsx'
import { useArena } from './use-arena.ts'

/** The newest of each judge counts. */
function newestByJudge(calibrations: readonly Calibration[]): Map<string, Calibration> {
  const newest = new Map<string, Calibration>()
  for (const calibration of calibrations) {
    const known = newest.get(calibration.result.judgeModelId)
    if (!known || known.savedAt < calibration.savedAt) newest.set(calibration.result.judgeModelId, calibration)
  }
  return newest
}

function JudgeBadge({ calibration }: { calibration: Calibration | undefined }) {
  if (!calibration) return <Link to="/judges" className="underline decoration-dotted hover:text-ink">not calibrated</Link>
  const { rating, summary } = calibration.interpretation
  return (
    <Badge kind={rating === 'poor' || rating === 'fair' ? 'warning' : 'accent'} title={`${summary} (${formatTime(calibration.savedAt)})`}>
      calibrated: {rating}
    </Badge>
  )
}

/** Who grades what no rule can: one judge, or a panel whose scores are combined. */
export function JudgeChoice({ list, chosen, onChange }: { list: ModelList | undefined; chosen: readonly string[]; onChange: (chosen: string[]) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [filters, setFilters] = useState(noFilters)
  const combineJudges = useArena((state) => state.choices.combineJudges)
  const choose = useArena((state) => state.choose)
  const calibrations = useQuery({ queryKey: ['calibrations'], queryFn: api.calibrations, staleTime: 30_000 })
  const newest = newestByJudge(calibrations.data ?? [])
  const notes = new Map(calibrations.data ? chosen.map((id) => [id, <JudgeBadge key={id} calibration={newest.get(id)} />]) : [])
  return (
    <Section title={chosen.length > 1 ? 'Judge panel' : 'Judge'} aside="required by this suite">
      {chosen.length > 0 && (
        <ChosenModels
          label="Chosen judges"
          ids={chosen}
          onRemove={(id) => onChange(chosen.filter((other) => other !== id))}
          notes={notes}
        />
      )}
      <div className="flex flex-wrap items-end gap-3">
        <Button onClick={() => setOpen(true)} disabled={!list}>
          Choose judges
        </Button>
        {chosen.length > 1 && (
          <SelectField
            label="Score of the panel"
            value={combineJudges}
            onChange={({ target }) => choose({ combineJudges: target.value === 'median' ? 'median' : 'mean' })}
          >
            <option value="mean">Mean of the judges</option>
            <option value="median">Median of the judges</option>
          </SelectField>
        )}
      </div>
      {list && (
        <Dialog
          title="Judges"
          description="One model, or several as a panel: each one’s score is kept."
          width="wide"
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          actions={
            <Button kind="primary" onClick={() => setOpen(false)}>
              Done
            </Button>
          }
        >
          <ModelPicker label="Models as judges" list={list} chosen={chosen} onChange={onChange} filters={filters} onFilter={(changes) => setFilters({ ...filters, ...changes })} />
        </Dialog>
      )}
    </Section>
  )
}
