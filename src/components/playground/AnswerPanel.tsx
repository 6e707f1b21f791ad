import type { AnswerDetail } from '../../server/results/cases/case-detail.ts'
import type { ReactNode } from 'react'
import { formatCost, formatDuration, formatScore, outcomeWords } from '../../report/words/index.ts'
import { TextBox } from '../results/case/CasePrompt.tsx'
import { ScoreDetails } from '../results/case/ScoreDetails.tsx'
import { classes } from '../ui/classes.ts'
import { ModelName } from '../ui/names/ModelName.tsx'
import { Panel } from '../ui/Page.tsx'
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
