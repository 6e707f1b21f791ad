import { RunnersOnly } from '../../access/for-runners.tsx'
import type { AnswerDetail, CaseDetail } from '../../../server/results/cases/case-detail.ts'
import { playgroundAddress } from '../../playground/playground-address.ts'
import { Link } from '../../router.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import {
  describeCachedAt,
  describeRating,
  describeTokens,
  formatCost,
  formatDuration,
  formatScore,
  outcomeWords,
} from '../../../report/words/index.ts'
import { ModelName } from '../../ui/names/ModelName.tsx'
import { Panel } from '../../ui/Page.tsx'
import { scoreStyle } from '../../ui/charts/score-colour.ts'
import { AnswerText } from './AnswerText.tsx'
import type { AnswerView } from './answer-views.ts'
import { CasePage } from './CasePage.tsx'
import { RatingForm } from './RatingForm.tsx'
import { ScoreDetails } from './ScoreDetails.tsx'

interface AnswerColumnProps {
  selection: string
  detail: CaseDetail
  model: CaseDetail['models'][number]
  view: AnswerView
  /** The run in the address; if this model has no answer in it, the first run is shown. */
  run: string | null
  onRun: (runId: string) => void
}

function describeScore({ result, passed }: AnswerDetail): string {
  if (result.score) return `${formatScore(result.score.score)} ${passed ? '✓' : '✗'}`
  if (result.unscored) return 'unscored'
  return result.outcome === undefined || result.outcome === 'ok' ? 'error' : outcomeWords[result.outcome].short
}

/** The runs with their scores, to choose one. */
export function Repeats({
  answers,
  chosen,
  onRun,
}: {
  answers: AnswerDetail[]
  chosen: AnswerDetail
  onRun: (runId: string) => void
}) {
  if (answers.length <= 1) return null
  return (
    <div role="group" aria-label="Runs" className="flex flex-wrap gap-1 border-b border-line px-3 py-1.5">
      {answers.map((answer) => (
        <button
          key={answer.runId}
          type="button"
          aria-pressed={answer === chosen}
          onClick={() => onRun(answer.runId)}
          style={scoreStyle(answer.result.score?.score)}
          className={classes(
            'h-7 rounded border px-2 text-xs tabular-nums',
            answer === chosen ? 'border-accent font-semibold ring-1 ring-accent' : 'border-line',
          )}
        >
          Run {answer.runNumber}: {describeScore(answer)}
        </button>
      ))}
    </div>
  )
}

function Facts({ answer: { result, finishReason } }: { answer: AnswerDetail }) {
  const { outcome, latencyMs, firstTokenMs, cachedAt, cost, attempts, leftOut } = result
  const facts = [
    outcome !== undefined && outcome !== 'ok' && outcomeWords[outcome].long,
    describeCachedAt(result),
    latencyMs !== undefined &&
      `${formatDuration(latencyMs)}${cachedAt === undefined ? '' : ' then'}${firstTokenMs === undefined ? '' : ` (first token ${formatDuration(firstTokenMs)})`}`,
    ...describeTokens(result),
    cost === undefined ? 'cost unknown' : formatCost(cost),
    attempts !== undefined && attempts > 1 && `${attempts} attempts`,
    finishReason !== undefined && `finish reason ${finishReason}`,
    leftOut && leftOut.length > 0 && `not sent, because the model does not support it: ${leftOut.join(', ')}`,
  ]
  return (
    <div className="text-xs break-words text-muted tabular-nums">
      {facts.filter((fact) => typeof fact === 'string').join(' · ')}
    </div>
  )
}

/** What people who gave their name said. */
function RaterRatings({ ratings }: { ratings: NonNullable<AnswerDetail['result']['ratings']> }) {
  const lines = ratings.flatMap(({ rater, ...rating }) => {
    const text = describeRating(rating, rater)
    return text === undefined ? [] : [{ rater, text }]
  })
  if (lines.length === 0) return null
  return (
    <ul className="text-[13px] text-muted" aria-label="Ratings by other people">
      {lines.map(({ rater, text }) => (
        <li key={rater} className="break-words">
          {text}
        </li>
      ))}
    </ul>
  )
}

/** One model's answers to the case, from every run. */
export function AnswerColumn({ selection, detail, model: { modelId, answers }, view, run, onRun }: AnswerColumnProps) {
  const answer = answers.find(({ runId }) => runId === run) ?? answers[0]
  return (
    <Panel className="flex flex-col">
      <section aria-label={modelId} className="flex min-w-0 flex-1 flex-col">
        <div className="flex items-center gap-2 border-b border-line px-3 py-1.5">
          <h2 className="min-w-0 flex-1 text-[13px] font-semibold">
            <ModelName id={modelId} withBadge={false} />
          </h2>
          {answer?.result.score && (
            <span
              className="rounded px-2 font-semibold tabular-nums"
              style={scoreStyle(answer.result.score.score)}
              title={answer.result.score.notes}
            >
              {formatScore(answer.result.score.score)}
            </span>
          )}
          {answer?.passed !== undefined && (
            <span className={classes('text-[13px]', answer.passed ? 'text-muted' : 'text-warning')}>
              {answer.passed ? 'passed' : 'failed'}
            </span>
          )}
        </div>
        {!answer && <p className="px-3 py-2 text-muted">{detail.isLive ? 'Waiting for the answer…' : 'Not run.'}</p>}
        {answer && (
          <>
            <Repeats answers={answers} chosen={answer} onRun={onRun} />
            {detail.testCase?.scoringMethod === 'code-arena' && answer.result.response !== undefined && (
              <CasePage key={answer.runId} runId={answer.runId} testCaseId={detail.id} modelId={modelId} />
            )}
            <AnswerText selection={selection} detail={detail} modelId={modelId} answer={answer} view={view} />
            <div className="flex flex-col gap-3 border-t border-line px-3 py-2">
              <Facts answer={answer} />
              <ScoreDetails answer={answer} />
              {detail.testCase && detail.testCase.scoringMethod !== 'code-arena' && (
                <RunnersOnly>
                  <Link
                    to={playgroundAddress(answer.runId, { case: detail.id, model: modelId })}
                    className={buttonClass('plain', 'self-start')}
                  >
                    Try a change
                  </Link>
                </RunnersOnly>
              )}
              <RatingForm
                key={answer.runId}
                selection={selection}
                testCaseId={detail.id}
                modelId={modelId}
                answer={answer}
              />
              <RaterRatings ratings={answer.result.ratings ?? []} />
            </div>
          </>
        )}
      </section>
    </Panel>
  )
}
