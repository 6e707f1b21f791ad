import type { Message } from '../../contract/index.ts'
import { Notice } from '../ui/Notice.tsx'
import { TextArea } from '../ui/form/Field.tsx'
import type { DraftProps } from './playground-draft.ts'

/** Rows that fit the text, within limits. */
function rowsFor(text: string, fewest: number): number {
  const lines = text
    .slice(0, 2000)
    .split('\n')
    .reduce((sum, line) => sum + 1 + Math.floor(line.length / 60), 0)
  return Math.max(fewest, Math.min(12, lines + 1))
}

function changeText(messages: Message[], turn: number, part: number | undefined, text: string): Message[] {
  const message = messages[turn]!
  const content =
    typeof message.content === 'string' || part === undefined
      ? text
      : message.content.map((item, index) => (index === part && item.type === 'text' ? { ...item, text } : item))
  return messages.with(turn, { ...message, content })
}

function Turns({ messages, onChange }: { messages: Message[]; onChange: (messages: Message[]) => void }) {
  return messages.map(({ role, content }, turn) => {
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
    return parts.map((part, index) =>
      part.type === 'text' ? (
        <TextArea
          // oxlint-disable-next-line react/no-array-index-key
          key={`${turn} ${index}`}
          label={`Turn ${turn + 1}, ${role}`}
          rows={rowsFor(part.text, 2)}
          value={part.text}
          onChange={(text) =>
            onChange(changeText(messages, turn, typeof content === 'string' ? undefined : index, text))
          }
        />
      ) : (
        // oxlint-disable-next-line react/no-array-index-key
        <p key={`${turn} ${index}`} className="text-[13px] text-muted">
          Turn {turn + 1}, {role}: an image, sent as it is.
        </p>
      ),
    )
  })
}

/** The prompt of the case, or the turns of its conversation. */
export function QuestionFields({ start, caseId, draft, onChange }: DraftProps) {
  if (!start.question)
    return <Notice>The prompt is too long to edit here. It is sent as it was; everything else can be changed.</Notice>
  const hint = (
    <>
      For {caseId} only.
      {start.isAskedByVariant && ` From the variant ${start.variant}: {{prompt}} is the case’s own prompt.`}
      {!start.hasTemplate && start.vars.length > 0 && ' Shown with its variables filled in, as it was sent.'}
    </>
  )
  if (draft.messages)
    return (
      <div role="group" aria-label="Prompt" className="flex flex-col gap-2">
        <Turns messages={draft.messages} onChange={(messages) => onChange({ messages })} />
        <p className="text-xs break-words text-muted">{hint}</p>
      </div>
    )
  return (
    <TextArea
      label="Prompt"
      hint={hint}
      rows={rowsFor(draft.prompt, 4)}
      value={draft.prompt}
      onChange={(text) => onChange({ prompt: text })}
    />
  )
}
