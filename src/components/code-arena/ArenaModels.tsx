import type { UseQueryResult } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { maxArenaModels } from '../../contract/index.ts'
import type { ModelList } from '../../server/settings/model-catalog.ts'
import { describePrice } from '../arena/choices/ModelChoice.tsx'
import { ModelPickerDialog } from '../arena/choices/ModelPickerDialog.tsx'
import { Button } from '../ui/Button.tsx'
import { CutName } from '../ui/names/ModelName.tsx'
import { FailureNotice } from '../ui/Notice.tsx'

interface ArenaModelsProps {
  models: UseQueryResult<ModelList>
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** The models as chips, and a dialog to choose among all. */
export function ArenaModels({ models, chosen, onChange }: ArenaModelsProps) {
  const [isOpen, setOpen] = useState(false)
  const byId = new Map(models.data?.models.map((model) => [model.id, model]))
  return (
    <section aria-label="Models" className="flex min-w-0 flex-col gap-2">
      <ul aria-label="Chosen models" className="flex min-w-0 flex-wrap items-center gap-1.5">
        {chosen.map((id) => (
          <li
            key={id}
            className="flex h-8 max-w-full min-w-0 items-center rounded-full border border-line bg-sunken pl-3 text-[13px]"
          >
            <CutName name={id} className="max-w-64" />
            <span className="ml-2 text-xs whitespace-nowrap text-muted tabular-nums max-sm:hidden">
              {describePrice(byId.get(id), models.data !== undefined)}
            </span>
            <button
              type="button"
              aria-label={`Remove ${id}`}
              title={`Remove ${id}`}
              className="inline-flex size-8 shrink-0 items-center justify-center rounded-full text-muted hover:text-ink"
              onClick={() => onChange(chosen.filter((other) => other !== id))}
            >
              <X size={14} aria-hidden />
            </button>
          </li>
        ))}
        <li>
          <Button kind="quiet" className="rounded-full!" disabled={!models.data} onClick={() => setOpen(true)}>
            <Plus size={14} aria-hidden />
            {models.isPending ? 'Loading models…' : 'Choose models'}
          </Button>
        </li>
      </ul>
      <FailureNotice title="The list of models could not be loaded" failure={models.error} onRetry={models.refetch} />
      {models.data && (
        <ModelPickerDialog
          title="Models"
          description={`Each writes a page of its own. At most ${maxArenaModels}.`}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          label="All models"
          list={models.data}
          chosen={chosen}
          onChange={onChange}
        />
      )}
    </section>
  )
}
