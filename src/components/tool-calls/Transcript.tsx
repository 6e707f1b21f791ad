import { Loaded } from '../ui/Loaded.tsx'
import type { ToolCallTranscript } from '../../server/tool-calls/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../api.ts'
import { readExactReply } from '../api-request.ts'
import { formatCount } from '../../report/words/index.ts'
import { classes } from '../ui/classes.ts'
import { Panel } from '../ui/Page.tsx'
import { describeValue } from './describe-value.ts'

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
          {call.name}({describeValue(call.arguments)})
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
export function Transcript({ id, index, call, clicks }: TranscriptProps) {
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
