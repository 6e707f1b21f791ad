import { Loaded } from '../ui/Loaded.tsx'
import type { ToolCallRecord, ToolCallTranscript } from '../../server/tool-calls/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState, useEffect, useRef } from 'react'
import { api } from '../api.ts'
import { readExactReply } from '../api-request.ts'
import { useAddress } from '../router.tsx'
import { Badge } from '../ui/Badge.tsx'
import { formatCount, formatScore } from '../../report/words/index.ts'
import { Panel } from '../ui/Page.tsx'
import { findCallInQuestion, writeJsonLine } from './record-values.ts'
import type { Credit } from './credit.ts'
import { classes } from '../ui/classes.ts'

/** Longer messages are cut until they are opened: a tool's reply may be a whole database. */
const SHOWN_LENGTH = 1200

function Text({ text }: { text: string }) {
  if (text.length <= SHOWN_LENGTH) return <div className="break-words whitespace-pre-wrap">{text}</div>
  return (
    <details>
      <summary className="break-words whitespace-pre-wrap">{text.slice(0, SHOWN_LENGTH / 4)}…</summary>
      <div className="mt-1 break-words whitespace-pre-wrap">{text}</div>
    </details>
  )
}

function Entry({ entry, chosen }: { entry: ToolCallTranscript['entries'][number]; chosen: number | undefined }) {
  return (
    <li className="flex flex-col gap-1 border-t border-line px-3 py-2 first:border-t-0">
      <div className="text-xs text-muted">{entry.role}</div>
      {entry.text !== '' && (
        <div className={classes('text-[13px]', entry.role === 'tool' && 'font-mono text-xs text-muted')}>
          <Text text={entry.text} />
        </div>
      )}
      {entry.calls.map((call) => (
        <div
          key={call.index}
          data-call={call.index}
          {...(call.index === chosen && { 'aria-current': 'true' })}
          className={classes(
            'rounded border px-2 py-1 font-mono text-xs break-all',
            call.index === chosen ? 'border-accent bg-accent-soft ring-1 ring-accent' : 'border-line bg-sunken',
          )}
        >
          <span className="text-muted">call {call.index + 1} </span>
          {call.name}({writeJsonLine(call.arguments)})
        </div>
      ))}
    </li>
  )
}

/** Scrolls only the box, so that the reason that was clicked stays where it is; on a narrow page, the page. */
function showCall(box: HTMLElement, index: number): void {
  const call = box.querySelector(`[data-call="${index}"]`)
  if (!(call instanceof HTMLElement)) return
  if (box.scrollHeight > box.clientHeight) {
    const middle = box.getBoundingClientRect().top + box.clientHeight / 3
    box.scrollTop += call.getBoundingClientRect().top - middle
  } else call.scrollIntoView({ block: 'center' })
}

interface TranscriptProps {
  id: string
  index: number
  /** The call to show. */
  call: number | undefined
  /** Counts clicks on reasons: clicking one again shows its call again. */
  clicks: number
}

/** What the agent did, message by message, scrolled to the call in question. */
function Transcript({ id, index, call, clicks }: TranscriptProps) {
  const box = useRef<HTMLDivElement>(null)
  const transcript = useQuery({
    queryKey: ['toolCallTranscript', id, index],
    queryFn: () =>
      readExactReply(api.toolCalls[':id'].records[':index'].transcript.$get({ param: { id, index: String(index) } })),
  })
  const isLoaded = transcript.data !== undefined
  useEffect(() => {
    const element = box.current
    if (!isLoaded || !element || call === undefined) return
    // Before a click, a page without a box of its own must not jump.
    if (clicks > 0 || element.scrollHeight > element.clientHeight) showCall(element, call)
  }, [isLoaded, call, clicks])
  return (
    <Panel className="flex min-h-0 flex-col">
      <h3 className="border-b border-line px-3 py-2 font-semibold">Transcript</h3>
      <div
        ref={box}
        role="region"
        aria-label="Transcript"
        tabIndex={0}
        className="min-w-0 lg:max-h-[calc(100dvh-80px)] lg:overflow-y-auto"
      >
        <Loaded query={transcript} what="the transcript" rows={4}>
          {({ entries, leftOut }) => (
            <>
              {entries.length === 0 && <p className="px-3 py-2 text-muted">The record has no messages.</p>}
              <ol>
                {entries.map((entry, place) => (
                  // oxlint-disable-next-line react/no-array-index-key
                  <Entry key={place} entry={entry} chosen={call} />
                ))}
              </ol>
              {leftOut > 0 && (
                <p className="border-t border-line px-3 py-2 text-muted">
                  {formatCount(leftOut, 'more message')} not shown.
                </p>
              )}
            </>
          )}
        </Loaded>
      </div>
    </Panel>
  )
}

type Reasons = NonNullable<ToolCallRecord['reasons']>
type Action = Reasons['actions'][number]

function Call({ name, arguments: values }: { name: string; arguments: unknown }) {
  return (
    <code className="font-mono text-xs break-all">
      {name}({writeJsonLine(values)})
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
                  is missing: <code className="bg-removed px-1 font-mono text-xs">{writeJsonLine(expected)}</code>
                </span>
              ) : kind === 'extra' ? (
                <span>
                  is extra: <code className="bg-added px-1 font-mono text-xs">{writeJsonLine(actual)}</code>
                </span>
              ) : (
                <span>
                  should be <code className="bg-added px-1 font-mono text-xs">{writeJsonLine(expected)}</code>, was{' '}
                  <code className="bg-removed px-1 font-mono text-xs">{writeJsonLine(actual)}</code>
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
