import { useState, type ReactNode } from 'react'
import type { ResultsView } from '../../server/results/results-view.ts'
import { explainIntervals, formatCount, headGroup, joinWords, omitFirstPlace } from '../../report/words/index.ts'
import { chooseVerdicts } from './verdicts.ts'

interface VerdictsProps {
  view: ResultsView
  startsOpen?: boolean
  children?: ReactNode
}

/** Every comparison in words, the neighbours in rank first. Collapsed: the card has the one that matters most. */
export function Verdicts({ view, startsOpen = false, children }: VerdictsProps) {
  const [isOpen, setOpen] = useState(startsOpen)
  const { first, rest } = chooseVerdicts(
    view.comparisons,
    view.rows.map(({ modelId }) => modelId),
  )
  const sentences = [...first, ...rest].map(({ sentence }) => sentence)
  if (sentences.length === 0) return null
  const note = explainIntervals(view.comparisons.map(({ comparison }) => comparison))
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit py-1 text-muted hover:text-ink">
        {sentences.length === 1 ? 'The comparison' : `All ${formatCount(sentences.length, 'comparison')}`}
      </summary>
      <ul className="max-h-72 list-disc overflow-auto pl-5" tabIndex={0} aria-label="All comparisons">
        {sentences.map((sentence) => (
          <li key={sentence} className="break-words">
            {sentence}
          </li>
        ))}
      </ul>
      {note !== undefined && <p className="text-xs text-muted">{note}</p>}
      {view.comparisonsLeftOut !== undefined && (
        <p className="text-muted">
          To see {formatCount(view.comparisonsLeftOut, 'further pair')}, compare two models below.
        </p>
      )}
      {children}
    </details>
  )
}

/** The groups of the leaderboard in words. */
export function GroupWords({ groups: all, comparisons, rows }: Pick<ResultsView, 'groups' | 'comparisons' | 'rows'>) {
  const pairs = comparisons.map(({ comparison }) => comparison)
  const groups = omitFirstPlace(all, rows, pairs)
  if (groups.length === 0) return null
  return (
    <ul className="text-[13px] text-muted">
      {groups.slice(0, 4).map((group) => (
        <li key={group.join('\n')} className="break-words">
          {headGroup(group, pairs)} <span className="text-ink">{joinWords(group)}</span>.
        </li>
      ))}
      {groups.length > 4 && (
        <li>… and {formatCount(groups.length - 4, 'more group')}, shown as bars next to the rows.</li>
      )}
    </ul>
  )
}
