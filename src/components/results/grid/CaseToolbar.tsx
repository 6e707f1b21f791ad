import { ListFilter, X } from 'lucide-react'
import { useState } from 'react'
import type { CasePage } from '../../../server/results/cases/case-page.ts'
import type { CaseState } from '../../../server/results/cases/case-query.ts'
import type { ResultsView } from '../../../server/results/results-view.ts'
import { capitalise, cellStates, formatCount } from '../../../report/words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { SelectField, SelectOptions, TextField } from '../../ui/form/Field.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { isLive } from '../verdicts.ts'
import { useTyped } from '../../ui/use-settled.ts'
import {
  caseSorts,
  caseStates,
  isBelow,
  isFiltered,
  listFilters,
  noFilters,
  sortChanges,
  type CaseQuery,
} from './case-query.ts'

interface CaseToolbarProps {
  view: ResultsView
  query: CaseQuery
  counts: CasePage['counts'] | undefined
  changeQuery: (changes: Record<string, string | undefined>) => void
}

/** Beside the grid's own filters; those are one click away. */
const CHIPS: CaseState[] = ['failed', 'disagree', 'all-failed', 'flaky', 'doubtful', 'error', 'not-run']

const chipClass = (isOn: boolean) =>
  classes(
    'inline-flex h-7 items-center gap-1.5 rounded-full border px-3 text-[13px] whitespace-nowrap max-sm:h-8',
    isOn ? 'border-accent-mid bg-accent-soft font-medium text-accent-ink' : 'border-line bg-surface hover:bg-hover',
  )

function SearchField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useTyped({ value, onSettled: onChange })
  return (
    <TextField
      type="search"
      label="Search cases"
      isLabelHidden
      placeholder="Id, prompt or answer"
      className="w-48 max-w-full"
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
    <SelectField label={label} value={value} onChange={onChange}>
      <option value="">{all}</option>
      <SelectOptions of={options} />
    </SelectField>
  )
}

function StateChips({ view, query, counts, changeQuery }: CaseToolbarProps) {
  const shown = CHIPS.filter((state) => query.state === state || (counts?.[state] ?? 0) > 0)
  return (
    <div role="group" aria-label="Show only" className="flex gap-2 overflow-x-auto py-0.5 max-sm:-mx-4 max-sm:px-4">
      {shown.map((state) => {
        const isOn = query.state === state
        return (
          <button
            key={state}
            type="button"
            aria-pressed={isOn}
            className={chipClass(isOn)}
            onClick={() => changeQuery({ state: isOn ? undefined : state })}
          >
            {state === 'not-run' && isLive(view) ? capitalise(cellStates.pending.word) : caseStates[state]}
            <span className={classes('tabular-nums', !isOn && 'text-muted')}>{formatCount(counts?.[state] ?? 0)}</span>
            {isOn && <X size={12} aria-hidden />}
          </button>
        )
      })}
    </div>
  )
}

function MoreFilters({ view, query, changeQuery }: Omit<CaseToolbarProps, 'counts'>) {
  const [isOpen, setOpen] = useState(false)
  const { suite } = view
  const rare = ['missing', 'rated'] as const
  return (
    <Popover
      label="Filter cases"
      isOpen={isOpen}
      onOpen={setOpen}
      trigger={
        <button type="button" className={chipClass(listFilters({ ...query, search: '', state: 'all' }).length > 0)}>
          <ListFilter size={13} aria-hidden /> Filter
        </button>
      }
    >
      <div className="grid w-full gap-3 sm:grid-cols-2">
        <BelowField value={query.below} onChange={(below) => changeQuery({ below })} />
        <SelectField
          label="State"
          value={query.state}
          onChange={(value) => changeQuery({ state: value === 'all' ? undefined : value })}
        >
          <SelectOptions
            of={Object.entries(caseStates).filter(
              ([state]) => state === 'all' || state === query.state || rare.some((name) => name === state),
            )}
          />
        </SelectField>
        <Choice
          label="Category"
          all="All categories"
          value={query.category}
          options={suite?.categories ?? []}
          onChange={(category) => changeQuery({ category })}
        />
        <Choice
          label="Tag"
          all="All tags"
          value={query.tag}
          options={suite?.tags ?? []}
          onChange={(tag) => changeQuery({ tag })}
        />
        <Choice
          label="Difficulty"
          all="All difficulties"
          value={query.difficulty}
          options={suite?.difficulties ?? []}
          onChange={(difficulty) => changeQuery({ difficulty })}
        />
      </div>
    </Popover>
  )
}

const modes = [
  ['', 'Scores'],
  ['1', 'Answers'],
] as const

/** Search, filters, sort, and what the cells show. */
export function CaseToolbar({ view, query, counts, changeQuery }: CaseToolbarProps) {
  const isByModel = query.sort.startsWith('model:')
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField value={query.search} onChange={(search) => changeQuery({ search })} />
      <StateChips view={view} query={query} counts={counts} changeQuery={changeQuery} />
      <MoreFilters view={view} query={query} changeQuery={changeQuery} />
      {isFiltered(query) && (
        <Button
          kind="quiet"
          className="h-7 px-2 text-[13px]"
          onClick={() => changeQuery({ ...noFilters, group: undefined })}
        >
          Show all
        </Button>
      )}
      <span className="flex items-center gap-2 sm:ml-auto">
        <SelectField
          label="Sort"
          isLabelHidden
          className="w-40"
          value={query.sort}
          onChange={(value) => changeQuery(sortChanges(value))}
        >
          <SelectOptions of={Object.entries(caseSorts)} />
          {isByModel && <option value={query.sort}>{query.sort.slice('model:'.length)}</option>}
        </SelectField>
        <span role="group" aria-label="Cells show" className="flex">
          {modes.map(([mode, label]) => (
            <button
              key={mode}
              type="button"
              aria-pressed={query.answers === mode}
              onClick={() => changeQuery({ answers: mode })}
              className={classes(
                '-ml-px h-8 border border-line px-3 text-[13px] first:ml-0 first:rounded-l-md last:rounded-r-md',
                query.answers === mode ? 'bg-accent-soft font-medium text-accent-ink' : 'bg-surface hover:bg-hover',
              )}
            >
              {label}
            </button>
          ))}
        </span>
      </span>
    </div>
  )
}
