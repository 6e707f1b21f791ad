import type { AnswerDetail } from '../../../server/results/cases/case-detail.ts'
import { NO_SCORING, type JudgeVerdict, type ScoringResult } from '../../../contract/index.ts'
import { formatPercent, formatScore } from '../../../report/words/index.ts'
import { Notice } from '../../ui/Notice.tsx'

function Judges({ judges }: { judges: JudgeVerdict[] }) {
  return (
    <ul className="flex flex-col gap-1.5">
      {judges.map(({ judgeModelId, score, reasoning }) => (
        <li key={judgeModelId} className="border-l-2 border-line pl-2">
          <div className="text-xs text-muted">
            <span className="break-words">{judgeModelId}</span> gave{' '}
            <span className="font-medium text-ink tabular-nums">{formatScore(score)}</span>
          </div>
          <div
            className="max-h-60 overflow-auto break-words whitespace-pre-wrap"
            tabIndex={0}
            role="group"
            aria-label={`Reasoning of ${judgeModelId}`}
          >
            {reasoning === '' ? 'no reasoning given' : reasoning}
          </div>
        </li>
      ))}
    </ul>
  )
}

function Part({ result, title }: { result: ScoringResult; title: string }) {
  const { score, notes, confidence, judges = [] } = result
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div>
        {title} <span className="font-semibold tabular-nums">{formatScore(score)}</span>
        {confidence !== undefined && <span className="text-muted"> · confidence {formatPercent(confidence)}</span>}
      </div>
      {notes !== undefined && notes !== '' && <div className="break-words whitespace-pre-wrap text-muted">{notes}</div>}
      {judges.length > 0 && <Judges judges={judges} />}
    </div>
  )
}

/** The reasons for the score, or why there is none. */
export function ScoreDetails({ answer: { result } }: { answer: AnswerDetail }) {
  const { score, unscored, error } = result
  return (
    <div className="flex flex-col gap-2 text-[13px]">
      {score && <Part result={score} title="Score" />}
      {score?.checks && (
        <ul className="flex flex-col gap-2 pl-3">
          {score.checks.map((check, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <Part
                result={check}
                title={`${check.name === undefined ? '' : `${check.name}: `}${check.scoringMethod}, weight ${check.weight}:`}
              />
            </li>
          ))}
        </ul>
      )}
      {unscored && (
        <Notice
          kind={unscored.code === NO_SCORING ? 'info' : 'warning'}
          title={unscored.code === NO_SCORING ? 'Not scored' : `Unscored: ${unscored.code}`}
        >
          {unscored.message} It is not in any mean.
        </Notice>
      )}
      {error !== undefined && (
        <Notice kind="error" title="No answer">
          {error}
        </Notice>
      )}
    </div>
  )
}
