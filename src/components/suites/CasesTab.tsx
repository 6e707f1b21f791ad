import { EditableByRunners } from '../access/for-runners.tsx'
import type { ScorerInfo } from '../../server/suites/scorer-list.ts'
import { useState } from 'react'
import { useAddress } from '../router.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/Notice.tsx'
import { toast } from '../ui/toast.ts'
import { CaseForm } from './case/CaseForm.tsx'
import { CaseList } from './CaseList.tsx'
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
} from './suite-draft.ts'
import { TryIt } from './case/TryIt.tsx'

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
