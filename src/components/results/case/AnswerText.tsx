import type { AnswerDetail, CaseDetail } from '../../../server/results/cases/case-detail.ts'
import { api } from '../../api.ts'
import { namedAddress, readReply } from '../../api-request.ts'
import { formatCount } from '../../../report/words/index.ts'
import { Markdown } from '../../ui/markdown/Markdown.tsx'
import type { AnswerView } from './answer-views.ts'
import { TextBox } from './CasePrompt.tsx'
import { DiffText } from './DiffText.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { attemptTable } from '../../../report/tables/runs.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { conversationAddress } from '../../agents/use-conversation.ts'
import { Link } from '../../router.tsx'
import { useQuery } from '@tanstack/react-query'
import { formatLocalTime } from '../../ui/local-time.ts'

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
          {attempts.length === 0 ? (
            <p className="px-3 py-2 text-muted">No requests are stored for this cell.</p>
          ) : (
            <DataTable
              label="Attempts"
              isFramed={false}
              columns={attemptTable}
              rows={attempts}
              keyOf={({ id }) => String(id)}
              draw={{ sent: ({ startedAt }) => formatLocalTime(startedAt) }}
            />
          )}
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
      {answer.isConversation && (
        <p className="border-b border-line px-3 py-1.5 text-[13px]">
          <Link to={conversationAddress(runId, detail.id, modelId)} className="text-accent-ink underline">
            Conversation
          </Link>{' '}
          <span className="text-muted">
            with {formatCount(result.toolCalls?.length ?? 0, 'call')}; below are its last words
          </span>
        </p>
      )}
      <AnswerBody detail={detail} answer={answer} view={view} />
      {!answer.isConversation && result.toolCalls && result.toolCalls.length > 0 && (
        <div className="border-t border-line">
          <h3 className="px-3 pt-1.5 text-xs text-muted">Tool calls</h3>
          <TextBox label="Tool calls" text={JSON.stringify(result.toolCalls, null, 2)} />
        </div>
      )}
      {responseLength > shownLength && (
        <p className="px-3 py-1.5 text-[13px]">
          {formatCount(shownLength)} of {formatCount(responseLength)} characters are shown.{' '}
          <a
            href={namedAddress(
              api.cases[':selection'].answer.$path({
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
