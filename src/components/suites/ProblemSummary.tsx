import type { Problem } from '../../contract/index.ts'
import { formatCount } from '../../report/words/index.ts'
import { Notice } from '../ui/Notice.tsx'
import { describePlace, placeOf, sentence, type Place } from './problem-places.ts'

const MAX_SHOWN = 100

function ProblemList({
  problems,
  caseIds,
  onSelect,
}: {
  problems: Problem[]
  caseIds: string[]
  onSelect: (place: Place) => void
}) {
  return (
    <ul className="mt-1 max-h-48 overflow-y-auto">
      {problems.slice(0, MAX_SHOWN).map(({ path, message }) => {
        const place = placeOf(path)
        return (
          <li key={`${path.join('.')}: ${message}`}>
            <button
              type="button"
              className="min-h-6 max-w-full text-left break-words underline decoration-dotted"
              onClick={() => onSelect(place)}
            >
              {describePlace(place, caseIds)}
            </button>
            : {sentence(message)}
          </li>
        )
      })}
      {problems.length > MAX_SHOWN && <li>… and {problems.length - MAX_SHOWN} more</li>}
    </ul>
  )
}

interface ProblemSummaryProps {
  problems: Problem[]
  warnings: Problem[]
  caseIds: string[]
  /** They prevented the last save. */
  isRefused: boolean
  onSelect: (place: Place) => void
}

/** All problems that prevent saving, each with a link to its field. */
export function ProblemSummary({ problems, warnings, caseIds, isRefused, onSelect }: ProblemSummaryProps) {
  return (
    <div aria-live="polite" className="flex flex-col gap-2 empty:hidden">
      {problems.length > 0 && (
        <Notice kind="error">
          <details key={String(isRefused)} open={isRefused}>
            <summary className="min-h-6 font-medium">
              {isRefused && 'Not saved. Your changes are still here: '}
              {formatCount(problems.length, 'problem')} to fix before the suite can be saved
            </summary>
            <ProblemList {...{ problems, caseIds, onSelect }} />
          </details>
        </Notice>
      )}
      {warnings.length > 0 && (
        <Notice kind="warning">
          <details>
            <summary className="min-h-6 font-medium">{formatCount(warnings.length, 'warning')}</summary>
            <ProblemList problems={warnings} caseIds={caseIds} onSelect={onSelect} />
          </details>
        </Notice>
      )}
    </div>
  )
}
