import type { ModelList as ListedModels, ListedModel } from '../../../server/settings/model-catalog.ts'
import { useMemo, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { Button } from '../../ui/Button.tsx'
import { SelectField, SelectOptions, TextField } from '../../ui/form/Field.tsx'
import { Switch } from '../../ui/form/Switch.tsx'
import { formatCost, formatCount, formatContext, formatPrice } from '../../../report/words/index.ts'
import { Link } from '../../router.tsx'
import { filterModels, listProviders, readUnlisted, type ModelSort } from './filter-models.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, TriangleAlert } from 'lucide-react'
import { classes } from '../../ui/classes.ts'
import { ModelName } from '../../ui/names/ModelName.tsx'
import { describeModel } from '../../../report/words/models.ts'

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

/**
 * A list of hundreds of models. One tab stop: arrows or j and k move, Space or Enter selects. Only visible rows are
 * rendered.
 */
function ModelList({ label, models, chosen, onToggle, sort, onSort, total }: ModelListProps) {
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

/** The filters as text, as they appear in the address. */
export interface PickerFilters {
  search: string
  provider: string
  maxPrice: string
  minContext: string
  sort: string
}

export const noFilters: PickerFilters = { search: '', provider: '', maxPrice: '', minContext: '', sort: '' }

export interface ModelPickerProps {
  label: string
  list: ListedModels
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  filters: PickerFilters
  onFilter: (changes: Partial<PickerFilters>) => void
}

const prices = [0, 0.5, 1, 2, 5, 10, 20, 50]
const contexts = [8_000, 32_000, 128_000, 200_000, 1_000_000]

function readSort(text: string): ModelSort {
  return text === 'price' || text === 'context' ? text : 'name'
}

const readLimit = (text: string) => (text === '' || !Number.isFinite(Number(text)) ? undefined : Number(text))

/** A server that could not list its models, in one line. */
function Problem({ provider, message }: ListedModels['problems'][number]) {
  const queries = useQueryClient()
  const retry = useMutation({ mutationFn: () => queries.invalidateQueries({ queryKey: ['models'] }) })
  return (
    <div className="flex min-w-0 items-center gap-2 text-[13px]">
      <TriangleAlert size={14} aria-hidden className="shrink-0 text-warning" />
      <span className="min-w-0 truncate" title={message}>
        {message.includes(provider) ? message : `${provider}: ${message}`}
      </span>
      <button
        type="button"
        disabled={retry.isPending}
        aria-label={`List the models of ${provider} again`}
        onClick={() => retry.mutate()}
        className="shrink-0 text-accent-ink underline underline-offset-2"
      >
        {retry.isPending ? 'Trying…' : 'Retry'}
      </button>
      <Link to="/settings#endpoints" className="shrink-0 text-accent-ink underline underline-offset-2">
        Settings
      </Link>
    </div>
  )
}

/** All available models, filtered by name, provider, price and context. */
export function ModelPicker({ label, list, chosen, onChange, filters, onFilter }: ModelPickerProps) {
  const sort = readSort(filters.sort)
  const [maxPrice, minContext] = [readLimit(filters.maxPrice), readLimit(filters.minContext)]
  const [isWithSimulated, setWithSimulated] = useState(false)
  const hasReal = list.models.some((model) => !model.isSimulated)
  const offered = useMemo(
    () => (hasReal && !isWithSimulated ? list.models.filter((model) => !model.isSimulated) : list.models),
    [list.models, hasReal, isWithSimulated],
  )
  const { shown, hiddenUnknown } = useMemo(
    () => filterModels(offered, { search: filters.search, provider: filters.provider, maxPrice, minContext, sort }),
    [offered, filters.search, filters.provider, maxPrice, minContext, sort],
  )
  const providers = useMemo(() => listProviders(offered), [offered])
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  const unlisted = readUnlisted(filters.search, list.models, chosen)
  const addUnlisted = (id: string) => {
    onChange([...chosen, id])
    onFilter({ search: '' })
  }
  return (
    <div data-picker className="@container flex min-w-0 flex-col gap-2">
      <div className="grid grid-cols-2 gap-2 @min-[640px]:grid-cols-[minmax(0,1fr)_repeat(3,9.25rem)]">
        <TextField
          label={`Search ${label.toLowerCase()}`}
          isLabelHidden
          type="search"
          className="col-span-2 @min-[640px]:col-span-1"
          placeholder="Search, or endpoint/model"
          value={filters.search}
          onChange={(text) => onFilter({ search: text })}
          onKeyDown={(event) => {
            if (
              event.key === 'Enter' &&
              !event.ctrlKey &&
              !event.metaKey &&
              unlisted !== undefined &&
              shown.length === 0
            )
              addUnlisted(unlisted)
            if (event.key !== 'ArrowDown') return
            event.preventDefault()
            event.currentTarget.closest('[data-picker]')?.querySelector<HTMLElement>('[role=listbox]')?.focus()
          }}
        />
        <SelectField
          label="Provider"
          isLabelHidden
          value={filters.provider}
          onChange={(value) => onFilter({ provider: value })}
        >
          <option value="">All providers</option>
          <SelectOptions of={providers} />
        </SelectField>
        <SelectField
          label="Maximum output price"
          isLabelHidden
          value={filters.maxPrice}
          onChange={(value) => onFilter({ maxPrice: value })}
        >
          <option value="">Any price</option>
          <SelectOptions
            of={prices.map((price) => [price, price === 0 ? 'Free' : `≤ ${formatCost(price)} per M out`])}
          />
        </SelectField>
        <SelectField
          label="Minimum context"
          isLabelHidden
          value={filters.minContext}
          onChange={(value) => onFilter({ minContext: value })}
        >
          <option value="">Any context</option>
          <SelectOptions
            of={contexts.map((context) => [
              context,
              `≥ ${context < 1_000_000 ? `${context / 1000}K` : `${context / 1_000_000}M`} context`,
            ])}
          />
        </SelectField>
      </div>
      <ModelList
        label={label}
        models={shown}
        chosen={chosen}
        onToggle={toggle}
        total={offered.length}
        sort={sort}
        onSort={(next) => onFilter({ sort: next === 'name' ? '' : next })}
      />
      {unlisted !== undefined && (
        <div className="flex flex-wrap items-center gap-2">
          <Button onClick={() => addUnlisted(unlisted)} className="max-w-full">
            <span className="truncate">Use {unlisted}</span>
          </Button>
          <span className="text-xs text-muted">No server lists it; it is sent under this name.</span>
        </div>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <div className="text-xs text-muted" role="status">
          {shown.length === offered.length
            ? formatCount(shown.length, 'model')
            : `${formatCount(shown.length)} of ${formatCount(offered.length, 'model')}`}
          {hiddenUnknown > 0 && `; ${formatCount(hiddenUnknown)} with an unknown price or context are hidden`}
        </div>
        {hasReal && list.models.some((model) => model.isSimulated) && (
          <Switch label="Simulated models" checked={isWithSimulated} onChange={setWithSimulated} />
        )}
      </div>
      {list.problems.map((problem) => (
        <Problem key={problem.provider} {...problem} />
      ))}
    </div>
  )
}
