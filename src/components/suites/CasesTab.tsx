import { EditableByRunners, RunnersOnly } from '../access/for-runners.tsx'
import type { ScorerInfo } from '../../server/suites/scorer-list.ts'
import { useState, useEffect, useEffectEvent, useId, useRef, type KeyboardEvent } from 'react'
import { useAddress } from '../router.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { EmptyState } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.ts'
import { CaseForm } from './case/CaseForm.tsx'
import type { ProblemLookup } from './problem-places.ts'
import {
  blankCase,
  changeCase,
  duplicateCase,
  findSelected,
  insertCases,
  moveCase,
  readCases,
  removeCase,
  searchCases,
  textOf,
  type Fields,
  titleOf,
} from './suite-draft.ts'
import { TryIt } from './case/TryIt.tsx'
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp, Copy, Plus, Trash2 } from 'lucide-react'
import { Badge } from '../ui/Badge.tsx'
import { classes } from '../ui/classes.ts'
import { TextField } from '../ui/form/Field.tsx'
import { formatCount } from '../../report/words/index.ts'
import { useStepKeys } from '../ui/keys.ts'

interface CaseListProps {
  cases: Fields[]
  /** Indexes of the cases that match the search. */
  shown: number[]
  selected: number
  search: string
  problems: ProblemLookup
  onSearch: (search: string) => void
  onSelect: (index: number) => void
  onAdd: () => void
  onDuplicate: () => void
  onDelete: () => void
  onMove: (by: -1 | 1) => void
}

const ROW_HEIGHT = 44

function CaseRow({ testCase, isSelected, problems }: { testCase: Fields; isSelected: boolean; problems: number }) {
  const id = textOf(testCase['id'])
  return (
    <>
      <div className="flex items-center gap-2">
        <span className={classes('min-w-0 flex-1 truncate', isSelected && 'font-medium')} title={id}>
          {id === '' ? '(no id)' : id}
        </span>
        {problems > 0 && <Badge kind="danger">{formatCount(problems, 'problem')}</Badge>}
      </div>
      <div className={classes('truncate text-xs', isSelected ? 'text-ink' : 'text-muted')}>
        {titleOf(testCase) || '(no prompt yet)'}
      </div>
    </>
  )
}

/** The cases of a suite: search, select, add, duplicate, delete and reorder. */
function CaseList(props: CaseListProps) {
  const { cases, shown, selected, problems, onSelect, onMove, onDelete } = props
  const listId = useId()
  const box = useRef<HTMLDivElement>(null)
  const position = shown.indexOf(selected)
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
  })

  const scrollTo = useEffectEvent((index: number) => {
    if (index >= 0) rows.scrollToIndex(index, { align: 'auto' })
  })
  useEffect(() => scrollTo(position), [position])

  const go = (to: number) => {
    const next = shown[Math.max(0, Math.min(shown.length - 1, to))]
    if (next !== undefined) onSelect(next)
  }
  useStepKeys((by) => go(Math.max(0, position + by)))

  const pressInList = (event: KeyboardEvent) => {
    const isUp = event.key === 'ArrowUp'
    if (isUp || event.key === 'ArrowDown') {
      if (event.altKey) onMove(isUp ? -1 : 1)
      else go(isUp ? position - 1 : position + 1)
    } else if (event.key === 'Home') go(0)
    else if (event.key === 'End') go(shown.length - 1)
    else if (event.key === 'Delete') onDelete()
    else return
    event.preventDefault()
  }

  return (
    <section aria-label="Test cases" className="flex min-w-0 flex-col gap-2">
      <TextField
        label="Search cases"
        isLabelHidden
        type="search"
        placeholder="Search cases"
        value={props.search}
        onChange={props.onSearch}
      />
      <RunnersOnly>
        <div role="toolbar" aria-label="Edit the list of cases" className="flex items-center">
          <Button onClick={props.onAdd} className="mr-auto">
            <Plus size={16} aria-hidden />
            Add case
          </Button>
          <IconButton label="Duplicate case" disabled={cases.length === 0} onClick={props.onDuplicate}>
            <Copy size={16} aria-hidden />
          </IconButton>
          <IconButton label="Move case up" disabled={selected <= 0} onClick={() => onMove(-1)}>
            <ArrowUp size={16} aria-hidden />
          </IconButton>
          <IconButton label="Move case down" disabled={selected >= cases.length - 1} onClick={() => onMove(1)}>
            <ArrowDown size={16} aria-hidden />
          </IconButton>
          <IconButton label="Delete case" disabled={cases.length === 0} onClick={onDelete}>
            <Trash2 size={16} aria-hidden />
          </IconButton>
        </div>
      </RunnersOnly>
      <div role="status" className="text-xs text-muted">
        {shown.length === cases.length
          ? formatCount(cases.length, 'case')
          : `${shown.length} of ${formatCount(cases.length, 'case')}`}
      </div>
      <div
        ref={box}
        role="listbox"
        tabIndex={0}
        aria-label="Cases"
        aria-activedescendant={position >= 0 ? `${listId}-${selected}` : undefined}
        onKeyDown={pressInList}
        className="max-h-60 overflow-y-auto rounded-lg border border-line bg-surface lg:max-h-[calc(100dvh-320px)] lg:min-h-60"
      >
        <div role="presentation" className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index: at, start }) => {
            const index = shown[at]!
            const isSelected = index === selected
            return (
              // The list has the focus and handles the keys.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
              <div
                key={at}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={isSelected}
                aria-posinset={at + 1}
                aria-setsize={shown.length}
                onClick={() => onSelect(index)}
                className={classes(
                  'absolute inset-x-0 top-0 cursor-pointer px-2.5 py-0.5',
                  isSelected ? 'bg-accent-soft' : 'hover:bg-hover',
                )}
                style={{ height: ROW_HEIGHT, transform: `translateY(${start}px)` }}
              >
                <CaseRow testCase={cases[index]!} isSelected={isSelected} problems={problems.countIn(index)} />
              </div>
            )
          })}
        </div>
        {shown.length === 0 && (
          <p className="p-3 text-muted">{cases.length === 0 ? 'No cases yet.' : 'No matching cases.'}</p>
        )}
      </div>
    </section>
  )
}

interface CasesTabProps {
  suite: Fields
  scorers: ScorerInfo[]
  problems: ProblemLookup
  /** Increases with an undo or redo, after which fields start anew. */
  revision: number
  onChange: (change: (suite: Fields) => Fields) => void
}

/** The list of cases, the form of the selected case, and a box to try an answer. */
export function CasesTab({ suite, scorers, problems, revision, onChange }: CasesTabProps) {
  const [address, setAddress] = useAddress()
  const [last, setLast] = useState(0)
  const cases = readCases(suite)
  const search = address.get('q') ?? ''
  const selected = findSelected(cases, address.get('case'), last)
  const testCase = cases[selected]

  const select = (index: number, inCases = cases) => {
    setLast(index)
    setAddress({ case: textOf(inCases[index]?.['id']) })
  }
  /** Changes the list and selects a case. */
  const rearrange = (change: (suite: Fields) => Fields, show: number) => {
    const changed = change(suite)
    onChange(change)
    select(Math.max(0, show), readCases(changed))
  }
  const add = () => {
    setAddress({ q: undefined })
    rearrange(
      (before) => insertCases(before, selected + 1, [blankCase(readCases(before), testCase)]),
      cases.length === 0 ? 0 : selected + 1,
    )
  }
  const remove = () => {
    if (testCase === undefined) return
    rearrange((before) => removeCase(before, selected), Math.min(selected, cases.length - 2))
    toast(`Deleted ${textOf(testCase['id']) || 'a case'}. Undo brings it back.`)
  }
  const edit = (change: (testCase: Fields) => Fields) => {
    onChange((before) => changeCase(before, selected, change))
    const id = textOf(change(testCase ?? {})['id'])
    if (id !== address.get('case')) {
      setLast(selected)
      setAddress({ case: id })
    }
  }

  return (
    <div className="grid min-w-0 gap-4 lg:grid-cols-[minmax(220px,280px)_minmax(0,1fr)] xl:grid-cols-[minmax(220px,280px)_minmax(0,1fr)_minmax(280px,360px)]">
      <div className="min-w-0 self-start lg:sticky lg:top-4 lg:row-span-2 xl:row-span-1">
        <CaseList
          {...{ cases, selected, search, problems }}
          shown={searchCases(cases, search)}
          onSearch={(q) => setAddress({ q })}
          onSelect={select}
          onAdd={add}
          onDuplicate={() => rearrange((before) => duplicateCase(before, selected), selected + 1)}
          onDelete={remove}
          onMove={(by) => {
            const to = selected + by
            if (to >= 0 && to < cases.length) rearrange((before) => moveCase(before, selected, to), to)
          }}
        />
      </div>
      {testCase === undefined ? (
        <EmptyState title="This suite has no cases yet." action={<Button onClick={add}>Add case</Button>}>
          A case is one question and how its answer is scored.
        </EmptyState>
      ) : (
        <>
          <EditableByRunners>
            <CaseForm
              key={`${selected} ${revision}`}
              {...{ testCase, scorers, problems }}
              suitePassAt={suite['passAt']}
              index={selected}
              onChange={edit}
            />
          </EditableByRunners>
          <div className="min-w-0 self-start xl:sticky xl:top-4">
            <TryIt
              key={selected}
              testCase={testCase}
              judgeSystemPrompt={suite['judgeSystemPrompt']}
              suitePassAt={suite['passAt']}
              suiteEmbeddingModel={suite['embeddingModel']}
              suitePreset={suite['preset']}
              scorers={scorers}
            />
          </div>
        </>
      )}
    </div>
  )
}
