import { Check, ChevronDown, FileText } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import type { SuiteSummary } from '../../../server/suites/suite-summaries.ts'
import { formatCount } from '../../../report/words/index.ts'
import { describeCases } from '../../../report/words/cases.ts'
import { Link } from '../../router.tsx'
import { classes } from '../../ui/classes.ts'
import { TextField } from '../../ui/form/Field.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { ComposerRow } from './Chip.tsx'

interface SuiteChoiceProps {
  suites: SuiteSummary[]
  chosen: SuiteSummary | undefined
  onChoose: (id: string) => void
}

function findSuites(suites: readonly SuiteSummary[], search: string): SuiteSummary[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return suites.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
}

/** The arrows move among the suites, and from the search to the first of them. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const options = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-suite]')]
  const at = options.findIndex((option) => option === document.activeElement)
  const next = at + (event.key === 'ArrowDown' ? 1 : -1)
  event.preventDefault()
  if (next < 0) event.currentTarget.querySelector('input')?.focus()
  else options[Math.min(next, options.length - 1)]?.focus()
}

function SuiteList({ suites, chosen, onChoose }: SuiteChoiceProps) {
  const [search, setSearch] = useState('')
  const found = findSuites(suites, search)
  return (
    <div onKeyDown={moveFocus} role="presentation" className="flex flex-col gap-2">
      <TextField
        label="Search suites"
        isLabelHidden
        type="search"
        placeholder="Search suites"
        value={search}
        onChange={setSearch}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && found[0]) onChoose(found[0].id)
        }}
      />
      <ul aria-label="Suites">
        {found.map((suite) => (
          <li key={suite.id}>
            <button
              type="button"
              data-suite
              {...(suite.id === chosen?.id && { 'aria-current': true })}
              onClick={() => onChoose(suite.id)}
              className={classes(
                'flex min-h-9 w-full items-center gap-3 rounded-md px-2 py-1 text-left hover:bg-hover',
                suite.id === chosen?.id && 'bg-accent-soft',
              )}
            >
              <span className="min-w-0 flex-1 break-words">{suite.name}</span>
              <span className="shrink-0 text-[13px] text-muted tabular-nums">{formatCount(suite.cases, 'case')}</span>
              <Check size={14} aria-hidden className={classes('shrink-0', suite.id !== chosen?.id && 'invisible')} />
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="px-2 text-muted">No suite with this name.</p>}
    </div>
  )
}

/** The suite to run. */
export function SuiteChoice({ suites, chosen, onChoose }: SuiteChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <ComposerRow
      title="Suite"
      aside={
        chosen && (
          <Link
            to={`/suites/${encodeURIComponent(chosen.id)}`}
            className="flex min-h-8 items-center text-[13px] text-muted hover:text-ink hover:underline"
          >
            Edit suite
          </Link>
        )
      }
    >
      <Popover
        label="Suites"
        isOpen={isOpen}
        onOpen={setOpen}
        trigger={
          <button
            type="button"
            aria-label={`Suite to run: ${chosen ? `${chosen.name}, ${formatCount(chosen.cases, 'case')}` : 'none'}`}
            title={chosen && describeCases(chosen)}
            className="flex min-h-8 max-w-full min-w-0 items-center gap-2 rounded-md border border-line bg-surface px-2.5 py-1 text-left text-[13px] hover:bg-hover max-md:min-h-9"
          >
            <FileText size={14} aria-hidden className="shrink-0 text-muted" />
            <span className="min-w-0 font-medium break-words">{chosen?.name ?? 'Choose a suite'}</span>
            {chosen && <span className="shrink-0 text-muted tabular-nums">{formatCount(chosen.cases, 'case')}</span>}
            <ChevronDown size={14} aria-hidden className="shrink-0 text-muted" />
          </button>
        }
      >
        <SuiteList
          suites={suites}
          chosen={chosen}
          onChoose={(id) => {
            onChoose(id)
            setOpen(false)
          }}
        />
      </Popover>
    </ComposerRow>
  )
}
