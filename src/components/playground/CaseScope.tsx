import { useId, useState } from 'react'
import type { PlaygroundStart } from '../../server/playground/start-view.ts'
import { formatCount, formatScore } from '../../report/words/index.ts'
import { Checkbox, TextField } from '../ui/form/Field.tsx'
import { findBudgetErrors, listFailed, type DraftProps, type Scope } from './playground-draft.ts'

const MAX_SHOWN = 200

function CaseChooser({
  start,
  chosen,
  onChange,
}: {
  start: PlaygroundStart
  chosen: string[]
  onChange: (ids: string[]) => void
}) {
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const found = start.cases.filter(({ id, title }) => `${id} ${title}`.toLowerCase().includes(words))
  const isChosen = new Set(chosen)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <TextField
        label="Search cases"
        isLabelHidden
        type="search"
        placeholder="Search cases"
        value={search}
        onChange={setSearch}
      />
      <ul
        aria-label="Cases to run"
        tabIndex={0}
        className="max-h-56 overflow-auto rounded-md border border-line bg-surface"
      >
        {found.slice(0, MAX_SHOWN).map(({ id, title, score }) => (
          <li key={id} className="flex min-w-0 items-center gap-2 px-2 py-1">
            <Checkbox
              className="min-w-0 flex-1"
              label={
                <span className="block truncate" title={`${id}: ${title}`}>
                  {id} <span className="text-muted">{title}</span>
                </span>
              }
              checked={isChosen.has(id)}
              onChange={() => onChange(isChosen.has(id) ? chosen.filter((other) => other !== id) : [...chosen, id])}
            />
            <span className="shrink-0 text-xs tabular-nums">{formatScore(score)}</span>
          </li>
        ))}
        {found.length === 0 && <li className="px-2 py-1 text-muted">No case matches.</li>}
      </ul>
      <div className="text-xs text-muted" role="status">
        {formatCount(chosen.length)} chosen
        {found.length > MAX_SHOWN &&
          `; the first ${formatCount(MAX_SHOWN)} of ${formatCount(found.length)} are listed, search for others`}
      </div>
    </div>
  )
}

/** Which cases are run again. */
export function CaseScope({ start, caseId, draft, onChange }: DraftProps) {
  const name = useId()
  const failed = listFailed(start).length
  const options: { scope: Scope; label: string }[] = [
    { scope: 'case', label: 'This case' },
    ...(failed > 0 && start.total > 1
      ? [
          {
            scope: 'failed' as const,
            label: failed === 1 ? 'The case that failed' : `The ${formatCount(failed)} cases that failed`,
          },
        ]
      : []),
    ...(start.total > 1
      ? [
          { scope: 'chosen' as const, label: 'Chosen cases' },
          { scope: 'all' as const, label: `All ${formatCount(start.total, 'case')}` },
        ]
      : []),
  ]
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-[13px] font-medium">Run</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {options.map(({ scope, label }) => (
          <label key={scope} className="inline-flex items-center gap-2">
            <input
              type="radio"
              name={name}
              className="size-4 accent-(--accent)"
              checked={draft.scope === scope}
              onChange={() =>
                onChange({ scope, ...(scope === 'chosen' && draft.chosen.length === 0 && { chosen: [caseId] }) })
              }
            />
            {label}
          </label>
        ))}
      </div>
      {draft.scope === 'chosen' && (
        <CaseChooser start={start} chosen={draft.chosen} onChange={(chosen) => onChange({ chosen })} />
      )}
      {draft.scope !== 'case' && (
        <TextField
          label="Budget, US dollars"
          hint="Empty: no limit"
          inputMode="decimal"
          className="max-w-40"
          error={findBudgetErrors(draft)[0]}
          value={draft.budget}
          onChange={(text) => onChange({ budget: text })}
        />
      )}
    </fieldset>
  )
}
