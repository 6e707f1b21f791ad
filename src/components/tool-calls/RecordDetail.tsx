import { Loaded } from '../ui/Loaded.tsx'
import type { ToolCallRecord } from '../../server/tool-calls/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { readExactReply } from '../api-request.ts'
import { useAddress } from '../router.tsx'
import { Badge } from '../ui/Badge.tsx'
import { formatCount, formatScore } from '../../report/words/index.ts'
import { Panel } from '../ui/Page.tsx'
import { describeValue } from './describe-value.ts'
import { findCallInQuestion } from './call-in-question.ts'
import type { Credit } from './credit.ts'
import { Transcript } from './Transcript.tsx'

type Reasons = NonNullable<ToolCallRecord['reasons']>
type Action = Reasons['actions'][number]

function Call({ name, arguments: values }: { name: string; arguments: unknown }) {
  return (
    <code className="font-mono text-xs break-all">
      {name}({describeValue(values)})
    </code>
  )
}

/** Shows a call where it was made. */
function CallButton({ index, label, onCall }: { index: number; label: string; onCall: (index: number) => void }) {
  return (
    <button
      type="button"
      title="Show it in the transcript"
      className="text-accent-ink underline"
      onClick={() => onCall(index)}
    >
      {label}
    </button>
  )
}

function ActionReason({ action, onCall }: { action: Action; onCall: (index: number) => void }) {
  return (
    <li className="flex flex-col gap-1 border-l-2 border-line pl-3">
      <div className="flex flex-wrap items-baseline gap-2">
        <Badge kind={action.kind === 'exact' ? 'accent' : action.kind === 'tool not called' ? 'danger' : 'warning'}>
          {action.kind}
        </Badge>
        <span className="text-muted">credit {formatScore(action.score)}</span>
        {action.call && (
          <CallButton index={action.call.index} label={`call ${action.call.index + 1}`} onCall={onCall} />
        )}
      </div>
      <div>
        <span className="text-muted">expected </span>
        <Call {...action} />
      </div>
      {action.call && action.kind !== 'exact' && (
        <div>
          <span className="text-muted">called </span>
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
function ReasonTree({
  record,
  credit,
  onCall,
}: {
  record: ToolCallRecord
  credit: Credit
  onCall: (index: number) => void
}) {
  const { taskId, trial, reward, score, scores, range, reasons, problems } = record
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
          {scores && `; effects ${formatScore(scores.effects)}, calls made ${formatScore(scores.calls)}`}
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
              <ActionReason key={action.index} action={action} onCall={onCall} />
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
                    <CallButton index={call.index} label={`call ${call.index + 1}`} onCall={onCall} />{' '}
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
                    {call.side === 'actual' && (
                      <CallButton index={call.index} label={`call ${call.index + 1}`} onCall={onCall} />
                    )}{' '}
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

/** A record: why it has its score and, beside it, what the agent did. */
export function RecordDetail({ id, index, credit }: { id: string; index: number; credit: Credit }) {
  const [address, changeQuery] = useAddress()
  const [clicks, setClicks] = useState(0)
  const record = useQuery({
    queryKey: ['toolCallRecord', id, index, credit],
    queryFn: () =>
      readExactReply(
        api.toolCalls[':id'].records[':index'].$get({ param: { id, index: String(index) }, query: { credit } }),
      ),
  })
  const chosen = /^\d+$/.test(address.get('call') ?? '') ? Number(address.get('call')) : undefined
  const reasons = record.data?.reasons
  return (
    <div className="grid min-w-0 items-start gap-3 lg:grid-cols-[minmax(0,4fr)_minmax(0,5fr)]">
      <div
        role="region"
        aria-label="Reasons"
        tabIndex={0}
        className="min-w-0 lg:max-h-[calc(100dvh-32px)] lg:overflow-y-auto"
      >
        <Loaded query={record} what="the record" rows={4}>
          {(loaded) => (
            <ReasonTree
              record={loaded}
              credit={credit}
              onCall={(call) => {
                changeQuery({ call: String(call) })
                setClicks((count) => count + 1)
              }}
            />
          )}
        </Loaded>
      </div>
      <Transcript
        key={index}
        id={id}
        index={index}
        call={chosen ?? (reasons ? findCallInQuestion(reasons) : undefined)}
        clicks={clicks}
      />
    </div>
  )
}
