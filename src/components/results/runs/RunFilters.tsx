import { runKinds } from '../../../report/words/runs/kinds.ts'
import { useSuites } from '../../queries.ts'
import { SelectField, SelectOptions, TextField } from '../../ui/form/Field.tsx'
import { runSorts, sortNames } from './sort-runs.ts'

/** Which runs are listed, and in which order, as in the address. */
interface RunListQuery {
  search: string
  suite: string
  kind: string
  sort: string
}

interface RunFiltersProps extends RunListQuery {
  /** Suites of listed runs that may not be stored. */
  suiteNames: readonly string[]
  onChange: (changes: Partial<RunListQuery>) => void
}

/** Search, suite, kind and order of the list of runs. */
export function RunFilters({ search, suite, kind, sort, suiteNames, onChange }: RunFiltersProps) {
  const stored = useSuites().data ?? []
  const known = new Set(stored.map(({ name }) => name))
  const others = [...new Set(suiteNames)].filter((name) => !known.has(name))
  const named = [
    ...stored.map(({ id, name }): [string, string] => [id, name]),
    ...others.map((name): [string, string] => [name, name]),
  ]
  const isListed = suite === '' || named.some(([value]) => value === suite)
  return (
    <div className="grid grid-cols-2 gap-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)]">
      <TextField
        type="search"
        label="Search runs"
        isLabelHidden
        placeholder="Name, tag, note, model, state or id"
        className="max-lg:col-span-2"
        value={search}
        onChange={(text) => onChange({ search: text })}
      />
      <SelectField
        label="Suite"
        isLabelHidden
        className="max-sm:col-span-2"
        value={suite}
        onChange={(value) => onChange({ suite: value })}
      >
        <option value="">All suites</option>
        <SelectOptions of={isListed ? named : [...named, [suite, suite]]} />
      </SelectField>
      <SelectField label="Kind" isLabelHidden value={kind} onChange={(value) => onChange({ kind: value })}>
        <option value="">All kinds</option>
        <SelectOptions of={Object.entries(runKinds)} />
      </SelectField>
      <SelectField label="Order" isLabelHidden value={sort} onChange={(value) => onChange({ sort: value })}>
        <SelectOptions of={runSorts.map((name) => [name === 'newest' ? '' : name, sortNames[name]])} />
      </SelectField>
    </div>
  )
}
