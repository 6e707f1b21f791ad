import type { UseQueryResult } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ModelList } from '../../../server/settings/model-catalog.ts'
import { formatCount } from '../../../report/words/index.ts'
import { describeListedPrice } from '../../../report/words/models.ts'
import { Button } from '../../ui/Button.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { AddButton, ComposerRow, ModelChip } from './Chip.tsx'
import { ModelPicker, noFilters } from './ModelPicker.tsx'

interface ModelChoiceProps {
  title: string
  /** Of the chips, for screen readers. */
  chosenLabel: string
  /** Of the list that opens. */
  listLabel: string
  addLabel: string
  models: UseQueryResult<ModelList>
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  /** Shown on a chip, instead of the price. */
  notes?: ReadonlyMap<string, ReactNode>
  /** After the chips. */
  children?: ReactNode
}

/** Chosen models as chips, and a list that opens to choose more; it stays open for several. */
export function ModelChoice(props: ModelChoiceProps) {
  const { title, chosenLabel, listLabel, addLabel, models, chosen, onChange, notes, children } = props
  const [isOpen, setOpen] = useState(false)
  const [filters, setFilters] = useState(noFilters)
  const byId = new Map(models.data?.models.map((model) => [model.id, model]))
  return (
    <ComposerRow
      title={title}
      aside={
        chosen.length > 1 && (
          <button
            type="button"
            className="flex min-h-8 items-center text-[13px] text-muted hover:text-ink hover:underline"
            onClick={() => onChange([])}
          >
            Remove all
          </button>
        )
      }
    >
      <ul aria-label={chosenLabel} className="contents">
        {chosen.map((id) => (
          <ModelChip
            key={id}
            id={id}
            note={
              notes?.get(id) ?? (
                <span className="max-sm:hidden">{describeListedPrice(byId.get(id), models.data !== undefined)}</span>
              )
            }
            onRemove={() => onChange(chosen.filter((other) => other !== id))}
          />
        ))}
      </ul>
      <Popover
        label={listLabel}
        isOpen={isOpen}
        onOpen={setOpen}
        trigger={<AddButton disabled={!models.data}>{models.isPending ? 'Loading models…' : addLabel}</AddButton>}
        footer={
          <>
            <span className="text-xs text-muted max-sm:hidden">
              <kbd>↑</kbd> <kbd>↓</kbd> move · <kbd>Space</kbd> adds
            </span>
            <Button className="ml-auto" onClick={() => setOpen(false)}>
              Done · {formatCount(chosen.length)} chosen
            </Button>
          </>
        }
      >
        {models.data && (
          <ModelPicker
            label={listLabel}
            list={models.data}
            chosen={chosen}
            onChange={onChange}
            filters={filters}
            onFilter={(changes) => setFilters({ ...filters, ...changes })}
          />
        )}
      </Popover>
      {children}
      <FailureNotice title="The list of models could not be loaded" failure={models.error} onRetry={models.refetch} />
    </ComposerRow>
  )
}
