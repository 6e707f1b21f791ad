import { isInProgress } from '../../contract/index.ts'
import type { AnswerDetail } from '../../server/results/cases/case-detail.ts'
import type { PlaygroundOutcome } from '../../server/playground/outcome.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ApiFailure, readReply } from '../api-request.ts'
import { TextBox } from '../results/case/CasePrompt.tsx'
import { DiffText } from '../results/case/DiffText.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Page.tsx'
import { Switch } from '../ui/form/Switch.tsx'
import type { Origin } from './use-experiment.ts'
import type { ReactNode } from 'react'
import { formatCost, formatDuration, formatScore, outcomeWords } from '../../report/words/index.ts'
import { ScoreDetails } from '../results/case/ScoreDetails.tsx'
import { classes } from '../ui/classes.ts'
import { ModelName } from '../ui/names/ModelName.tsx'
import { scoreStyle } from '../ui/charts/score-colour.ts'

function describeFacts({ result: { outcome, latencyMs, cost } }: AnswerDetail): string {
  return [
    outcome !== undefined && outcome !== 'ok' && outcomeWords[outcome].long,
    latencyMs !== undefined && formatDuration(latencyMs),
    cost !== undefined && formatCost(cost),
  ]
    .filter((fact) => typeof fact === 'string')
    .join(' · ')
}

/** One of the two answers, with its score and the reasons for it. */
export function AnswerPanel({
  title,
  modelId,
  answer,
  empty,
  children,
}: {
  title: string
  modelId: string | undefined
  answer: AnswerDetail | undefined
  /** Shown while there is no answer. */
  empty: ReactNode
  /** Instead of the text of the answer. */
  children?: ReactNode
}) {
  const score = answer?.result.score
  const text = answer?.result.response
  return (
    <Panel className="flex flex-col">
      <section aria-label={title} className="flex min-w-0 flex-1 flex-col">
        <div className="flex flex-wrap items-center gap-x-2 border-b border-line px-3 py-1.5 text-[13px]">
          <h2 className="font-semibold">{title}</h2>
          <span className="min-w-0 flex-1 text-muted">
            {modelId !== undefined && <ModelName id={modelId} withBadge={false} />}
          </span>
          {score && (
            <span className="rounded px-2 font-semibold tabular-nums" style={scoreStyle(score.score)}>
              {formatScore(score.score)}
            </span>
          )}
          {answer?.passed !== undefined && (
            <span className={classes(answer.passed ? 'text-muted' : 'text-warning')}>
              {answer.passed ? 'passed' : 'failed'}
            </span>
          )}
        </div>
        {!answer && <div className="px-3 py-2 text-muted">{empty}</div>}
        {answer && (
          <>
            <div className={classes('min-w-0', text !== undefined && 'flex-1')}>
              {children ??
                (text === undefined ? null : text === '' && !answer.result.toolCalls ? (
                  <p className="px-3 py-2 text-muted">The answer is empty.</p>
                ) : (
                  <TextBox label={title} text={text} />
                ))}
              {answer.result.toolCalls && answer.result.toolCalls.length > 0 && (
                <TextBox label={`${title}: tool calls`} text={JSON.stringify(answer.result.toolCalls, null, 2)} />
              )}
              {text !== undefined && answer.responseLength > text.length && (
                <p className="px-3 py-1.5 text-xs text-muted">Only the start of the answer is shown.</p>
              )}
            </div>
            <div className={classes('flex flex-col gap-2 px-3 py-2', text !== undefined && 'border-t border-line')}>
              <div className="text-xs text-muted tabular-nums">{describeFacts(answer)}</div>
              <ScoreDetails answer={answer} />
            </div>
          </>
        )}
      </section>
    </Panel>
  )
}

const DIFF_WORDS = {
  removed: 'only before',
  added: 'only after',
  same: 'Both answers are the same, word for word.',
  label: 'Difference between the answers',
}

function useAnswer(runId: string | undefined, caseId: string, modelId: string, state: string) {
  const query = useQuery({
    queryKey: ['caseDetail', runId, caseId, state],
    queryFn: () =>
      readReply(api.cases[':selection'].case.$get({ param: { selection: runId! }, query: { id: caseId } })),
    enabled: runId !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const isCurrent = query.data?.id === caseId
  const answer: AnswerDetail | undefined = isCurrent
    ? query.data?.models.find((model) => model.modelId === modelId)?.answers[0]
    : undefined
  const expected = isCurrent ? query.data?.expectedOutput : undefined
  return { ...query, answer, expected, isMissing: query.error instanceof ApiFailure && query.error.status === 404 }
}

/** Why there is no new answer yet. */
function explainNoAnswer(
  experimentId: string | undefined,
  outcome: PlaygroundOutcome | undefined,
  isRun: boolean,
): string {
  if (experimentId === undefined) return 'Change something and run it.'
  if (!outcome) return 'Loading…'
  if (!isRun) return 'This case was not run again.'
  return isInProgress(outcome.state) ? 'Waiting for the answer…' : 'Not run: the run ended before it came to this case.'
}

/** The stored answer beside the new one, with a word diff on request. */
export function AnswersSideBySide({
  origin,
  shownCase,
  experimentId,
  outcome,
  isDiff,
  onDiff,
}: {
  origin: Origin
  shownCase: string
  experimentId: string | undefined
  outcome: PlaygroundOutcome | undefined
  isDiff: boolean
  onDiff: (isDiff: boolean) => void
}) {
  const pair = outcome?.pairs.find(({ testCaseId }) => testCaseId === shownCase)
  const before = useAnswer(origin.runId, shownCase, origin.contestant, '')
  const after = useAnswer(experimentId, shownCase, outcome?.modelId ?? '', JSON.stringify(pair?.after ?? ''))
  const [old, fresh] = [before.answer?.result.response, after.answer?.result.response]
  // Other variables may have changed it.
  const expected = after.expected ?? before.expected
  const canDiff = old !== undefined && fresh !== undefined
  const isCut = [before.answer, after.answer].some(
    (answer) => (answer?.responseLength ?? 0) > (answer?.result.response?.length ?? 0),
  )
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {expected !== undefined && (
        <Panel>
          <h2 className="border-b border-line px-3 py-1.5 text-[13px] font-medium">Expected output</h2>
          <TextBox label="Expected output" text={expected} />
        </Panel>
      )}
      {canDiff && <Switch label="Show what changed" checked={isDiff} onChange={onDiff} />}
      <FailureNotice failure={before.error} title="The stored answer could not be loaded" />
      <div className="grid min-w-0 gap-4 lg:grid-cols-2">
        <AnswerPanel
          title="Before"
          modelId={origin.contestant}
          answer={before.answer}
          empty={before.isPending ? 'Loading…' : 'There is no stored answer.'}
        />
        <AnswerPanel
          title="After"
          modelId={outcome?.modelId}
          answer={after.answer}
          empty={explainNoAnswer(experimentId, outcome, !outcome || pair !== undefined)}
        >
          {isDiff && canDiff ? <DiffText expected={old} answer={fresh} isCut={isCut} words={DIFF_WORDS} /> : undefined}
        </AnswerPanel>
      </div>
    </div>
  )
}
