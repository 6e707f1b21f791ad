import { writeArguments } from '../../report/model/conversation.ts'
import type { HeldConversation } from '../../server/runs/conversation.ts'
import { Link } from '../router.tsx'
import { classes } from '../ui/classes.ts'
import { WorldChanges } from './HeldConversation.tsx'
import { conversationAddress, useConversation } from './use-conversation.ts'

/** What fits beside the conversations of other models. */
const STEPS_SHOWN = 12
const MAX_LENGTH = 400

type Step = HeldConversation['trajectory']['steps'][number]

const cut = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text)

function LiveCall({ call }: { call: Step['calls'][number] }) {
  return (
    <div className="font-mono text-xs break-all">
      → {call.name}({cut(writeArguments(call))})
      {call.result !== undefined && (
        <div className={classes('text-muted', call.isError && 'text-fail-text')}>← {cut(call.result)}</div>
      )}
    </div>
  )
}

function LiveStep({ step: { source, text, calls } }: { step: Step }) {
  return (
    <li className="flex min-w-0 flex-col gap-1 px-3 py-2 text-[13px]">
      {text !== '' && (
        <p className="break-words">
          <span className="text-muted">{source === 'user' ? 'User' : 'Agent'}</span> {cut(text)}
        </p>
      )}
      {calls.map((call) => (
        <LiveCall key={call.id} call={call} />
      ))}
    </li>
  )
}

/** The conversation of a cell in progress, as far as it has come, with what it changed: beside those of other models. */
export function LiveConversation(cell: { runId: string; testCaseId: string; modelId: string }) {
  const { data } = useConversation(cell, { mayBegin: true })
  if (!data) return <p className="px-3 py-2 text-muted">Waiting for the answer…</p>
  const { steps } = data.trajectory
  const hidden = Math.max(0, steps.length - STEPS_SHOWN)
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-2 pb-3">
      <p className="border-b border-line px-3 py-1.5 text-[13px]">
        <Link to={conversationAddress(cell.runId, cell.testCaseId, cell.modelId)} className="text-accent-ink underline">
          Conversation
        </Link>
      </p>
      <ol aria-label={`Conversation with ${cell.modelId}`} className="divide-y divide-line" start={hidden + 1}>
        {steps.slice(hidden).map((step, index) => (
          <LiveStep key={`${hidden + index}`} step={step} />
        ))}
      </ol>
      <div className="px-3">
        <WorldChanges changes={data.changes.slice(-STEPS_SHOWN)} changed={data.changed} />
      </div>
    </div>
  )
}
