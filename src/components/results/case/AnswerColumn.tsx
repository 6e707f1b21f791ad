import { LiveConversation } from '../../agents/LiveConversation.tsx'
import { cellStateOf } from '../../../contract/index.ts'
import { playgroundAddress } from '../addresses.ts'
import { RunnersOnly } from '../../access/for-runners.tsx'
import type { AnswerDetail, CaseDetail } from '../../../server/results/cases/case-detail.ts'
import { Link, useAddress } from '../../router.tsx'
import { buttonClass } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import {
  describeCachedAt,
  describeSent,
  writeSent,
  describeRating,
  describeTokens,
  formatCost,
  formatDuration,
  formatScore,
  outcomeWords,
  formatCount,
  describeScore,
} from '../../../report/words/index.ts'
import { ModelName } from '../../ui/names/ModelName.tsx'
import { Panel } from '../../ui/Page.tsx'
import { scoreStyle } from '../../ui/charts/score-colour.ts'
import { AnswerText } from './AnswerText.tsx'
import type { AnswerView } from './answer-views.ts'
import { RatingForm } from './RatingForm.tsx'
import { PictureSlider } from './PictureSlider.tsx'
import { ScoreDetails } from './ScoreDetails.tsx'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Screenshots } from '../../code-arena/panel/Screenshots.tsx'
import { defaultViewportWidth, readViewportWidth } from '../../code-arena/preview/fit-viewport.ts'
import { StoredPage } from '../../code-arena/preview/StoredPage.tsx'
import { ViewportSwitch } from '../../code-arena/preview/ViewportSwitch.tsx'

interface CasePageProps {
  runId: string
  testCaseId: string
  modelId: string
  /** Then it has been inspected; scripted tests leave nothing but their verdict. */
  isJudged: boolean
}

interface Findings {
  errors: string[]
  accessibility: { id: string; impact: string; help: string; count: number }[]
  blocked: { url: string; why: string }[]
  problem?: string | undefined
}

function FindingList({ errors, accessibility, blocked, problem }: Findings) {
  const lines = [
    ...(problem === undefined ? [] : [problem]),
    ...errors.map((error) => `Error: ${error}`),
    ...accessibility.map(({ impact, help, count }) => `${impact}: ${help} (${formatCount(count, 'place')})`),
    ...blocked.map(({ url, why }) => `Not loaded: ${url} (${why})`),
  ]
  if (lines.length === 0) return <p className="text-[13px] text-muted">The browser found no problems.</p>
  return (
    <ul aria-label="What the browser found" className="max-h-40 overflow-auto text-[13px]" tabIndex={0}>
      {lines.map((line) => (
        <li key={line} className="py-0.5 break-words">
          {line}
        </li>
      ))}
    </ul>
  )
}

/** The page in an answer, live and isolated as everywhere, with its stored screenshots and what the browser found. */
function CasePage({ runId, testCaseId, modelId, isJudged }: CasePageProps) {
  const [query, changeQuery] = useAddress()
  const width = readViewportWidth(query.get('width'), defaultViewportWidth(window.innerWidth))
  const stored = useQuery({
    queryKey: ['code-arena', 'inspection', runId, testCaseId, modelId],
    queryFn: () =>
      readReply(
        api.arenaPages[':runId'].inspection.$get({ param: { runId }, query: { model: modelId, case: testCaseId } }),
      ),
  })
  const inspection = stored.data?.inspection
  return (
    <div className="flex flex-col border-b border-line">
      <StoredPage
        page={{ runId, modelId, testCaseId }}
        title={`Page by ${modelId}`}
        width={width}
        height="420px"
        lead={<ViewportSwitch width={width} onChange={(value) => changeQuery({ width: String(value) })} />}
      />
      {stored.data && (inspection ?? isJudged) && (
        <div className="flex flex-col gap-2 border-t border-line px-3 py-2">
          {inspection ? (
            <>
              {inspection.screenshots.length > 0 && (
                <Screenshots modelId={modelId} screenshots={inspection.screenshots} />
              )}
              <FindingList {...inspection} />
            </>
          ) : (
            <p className="text-[13px] text-muted">This page was not inspected in a browser.</p>
          )}
        </div>
      )}
    </div>
  )
}

interface AnswerColumnProps {
  selection: string
  detail: CaseDetail
  model: CaseDetail['models'][number]
  view: AnswerView
  /** The run in the address; if this model has no answer in it, the first run is shown. */
  run: string | null
  onRun: (runId: string) => void
}

const describeAnswer = ({ result, passed }: AnswerDetail) =>
  describeScore({ state: cellStateOf(result), score: result.score?.score, passed, outcome: result.outcome })

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
          Run {answer.runNumber}: {describeAnswer(answer)}
        </button>
      ))}
    </div>
  )
}

function Facts({ answer: { result, finishReason } }: { answer: AnswerDetail }) {
  const { outcome, latencyMs, firstTokenMs, cachedAt, cost, attempts } = result
  const sent = writeSent(result)
  const facts = [
    outcome !== undefined && outcome !== 'ok' && outcomeWords[outcome].long,
    describeCachedAt(result),
    latencyMs !== undefined &&
      `${formatDuration(latencyMs)}${cachedAt === undefined ? '' : ' then'}${firstTokenMs === undefined ? '' : ` (first token ${formatDuration(firstTokenMs)})`}`,
    ...describeTokens(result),
    cost === undefined ? 'cost unknown' : formatCost(cost),
    attempts !== undefined && attempts > 1 && `${attempts} attempts`,
    finishReason !== undefined && `finish reason ${finishReason}`,
    ...describeSent(result),
    sent !== undefined && `sent ${sent}`,
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

/** Then both pictures are kept with the answer. */
const isMeasure = ({ scoringMethod }: { scoringMethod: string }): boolean => scoringMethod === 'page-measure'

/** True if what is scored of an answer is the page in it. */
function showsPage({ testCase }: CaseDetail): boolean {
  const { scoringMethod, checks = [] } = testCase ?? {}
  return [scoringMethod, ...checks.map((check) => check.scoringMethod)].some(
    (method) => method === 'code-arena' || method?.startsWith('page-'),
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
        {!answer && detail.heldIn !== undefined && (
          <LiveConversation runId={detail.heldIn} testCaseId={detail.id} modelId={modelId} />
        )}
        {!answer && detail.heldIn === undefined && (
          <p className="px-3 py-2 text-muted">{detail.isLive ? 'Waiting for the answer…' : 'Not run.'}</p>
        )}
        {answer && (
          <>
            <Repeats answers={answers} chosen={answer} onRun={onRun} />
            {showsPage(detail) && answer.result.response !== undefined && !answer.isConversation && (
              <CasePage
                key={answer.runId}
                runId={answer.runId}
                testCaseId={detail.id}
                modelId={modelId}
                isJudged={detail.testCase?.scoringMethod === 'code-arena'}
              />
            )}
            {answer.result.score?.checks?.some(isMeasure) && (
              <PictureSlider runId={answer.runId} testCaseId={detail.id} modelId={modelId} />
            )}
            <AnswerText selection={selection} detail={detail} modelId={modelId} answer={answer} view={view} />
            <div className="flex flex-col gap-3 border-t border-line px-3 py-2">
              <Facts answer={answer} />
              <ScoreDetails answer={answer} />
              {detail.testCase && detail.testCase.scoringMethod !== 'code-arena' && !answer.isConversation && (
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
