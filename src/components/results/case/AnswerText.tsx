import type { AnswerDetail, CaseDetail } from '../../../server/results/cases/case-detail.ts'
import { api } from '../../api.ts'
import { apiAddress, readReply } from '../../api-request.ts'
import { formatCost, formatCount, formatDuration, outcomeWords } from '../../../report/words/index.ts'
import { Markdown } from '../../ui/markdown/Markdown.tsx'
import type { AnswerView } from './answer-views.ts'
import { TextBox } from './CasePrompt.tsx'
import { DiffText } from './DiffText.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import type { Exchange } from '../../../server/runs/exchange.ts'
import { useQuery } from '@tanstack/react-query'
import { formatLocalTime } from '../../ui/local-time.ts'

const headings = ['Purpose', 'Model', 'Sent', 'Outcome', 'HTTP', 'Latency', 'Cost', 'Error or note']

function Attempts({ attempts }: { attempts: Exchange['attempts'] }) {
  if (attempts.length === 0) return <p className="px-3 py-2 text-muted">No requests are stored for this cell.</p>
  return (
    <div className="overflow-x-auto px-3 py-2" tabIndex={0} role="group" aria-label="Attempts, scrolls sideways">
      <table className="w-full text-xs">
        <thead className="text-left text-muted">
          <tr>
            {headings.map((title) => (
              <th key={title} scope="col" className="pr-3 font-normal">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {attempts.map(({ id, purpose, askedModel, startedAt, end }) => (
            <tr key={id} className="border-t border-line align-top">
              <td className="py-1 pr-3">{purpose}</td>
              <td className="max-w-40 truncate pr-3" title={askedModel}>
                {askedModel}
              </td>
              <td className="pr-3 whitespace-nowrap">{formatLocalTime(startedAt)}</td>
              <td className="pr-3 whitespace-nowrap">{end ? outcomeWords[end.outcome].short : 'unfinished'}</td>
              <td className="pr-3">{end?.httpStatus ?? '–'}</td>
              <td className="pr-3 whitespace-nowrap">{formatDuration(end?.latencyMs)}</td>
              <td className="pr-3 whitespace-nowrap">{end?.cost === undefined ? '–' : formatCost(end.cost)}</td>
              <td className="min-w-32 break-words">{end?.error ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The raw request and reply. Loaded only when shown. */
function ExchangeView({ runId, testCaseId, modelId }: { runId: string; testCaseId: string; modelId: string }) {
  const exchange = useQuery({
    queryKey: ['exchange', runId, testCaseId, modelId],
    queryFn: () =>
      readReply(api.runs[':id'].exchange.$get({ param: { id: runId }, query: { case: testCaseId, model: modelId } })),
  })
  const title = 'border-t border-line px-3 pt-1.5 text-xs font-medium first:border-t-0'
  return (
    <Loaded query={exchange} what="the request and reply" rows={4}>
      {({ request, answer, attempts }) => (
        <div className="min-w-0">
          <h3 className={title}>Request</h3>
          <TextBox label="Request" text={JSON.stringify(request, null, 2)} />
          <h3 className={title}>Reply</h3>
          <TextBox label="Reply" text={answer ? JSON.stringify(answer, null, 2) : 'None.'} />
          <h3 className={title}>Attempts</h3>
          <Attempts attempts={attempts} />
        </div>
      )}
    </Loaded>
  )
}

interface AnswerTextProps {
  selection: string
  detail: CaseDetail
  modelId: string
  answer: AnswerDetail
  view: AnswerView
}

/** Rendering much more than this as Markdown would freeze the page. */
const MAX_MARKDOWN = 50_000

function AnswerBody({ detail, answer, view }: Omit<AnswerTextProps, 'selection' | 'modelId'>) {
  const text = answer.result.response
  // The reason is shown below.
  if (text === undefined && answer.result.error !== undefined) return null
  if (text === undefined) return <p className="px-3 py-2 text-muted">No answer.</p>
  if (text === '' && !answer.result.toolCalls) return <p className="px-3 py-2 text-muted">The answer is empty.</p>
  if (view === 'diff')
    return <DiffText expected={detail.expectedOutput} answer={text} isCut={answer.responseLength > text.length} />
  if (view === 'markdown')
    return (
      <div className="max-h-[36rem] overflow-auto px-3 py-2" tabIndex={0} role="group" aria-label="Answer as Markdown">
        <Markdown text={text.slice(0, MAX_MARKDOWN)} />
        {text.length > MAX_MARKDOWN && (
          <p className="text-muted">Only the first {formatCount(MAX_MARKDOWN)} characters are rendered.</p>
        )}
      </div>
    )
  return <TextBox label="Answer" text={text} />
}

/** The answer in the chosen view, with reasoning, tool calls, and a link to the full text if it is truncated. */
export function AnswerText({ selection, detail, modelId, answer, view }: AnswerTextProps) {
  const { result, responseLength, reasoning, runId } = answer
  const shownLength = result.response?.length ?? 0
  if (view === 'raw') return <ExchangeView runId={runId} testCaseId={detail.id} modelId={modelId} />
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      {reasoning !== undefined && reasoning !== '' && (
        <details className="border-b border-line">
          <summary className="px-3 py-1.5 text-[13px] text-muted">
            Reasoning, {formatCount(reasoning.length)} characters
          </summary>
          <TextBox label="Reasoning" text={reasoning} />
        </details>
      )}
      <AnswerBody detail={detail} answer={answer} view={view} />
      {result.toolCalls && result.toolCalls.length > 0 && (
        <div className="border-t border-line">
          <h3 className="px-3 pt-1.5 text-xs text-muted">Tool calls</h3>
          <TextBox label="Tool calls" text={JSON.stringify(result.toolCalls, null, 2)} />
        </div>
      )}
      {responseLength > shownLength && (
        <p className="px-3 py-1.5 text-[13px]">
          {formatCount(shownLength)} of {formatCount(responseLength)} characters are shown.{' '}
          <a
            href={apiAddress(
              api.results[':selection'].answer.$path({
                param: { selection },
                query: { id: detail.id, model: modelId, run: runId },
              }),
            )}
            className="text-accent-ink underline"
            target="_blank"
            rel="noreferrer"
          >
            Full answer
          </a>
        </p>
      )}
    </div>
  )
}
