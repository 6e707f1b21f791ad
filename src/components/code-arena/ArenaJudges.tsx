import { useState } from 'react'
import type { ModelList } from '../../server/api.ts'
import { ChosenModels } from '../arena/ChosenModels.tsx'
import { ModelPicker, noFilters } from '../arena/ModelPicker.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { SelectField } from '../ui/Field.tsx'
import { Section } from '../ui/Page.tsx'
import { Switch } from '../ui/Switch.tsx'
import { useCodeArena } from './code-arena-choices.ts'
import type { ArenaTask } from './make-arena-request.ts'

interface ArenaJudgesProps {
  list: ModelList | undefined
  chosen: readonly string[]
  task: ArenaTask
  onChange: (changes: Partial<ArenaTask>) => void
}

/** Who judges the pages, and what they get to see. Nobody is an answer too: then people vote. */
export function ArenaJudges({ list, chosen, task, onChange }: ArenaJudgesProps) {
  const [isOpen, setOpen] = useState(false)
  const [filters, setFilters] = useState(noFilters)
  const combineJudges = useCodeArena((state) => state.choices.combineJudges)
  const choose = useCodeArena((state) => state.choose)
  const setJudges = (judgeModelIds: string[]) => choose({ judgeModelIds })
  return (
    <Section title={chosen.length > 1 ? 'Judge panel' : 'Judge'} aside={chosen.length === 0 ? 'nobody judges, people vote' : undefined}>
      {chosen.length > 0 && <ChosenModels label="Chosen judges" ids={chosen} onRemove={(id) => setJudges(chosen.filter((other) => other !== id))} notes={new Map()} />}
      <div className="flex flex-wrap items-end gap-3">
        <Button onClick={() => setOpen(true)} disabled={!list}>
          Choose judges
        </Button>
        {chosen.length > 1 && (
          <SelectField label="Score of the panel" value={combineJudges} onChange={({ target }) => choose({ combineJudges: target.value === 'median' ? 'median' : 'mean' })}>
            <option value="mean">Mean of the judges</option>
            <option value="median">Median of the judges</option>
          </SelectField>
        )}
      </div>
      {chosen.length > 0 && (
        <Switch
          label="Quick judge (code only)"
          checked={task.isQuickJudge}
          onChange={(isQuickJudge) => onChange({ isQuickJudge })}
          hint={
            task.isQuickJudge
              ? 'On: the judge reads the first 5,000 characters of the code and sees no page. Quicker and cheaper; how the page looks counts as not seen.'
              : 'Off: the judge sees screenshots at 375, 768 and 1440 px, before and after use, what the browser found, and the code.'
          }
        />
      )}
      {list && (
        <Dialog
          title="Judges"
          description="One model, or several as a panel: each one’s score is kept. Models that take images see the screenshots."
          width="wide"
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          actions={
            <Button kind="primary" onClick={() => setOpen(false)}>
              Done
            </Button>
          }
        >
          <ModelPicker label="Models as judges" list={list} chosen={chosen} onChange={setJudges} filters={filters} onFilter={(changes) => setFilters({ ...filters, ...changes })} />
        </Dialog>
      )}
    </Section>
  )
}
