import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../ui/Button.tsx'
import { ModelName } from '../../ui/names/ModelName.tsx'

interface ChosenModelsProps {
  label: string
  ids: readonly string[]
  onRemove: (id: string) => void
  /** Shown to the right of each model. */
  notes: ReadonlyMap<string, ReactNode>
}

/** The chosen models, in the order they were chosen. */
export function ChosenModels({ label, ids, onRemove, notes }: ChosenModelsProps) {
  return (
    <ul
      aria-label={label}
      className="max-h-48 divide-y divide-line overflow-auto rounded-md border border-line bg-surface"
      tabIndex={0}
    >
      {ids.map((id) => (
        <li key={id} className="flex h-8 items-center gap-2 pl-2">
          <div className="min-w-0 flex-1">
            <ModelName id={id} withBadge={false} />
          </div>
          <div className="shrink-0 text-right text-xs text-muted tabular-nums">{notes.get(id)}</div>
          <IconButton label={`Remove ${id}`} className="h-7" onClick={() => onRemove(id)}>
            <X size={14} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}
