import type { ListedModel } from '../../../server/settings/model-catalog.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Check } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { classes } from '../../ui/classes.ts'
import { ModelName } from '../../ui/names/ModelName.tsx'
import { formatContext, formatPrice } from '../../../report/words/index.ts'
import type { ModelSort } from './filter-models.ts'

const ROW_HEIGHT = 32
const columns =
  'grid grid-cols-[20px_minmax(0,1fr)_64px] items-center gap-2 px-2 sm:grid-cols-[20px_minmax(0,1fr)_100px_72px_72px_64px]'

interface ModelListProps {
  label: string
  models: ListedModel[]
  chosen: readonly string[]
  onToggle: (id: string) => void
  sort: ModelSort
  onSort: (sort: ModelSort) => void
  /** The number of models without filters, so that the height stays the same while filtering. */
  total: number
}

function SortHead({
  children,
  sort,
  by,
  onSort,
  className,
}: {
  children: string
  sort: ModelSort
  by: ModelSort
  onSort: (sort: ModelSort) => void
  className?: string
}) {
  return (
    <button
      type="button"
      aria-pressed={sort === by}
      title={`Sort by ${children.toLowerCase()}`}
      onClick={() => onSort(by)}
      className={classes(
        'h-6 truncate rounded hover:text-ink',
        sort === by && 'text-ink underline underline-offset-2',
        className,
      )}
    >
      {children}
    </button>
  )
}

function ModelRow({ model, isChosen, isActive }: { model: ListedModel; isChosen: boolean; isActive: boolean }) {
  return (
    <div className={classes(columns, 'h-full', isActive && 'bg-hover', !isActive && 'hover:bg-hover')}>
      <span
        aria-hidden
        className={classes(
          'flex size-4 items-center justify-center rounded-xs border',
          isChosen ? 'border-accent bg-accent text-on-accent' : 'border-line-strong',
        )}
      >
        {isChosen && <Check size={12} strokeWidth={3} />}
      </span>
      <ModelName id={model.id} withBadge={false} />
      <span className="hidden truncate text-muted sm:block">{model.provider}</span>
      <span className="hidden text-right tabular-nums sm:block">{formatPrice(model.promptPrice)}</span>
      <span className="text-right tabular-nums">{formatPrice(model.completionPrice)}</span>
      <span className="hidden text-right tabular-nums sm:block">{formatContext(model.contextLength)}</span>
    </div>
  )
}

function describeModel(model: ListedModel): string {
  const price =
    model.completionPrice === undefined
      ? 'price unknown'
      : `${formatPrice(model.promptPrice)} in, ${formatPrice(model.completionPrice)} out per million tokens`
  return `${model.id}, ${model.provider}, ${price}, context ${formatContext(model.contextLength)}`
}

/**
 * A list of hundreds of models. One tab stop: arrows or j and k move, Space or Enter selects. Only visible rows are
 * rendered.
 */
export function ModelList({ label, models, chosen, onToggle, sort, onSort, total }: ModelListProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: models.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  })
  const current = Math.min(active, models.length - 1)
  useEffect(() => {
    setActive(0)
    box.current?.scrollTo({ top: 0 })
  }, [models])

  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(models.length - 1, index))
    setActive(next)
    rows.scrollToIndex(next)
  }
  const listen = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return
    const page = Math.max(1, Math.floor((box.current?.clientHeight ?? ROW_HEIGHT) / ROW_HEIGHT) - 1)
    const steps: Record<string, number> = {
      ArrowDown: 1,
      j: 1,
      ArrowUp: -1,
      k: -1,
      PageDown: page,
      PageUp: -page,
      Home: -models.length,
      End: models.length,
    }
    const step = steps[event.key]
    const model = models[current]
    if (step !== undefined) moveTo(current + step)
    else if ((event.key === ' ' || event.key === 'Enter') && model) onToggle(model.id)
    else return
    event.preventDefault()
  }

  return (
    <div className="min-w-0 overflow-hidden rounded-md border border-line bg-surface">
      <div className={classes(columns, 'border-b border-line bg-sunken py-1 text-xs text-muted')}>
        <span />
        <SortHead sort={sort} by="name" onSort={onSort} className="justify-self-start">
          Name
        </SortHead>
        <span className="hidden sm:block">Provider</span>
        <span className="hidden text-right sm:block" title="US dollars per million input tokens">
          $/M in
        </span>
        <SortHead sort={sort} by="price" onSort={onSort} className="justify-self-end">
          $/M out
        </SortHead>
        <SortHead sort={sort} by="context" onSort={onSort} className="hidden justify-self-end sm:block">
          Context
        </SortHead>
      </div>
      <div
        ref={box}
        role="listbox"
        aria-label={label}
        aria-multiselectable
        tabIndex={0}
        {...(models.length > 0 && { 'aria-activedescendant': `${id}-${current}` })}
        onKeyDown={listen}
        className="overflow-auto outline-offset-[-2px]"
        style={{ height: ROW_HEIGHT * Math.max(3, Math.min(8, total)) }}
      >
        <div role="presentation" className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const model = models[index]!
            const isChosen = chosen.includes(model.id)
            return (
              // The list handles the keys.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={model.id}
                id={`${id}-${index}`}
                role="option"
                aria-selected={isChosen}
                aria-label={describeModel(model)}
                aria-setsize={models.length}
                aria-posinset={index + 1}
                onClick={() => {
                  setActive(index)
                  onToggle(model.id)
                }}
                className="absolute inset-x-0 top-0 cursor-pointer"
                style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
              >
                <ModelRow model={model} isChosen={isChosen} isActive={index === current} />
              </div>
            )
          })}
        </div>
        {models.length === 0 && (
          <div className="p-3 text-muted">
            No matching models. Clear a filter, or type the full name of one: endpoint/model.
          </div>
        )}
      </div>
    </div>
  )
}
