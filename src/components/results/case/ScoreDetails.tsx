import type { AnswerDetail } from '../../../server/results/cases/case-detail.ts'
import {
  listSimulatedJudges,
  NO_SCORING,
  type CheckResult,
  type JudgeVerdict,
  type PairwiseComparison,
  type ScoringResult,
} from '../../../contract/index.ts'
import { formatPercent, formatScore } from '../../../report/words/index.ts'
import { markSimulated } from '../../../report/words/judges/judge-notes.ts'
import { Notice } from '../../ui/Notice.tsx'
import { isPageTest, readNotes } from './score-notes.ts'
import { otherReadings } from '../../../report/words/passed.ts'
import { describeGrades } from '../../../report/words/judges/judging.ts'

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

/** `hasParts`: the judges' words are shown elsewhere. */
function Part({ result, title, hasParts = false }: { result: ScoringResult; title: string; hasParts?: boolean }) {
  const { score, confidence, judges = [] } = result
  const notes = hasParts ? result.notes : readNotes(result)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div>
        {title} <span className="font-semibold tabular-nums">{formatScore(score)}</span>
        {confidence !== undefined && <span className="text-muted"> · confidence {formatPercent(confidence)}</span>}
      </div>
      {result.otherReading && <div className="text-warning">{otherReadings[result.otherReading]}</div>}
      {notes !== undefined && notes !== '' && <div className="break-words whitespace-pre-wrap text-muted">{notes}</div>}
      {judges.length > 0 && !hasParts && <Judges judges={judges} />}
      {judges.length > 1 && hasParts && <div className="break-words text-muted">{describeGrades({ judges })}</div>}
    </div>
  )
}

const isRubric = ({ checks = [] }: ScoringResult) => checks.some(({ scoringMethod }) => scoringMethod === 'criterion')

const CRITERION_MARKS = new Map([
  [1, 'met'],
  [0, 'not met'],
])

/** A criterion is met, not met, or something between; a test of a page passes or fails. */
function checkTitle({ name, scoringMethod, weight, score }: CheckResult): string {
  if (isPageTest({ scoringMethod }))
    return `${name ?? scoringMethod}${weight === 1 ? '' : ` (weight ${weight})`}: ${score === 1 ? 'passed' : 'failed'},`
  if (scoringMethod === 'page-measure') return `${name ?? scoringMethod}:`
  if (scoringMethod !== 'criterion')
    return `${name === undefined ? '' : `${name}: `}${scoringMethod}, weight ${weight}:`
  const word = CRITERION_MARKS.get(score) ?? 'partly met'
  return `${name ?? 'Criterion'}${weight === 1 ? '' : ` (weight ${weight})`}: ${word},`
}

/** What became of this answer against each other one. */
function Comparisons({ comparisons }: { comparisons: PairwiseComparison[] }) {
  return (
    <ul className="flex flex-col gap-1.5 pl-3">
      {comparisons.map(({ opponentId, score, judges = [], notes }) => (
        <li key={opponentId}>
          <div>
            <span className="font-medium">{score === 0.5 ? 'Tied with' : score > 0.5 ? 'Beat' : 'Lost to'}</span>{' '}
            <span className="break-words">{opponentId}</span>
            {judges.some(({ isConsistent }) => !isConsistent) && (
              <span className="text-muted"> · changed with the order of the answers</span>
            )}
          </div>
          {notes !== undefined && <div className="text-muted">{notes}</div>}
          {judges.map(({ judgeModelId, reasoning }) => (
            <div key={judgeModelId} className="break-words whitespace-pre-wrap text-muted">
              {judges.length > 1 && `${judgeModelId}: `}
              {reasoning}
            </div>
          ))}
        </li>
      ))}
    </ul>
  )
}

/** The reasons for the score, or why there is none. */
export function ScoreDetails({ answer: { result } }: { answer: AnswerDetail }) {
  const { score, unscored, error, modelId } = result
  const parts = score ? [score, ...(score.checks ?? []), ...(score.comparisons ?? [])] : []
  const judges = new Set(parts.flatMap((part) => part.judges?.map(({ judgeModelId }) => judgeModelId) ?? []))
  const simulated = listSimulatedJudges([...judges], [modelId])
  return (
    <div className="flex flex-col gap-2 text-[13px]">
      {simulated.length > 0 && <p className="text-warning">{markSimulated(simulated)}</p>}
      {score && <Part result={score} title="Score" hasParts={score.comparisons !== undefined || isRubric(score)} />}
      {score?.comparisons && <Comparisons comparisons={score.comparisons} />}
      {score?.checks && (
        <ul className="flex flex-col gap-2 pl-3">
          {score.checks.map((check, index) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index}>
              <Part
                result={check}
                title={checkTitle(check)}
                hasParts={check.scoringMethod === 'criterion' && check.notes !== undefined}
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
