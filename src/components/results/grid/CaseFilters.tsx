import type { ResultsView } from '../../../server/results/results-view.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField, SelectOptions, TextField } from '../../ui/form/Field.tsx'
import { useTyped } from '../../ui/use-settled.ts'
import { caseSorts, caseStates, isBelow, isFiltered, noFilters, sortChanges, type CaseQuery } from './case-query.ts'

interface CaseFiltersProps {
  view: ResultsView
  query: CaseQuery
  changeQuery: (changes: Record<string, string | undefined>) => void
}

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useTyped({ value, onSettled: onChange })
  return (
    <TextField
      type="search"
      label="Search cases"
      placeholder="Id, prompt or answer"
      className="w-44 max-w-full"
      value={text}
      onChange={setText}
    />
  )
}

/** Only cases on which a model scores less than this. */
function BelowField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useTyped({ value, isValid: isBelow, onSettled: (settled) => onChange(settled.trim()) })
  return (
    <TextField
      label="Score below"
      type="number"
      min={0}
      max={100}
      step="any"
      placeholder="any"
      className="w-22"
      value={text}
      onChange={setText}
      error={isBelow(text) ? undefined : '0 to 100'}
    />
  )
}

function Choice({
  label,
  value,
  all,
  options,
  onChange,
}: {
  label: string
  value: string
  all: string
  options: string[]
  onChange: (value: string) => void
}) {
  if (options.length === 0) return null
  return (
    <SelectField label={label} className="w-40 max-w-full" value={value} onChange={onChange}>
      <option value="">{all}</option>
      <SelectOptions of={options} />
    </SelectField>
  )
}

export function CaseFilters({ view, query, changeQuery }: CaseFiltersProps) {
  const isByModel = query.sort.startsWith('model:')
  return (
    <div className="flex flex-wrap items-end gap-2">
      <SearchField value={query.search} onChange={(search) => changeQuery({ search })} />
      <SelectField
        label="Show"
        className="w-48 max-w-full"
        value={query.state}
        onChange={(value) => changeQuery({ state: value === 'all' ? undefined : value })}
      >
        <SelectOptions of={Object.entries(caseStates)} />
      </SelectField>
      <BelowField value={query.below} onChange={(below) => changeQuery({ below })} />
      <Choice
        label="Category"
        all="All categories"
        value={query.category}
        options={view.suite?.categories ?? []}
        onChange={(category) => changeQuery({ category })}
      />
      <Choice
        label="Tag"
        all="All tags"
        value={query.tag}
        options={view.suite?.tags ?? []}
        onChange={(tag) => changeQuery({ tag })}
      />
      <Choice
        label="Difficulty"
        all="All difficulties"
        value={query.difficulty}
        options={view.suite?.difficulties ?? []}
        onChange={(difficulty) => changeQuery({ difficulty })}
      />
      <SelectField
        label="Sort"
        className="w-44 max-w-full"
        value={query.sort}
        onChange={(value) => changeQuery(sortChanges(value))}
      >
        <SelectOptions of={Object.entries(caseSorts)} />
        {isByModel && <option value={query.sort}>{query.sort.slice('model:'.length)}</option>}
      </SelectField>
      {isFiltered(query) && (
        <Button kind="quiet" onClick={() => changeQuery({ ...noFilters, group: undefined })}>
          Show all
        </Button>
      )}
    </div>
  )
}
