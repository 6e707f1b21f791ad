import { commonOptions } from '../../../contract/index.ts'
import type { ModelList } from '../../../server/settings/model-catalog.ts'
import { useState, type ReactNode } from 'react'
import type { ArenaState } from '../../../stores/arenaStore.ts'
import { Button } from '../../ui/Button.tsx'
import { Section } from '../../ui/Page.tsx'
import { ChosenModels } from './ChosenModels.tsx'
import { ModelPickerDialog } from './ModelPickerDialog.tsx'
import { OptionFields } from './OptionFields.tsx'

const noNotes: ReadonlyMap<string, ReactNode> = new Map()

interface JudgePanelProps {
  list: ModelList | undefined
  chosen: readonly string[]
  state: Pick<ArenaState, 'choices' | 'choose'>
  aside?: string | undefined
  description: string
  /** Shown next to a judge's name. */
  notes?: ReadonlyMap<string, ReactNode>
  children?: ReactNode
}

/** One judge, or a panel whose scores are combined. */
export function JudgePanel({ list, chosen, state, aside, description, notes = noNotes, children }: JudgePanelProps) {
  const [isOpen, setOpen] = useState(false)
  const setJudges = (judgeModelIds: string[]) => state.choose({ judgeModelIds })
  return (
    <Section title={chosen.length > 1 ? 'Judge panel' : 'Judge'} aside={aside}>
      {chosen.length > 0 && (
        <ChosenModels
          label="Chosen judges"
          ids={chosen}
          onRemove={(id) => setJudges(chosen.filter((other) => other !== id))}
          notes={notes}
        />
      )}
      <div className="flex flex-wrap items-end gap-3">
        <Button onClick={() => setOpen(true)} disabled={!list}>
          Choose judges
        </Button>
        {chosen.length > 1 && <OptionFields group="Judges" options={commonOptions} state={state} />}
      </div>
      {children}
      {list && (
        <ModelPickerDialog
          title="Judges"
          description={description}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          label="Models as judges"
          list={list}
          chosen={chosen}
          onChange={setJudges}
        />
      )}
    </Section>
  )
}
