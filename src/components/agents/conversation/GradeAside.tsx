import { Flag } from 'lucide-react'
import { describeFault, nameCause } from '../../../report/words/tool-calls/trajectory-faults.ts'
import { describeLoss, gradeWords } from '../../../report/words/tool-calls/trajectory-grades.ts'
import { Panel } from '../../ui/Page.tsx'
import type { GradeLinks } from './grade-links.ts'

const MOST_SHOWN = 40

/** Why the run has its grade: each loss with its cause, linked to the step that shows it. */
export function GradeAside({ grade, onLoss, labelOf }: GradeLinks) {
  const { losses, fault, excused, passed, unscored, endedBy } = grade
  const sentence = fault && describeFault(fault)
  return (
    <Panel className="flex flex-col gap-3 p-4 xl:sticky xl:top-16 xl:max-h-[calc(100dvh-80px)] xl:overflow-y-auto">
      <h2 className="flex items-center gap-2 text-[15px] font-semibold">
        <Flag size={16} aria-hidden />
        {passed === true
          ? gradeWords.passed
          : unscored !== undefined
            ? gradeWords.unscored
            : excused
              ? gradeWords.excused
              : gradeWords.agents}
      </h2>
      {unscored !== undefined && <p className="text-[13px]">{unscored}</p>}
      {sentence !== undefined && sentence !== null && (
        <p className="text-[13px]">
          {sentence} <span className="text-muted">{fault?.evidence}</span>
        </p>
      )}
      {endedBy !== null && <p className="text-[13px]">It ended by {endedBy}, before both sides were done.</p>}
      {passed === true && losses.length === 0 && (
        <p className="text-[13px] text-muted">Everything expected was done and said.</p>
      )}
      {losses.length > 0 && (
        <ol aria-label="What cost credit" className="flex flex-col gap-2.5">
          {losses.slice(0, MOST_SHOWN).map((loss, index) => {
            const why = describeFault(loss.fault)
            const label = labelOf(loss)
            return (
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index} className="flex flex-col gap-0.5 border-l-2 border-warning/60 pl-3 text-[13px]">
                <span className="break-words">{describeLoss(loss, grade)}</span>
                <span className="text-xs text-muted">
                  Caused by: {nameCause(loss.fault.cause)}
                  {why !== undefined && ` (${loss.fault.rule}). ${why}`}
                </span>
                {loss.fault.evidence !== undefined && (
                  <q className="text-xs break-words text-muted">{loss.fault.evidence}</q>
                )}
                {label !== undefined && (
                  <button
                    type="button"
                    className="self-start text-xs text-accent-ink underline"
                    onClick={() => onLoss(loss)}
                  >
                    Step {label}
                  </button>
                )}
              </li>
            )
          })}
        </ol>
      )}
      {losses.length > MOST_SHOWN && <p className="text-xs text-muted">{losses.length - MOST_SHOWN} more.</p>}
    </Panel>
  )
}
