import type { Problem } from '../../contract/index.ts'
import { formatCount } from '../../report/words/index.ts'
import { Notice } from '../ui/Notice.tsx'
import { describePlace, placeOf, sentence, type Place } from './problem-places.ts'

const MOST_SHOWN = 100

function ProblemList({
  problems,
  caseIds,
  onGo,
}: {
  problems: Problem[]
  caseIds: string[]
  onGo: (place: Place) => void
}) {
  return (
    <ul className="mt-1 max-h-48 overflow-y-auto">
      {problems.slice(0, MOST_SHOWN).map(({ path, message }) => {
        const place = placeOf(path)
        return (
          <li key={`${path.join('.')}: ${message}`}>
            <button
              type="button"
              className="min-h-6 max-w-full text-left break-words underline decoration-dotted"
              onClick={() => onGo(place)}
            >
              {describePlace(place, caseIds)}
            </button>
            : {sentence(message)}
          </li>
        )
      })}
      {problems.length > MOST_SHOWN && <li>… and {problems.length - MOST_SHOWN} more</li>}
    </ul>
  )
}

interface ProblemSummaryProps {
  problems: Problem[]
  warnings: Problem[]
  caseIds: string[]
  /** The last save was refused because of them. */
  isRefused: boolean
  onGo: (place: Place) => void
}

/** Everything that keeps the suite from being saved, each a step away from where it is mended. */
export function ProblemSummary({ problems, warnings, caseIds, isRefused, onGo }: ProblemSummaryProps) {
  return (
    <div aria-live="polite" className="flex flex-col gap-2 empty:hidden">
      {problems.length > 0 && (
        <Notice kind="error">
          <details key={String(isRefused)} open={isRefused}>
            <summary className="min-h-6 font-medium">
              {isRefused && 'Not saved. Your changes are still here: '}
              {formatCount(problems.length, 'problem')} to mend before the suite can be saved
            </summary>
            <ProblemList {...{ problems, caseIds, onGo }} />
          </details>
        </Notice>
      )}
      {warnings.length > 0 && (
        <Notice kind="warning">
          <details>
            <summary className="min-h-6 font-medium">{formatCount(warnings.length, 'thing')} worth a look</summary>
            <ProblemList problems={warnings} caseIds={caseIds} onGo={onGo} />
          </details>
        </Notice>
      )}
    </div>
  )
}
