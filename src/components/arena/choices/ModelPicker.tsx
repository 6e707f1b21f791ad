import type { ModelList as ListedModels } from '../../../server/settings/model-catalog.ts'
import { useMemo } from 'react'
import { Button } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { formatCost, formatCount } from '../../../report/words/index.ts'
import { Notice } from '../../ui/Notice.tsx'
import { filterModels, listProviders, readUnlisted, type ModelSort } from './filter-models.ts'
import { ModelList } from './ModelList.tsx'

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

/** All available models, filtered by name, provider, price and context. */
export function ModelPicker({ label, list, chosen, onChange, filters, onFilter }: ModelPickerProps) {
  const sort = readSort(filters.sort)
  const [maxPrice, minContext] = [readLimit(filters.maxPrice), readLimit(filters.minContext)]
  const { shown, hiddenUnknown } = useMemo(
    () => filterModels(list.models, { search: filters.search, provider: filters.provider, maxPrice, minContext, sort }),
    [list.models, filters.search, filters.provider, maxPrice, minContext, sort],
  )
  const providers = useMemo(() => listProviders(list.models), [list.models])
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  const unlisted = readUnlisted(filters.search, list.models, chosen)
  const addUnlisted = (id: string) => {
    onChange([...chosen, id])
    onFilter({ search: '' })
  }
  return (
    <div data-picker className="@container flex min-w-0 flex-col gap-2">
      <div className="grid grid-cols-2 gap-2 @min-[740px]:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <TextField
          label={`Search ${label.toLowerCase()}`}
          isLabelHidden
          type="search"
          placeholder="Search, or type endpoint/model"
          value={filters.search}
          onChange={({ target }) => onFilter({ search: target.value })}
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
          onChange={({ target }) => onFilter({ provider: target.value })}
        >
          <option value="">All providers</option>
          {providers.map((provider) => (
            <option key={provider}>{provider}</option>
          ))}
        </SelectField>
        <SelectField
          label="Maximum output price"
          isLabelHidden
          value={filters.maxPrice}
          onChange={({ target }) => onFilter({ maxPrice: target.value })}
        >
          <option value="">Any price</option>
          {prices.map((price) => (
            <option key={price} value={price}>
              {price === 0 ? 'Free' : `≤ ${formatCost(price)} per M out`}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Minimum context"
          isLabelHidden
          value={filters.minContext}
          onChange={({ target }) => onFilter({ minContext: target.value })}
        >
          <option value="">Any context</option>
          {contexts.map((context) => (
            <option key={context} value={context}>
              ≥ {context < 1_000_000 ? `${context / 1000}K` : `${context / 1_000_000}M`} context
            </option>
          ))}
        </SelectField>
      </div>
      <ModelList
        label={label}
        models={shown}
        chosen={chosen}
        onToggle={toggle}
        total={list.models.length}
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
      <div className="text-xs text-muted" role="status">
        {shown.length === list.models.length
          ? formatCount(shown.length, 'model')
          : `${formatCount(shown.length)} of ${formatCount(list.models.length, 'model')}`}
        {hiddenUnknown > 0 && `; ${formatCount(hiddenUnknown)} with an unknown price or context are hidden`}
      </div>
      {list.problems.length > 0 && (
        <Notice kind="warning" title="Some models could not be listed">
          {list.problems.map(({ provider, message }) => (
            <div key={provider}>
              {provider}: {message}
            </div>
          ))}
        </Notice>
      )}
    </div>
  )
}
