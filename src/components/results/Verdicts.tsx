import type { ResultsView } from '../../server/results/results-view.ts'
import { formatCount, joinWords } from '../../report/words/index.ts'
import { chooseVerdicts, isComparing } from './verdicts.ts'

/** The main comparisons in words, above the numbers. */
export function Verdicts({ view }: { view: ResultsView }) {
  const { first, rest } = chooseVerdicts(
    view.comparisons,
    view.rows.map(({ modelId }) => modelId),
  )
  const scored = view.rows.filter(({ score }) => score)
  return (
    <div className="flex max-w-4xl flex-col gap-1" aria-live="polite">
      {isComparing(view) && <p className="text-muted">Comparing models… The verdicts will appear here in a moment.</p>}
      {!isComparing(view) && scored.length === 0 && <p>No scores yet.</p>}
      {scored.length === 1 && view.comparisons.length === 0 && (
        <p className="break-words">Only {scored[0]!.modelId} has scores, so there is nothing to compare it with.</p>
      )}
      {first.map(({ sentence }) => (
        <p key={sentence} className="text-[15px] leading-6 break-words">
          {sentence}
        </p>
      ))}
      {rest.length > 0 && (
        <details>
          <summary className="w-fit py-1 text-muted hover:text-ink">
            {formatCount(rest.length, 'more comparison')}
          </summary>
          <ul className="max-h-72 list-disc overflow-auto pl-5" tabIndex={0} aria-label="All other comparisons">
            {rest.map(({ sentence }) => (
              <li key={sentence} className="break-words">
                {sentence}
              </li>
            ))}
          </ul>
          {view.comparisonsLeftOut !== undefined && (
            <p className="text-muted">
              To see {formatCount(view.comparisonsLeftOut, 'further pair')}, compare two models below.
            </p>
          )}
        </details>
      )}
    </div>
  )
}

/** The groups of the leaderboard in words. */
export function GroupWords({ groups }: { groups: string[][] }) {
  if (groups.length === 0) return null
  return (
    <ul className="text-[13px] text-muted">
      {groups.slice(0, 4).map((group) => (
        <li key={group.join('\n')} className="break-words">
          Cannot be told apart yet: <span className="text-ink">{joinWords(group)}</span>.
        </li>
      ))}
      {groups.length > 4 && (
        <li>… and {formatCount(groups.length - 4, 'more group')}, shown as bars next to the rows.</li>
      )}
    </ul>
  )
}
