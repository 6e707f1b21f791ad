import type { ToolCallRecord } from '../../server/tool-calls/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Badge } from '../ui/Badge.tsx'
import { formatCount, formatScore } from '../../report/words/index.ts'
import { FailureNotice, Loading } from '../ui/Notice.tsx'
import { Panel } from '../ui/Page.tsx'
import { describeValue } from './describe-value.ts'
import type { Credit } from './credit.ts'

type Reasons = NonNullable<ToolCallRecord['reasons']>
type Action = Reasons['actions'][number]

function Call({ name, arguments: values }: { name: string; arguments: unknown }) {
  return (
    <code className="font-mono text-xs break-all">
      {name}({describeValue(values)})
    </code>
  )
}

function ActionReason({ action }: { action: Action }) {
  return (
    <li className="flex flex-col gap-1 border-l-2 border-line pl-3">
      <div className="flex flex-wrap items-baseline gap-2">
        <Badge kind={action.kind === 'exact' ? 'accent' : action.kind === 'tool not called' ? 'danger' : 'warning'}>
          {action.kind}
        </Badge>
        <span className="text-muted">credit {formatScore(action.score)}</span>
      </div>
      <div>
        <span className="text-muted">expected </span>
        <Call {...action} />
      </div>
      {action.call && action.kind !== 'exact' && (
        <div>
          <span className="text-muted">call {action.call.index + 1} </span>
          <Call {...action.call} />
        </div>
      )}
      {action.differences.length > 0 && (
        <ul className="flex flex-col gap-0.5 pl-3">
          {action.differences.map(({ path, kind, expected, actual }) => (
            <li key={`${kind} ${path}`} className="break-all">
              <code className="font-mono text-xs font-medium">{path === '' ? 'arguments' : path}</code>{' '}
              {kind === 'missing' ? (
                <span>
                  is missing: <code className="bg-removed px-1 font-mono text-xs">{describeValue(expected)}</code>
                </span>
              ) : kind === 'extra' ? (
                <span>
                  is extra: <code className="bg-added px-1 font-mono text-xs">{describeValue(actual)}</code>
                </span>
              ) : (
                <span>
                  should be <code className="bg-added px-1 font-mono text-xs">{describeValue(expected)}</code>, was{' '}
                  <code className="bg-removed px-1 font-mono text-xs">{describeValue(actual)}</code>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** Why a record has its score: the expected actions, the extra calls, and what did not count. */
export function ReasonTree({ id, index, credit }: { id: string; index: number; credit: Credit }) {
  const record = useQuery({
    queryKey: ['toolCallRecord', id, index, credit],
    queryFn: () =>
      readReply(
        api.toolCalls[':id'].records[':index'].$get({ param: { id, index: String(index) }, query: { credit } }),
      ),
  })
  if (record.isPending) return <Loading label="Loading the reasons…" rows={4} />
  if (record.error) return <FailureNotice title="The record cannot be shown" failure={record.error} />
  const { taskId, trial, reward, score, scores, range, reasons, problems } = record.data
  return (
    <Panel className="flex flex-col gap-3 p-3">
      <div>
        <h3 className="font-semibold break-words">
          Task {taskId}, trial {trial}
        </h3>
        <p className="text-muted">
          Partial score {formatScore(score)}
          {range !== null && ` (${range})`}
          {reward !== undefined && `, reward ${reward}`}
          {scores && `; calls made ${formatScore(scores.calls)}, effects ${formatScore(scores.effects)}`}
        </p>
      </div>
      {problems.map((problem) => (
        <p key={problem} className="text-warning">
          {problem}
        </p>
      ))}
      {reasons?.verdict !== undefined && <p>{reasons.verdict}</p>}
      {reasons && (
        <>
          <ol aria-label="Expected actions" className="flex flex-col gap-3">
            {reasons.actions.map((action) => (
              <ActionReason key={action.index} action={action} />
            ))}
          </ol>
          {reasons.outputs && (
            <ul aria-label="What the user must be told" className="flex flex-col gap-1">
              {reasons.outputs.map(({ text, isSaid }) => (
                <li key={text} className="flex flex-wrap items-baseline gap-2 border-l-2 border-line pl-3">
                  <Badge kind={isSaid ? 'accent' : 'danger'}>{isSaid ? 'said' : 'not said'}</Badge>
                  <span className="text-muted">tell the user</span>
                  <code className="font-mono text-xs break-all">{text}</code>
                </li>
              ))}
            </ul>
          )}
          {reasons.extraCalls.length > 0 && (
            <details>
              <summary className="w-fit">
                {formatCount(reasons.extraCalls.length, 'extra call')}
                {credit === 'effects' ? ', each with a penalty' : ', without a penalty'}
              </summary>
              <ul className="mt-1 flex flex-col gap-1 pl-3">
                {reasons.extraCalls.map((call) => (
                  <li key={call.index}>
                    <Call {...call} />
                  </li>
                ))}
              </ul>
            </details>
          )}
          {reasons.leftOut.length > 0 && (
            <details>
              <summary className="w-fit">{formatCount(reasons.leftOut.length, 'call')} not counted</summary>
              <ul className="mt-1 flex flex-col gap-1 pl-3">
                {reasons.leftOut.map((call) => (
                  <li key={`${call.side} ${call.index}`}>
                    <Call {...call} /> <span className="text-muted">{call.why}</span>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </>
      )}
    </Panel>
  )
}
