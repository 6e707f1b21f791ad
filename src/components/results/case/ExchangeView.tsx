import { Loaded } from '../../ui/Loaded.tsx'
import type { Exchange } from '../../../server/runs/exchange.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { formatCost, formatDuration, outcomeWords } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { TextBox } from './CasePrompt.tsx'

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
export function ExchangeView({ runId, testCaseId, modelId }: { runId: string; testCaseId: string; modelId: string }) {
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
