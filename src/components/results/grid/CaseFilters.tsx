import type { ResultsView } from '../../../server/results/results-view.ts'
import { useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { caseSorts, caseStates, isBelow, isFiltered, noFilters, sortChanges, type CaseQuery } from './case-query.ts'

interface CaseFiltersProps {
  view: ResultsView
  query: CaseQuery
  changeQuery: (changes: Record<string, string | undefined>) => void
}

/** Updates the address after a pause in typing, to avoid a request for every letter. */
function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState({ text: value, from: value })
  // The address changed (Back, or "Show all"), so it wins.
  if (typed.from !== value) setTyped({ text: value, from: value })
  useEffect(() => {
    if (typed.text === value) return undefined
    const timer = window.setTimeout(() => onChange(typed.text), 200)
    return () => window.clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <TextField
      type="search"
      label="Search cases"
      placeholder="Id, prompt or answer"
      className="w-44 max-w-full"
      value={typed.text}
      onChange={(event) => setTyped({ text: event.target.value, from: value })}
    />
  )
}

/** Only cases on which a model scores less than this. */
function BelowField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState({ text: value, from: value })
  if (typed.from !== value) setTyped({ text: value, from: value })
  useEffect(() => {
    if (typed.text.trim() === value || !isBelow(typed.text)) return undefined
    const timer = window.setTimeout(() => onChange(typed.text.trim()), 300)
    return () => window.clearTimeout(timer)
  }, [typed, value, onChange])
  return (
    <TextField
      label="Score below"
      type="number"
      min={0}
      max={100}
      step="any"
      placeholder="any"
      className="w-22"
      value={typed.text}
      onChange={(event) => setTyped({ text: event.target.value, from: value })}
      error={isBelow(typed.text) ? undefined : '0 to 100'}
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
    <SelectField
      label={label}
      className="w-40 max-w-full"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
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
        onChange={(event) => changeQuery({ state: event.target.value === 'all' ? undefined : event.target.value })}
      >
        {Object.entries(caseStates).map(([state, label]) => (
          <option key={state} value={state}>
            {label}
          </option>
        ))}
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
        onChange={(event) => changeQuery(sortChanges(event.target.value))}
      >
        {Object.entries(caseSorts).map(([sort, label]) => (
          <option key={sort} value={sort}>
            {label}
          </option>
        ))}
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
