import type { PreviewView } from '../../../server/code-arena/preview-page.ts'
import { classes } from '../../ui/classes.ts'
import { MAX_MESSAGES, type NumberedMessage, type PreviewMessage } from '../preview/preview-messages.ts'

const tints: Partial<Record<PreviewMessage['level'], string>> = { error: 'text-danger', warn: 'text-warning' }

function labelOf({ kind, level }: PreviewMessage): string {
  if (kind === 'blocked') return 'blocked'
  return kind === 'error' ? 'error' : level
}

interface PanelConsoleProps {
  name: string
  messages: readonly NumberedMessage[]
  preview: PreviewView | undefined
}

/** The page's console, and what it was not allowed to load. */
export function PanelConsole({ name, messages, preview }: PanelConsoleProps) {
  const { blocked = [], notes = [] } = preview ?? {}
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={`Console of ${name}`}
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3"
    >
      {messages.length === 0 && blocked.length === 0 && notes.length === 0 && (
        <div className="text-muted">No messages, and nothing was blocked.</div>
      )}
      {messages.length > 0 && (
        <ol aria-label="Messages" className="flex flex-col divide-y divide-line font-mono text-[13px]">
          {messages.map((message) => (
            <li key={message.number} className="flex gap-2 py-1">
              <span className={classes('w-14 shrink-0 text-xs leading-5', tints[message.level] ?? 'text-muted')}>
                {labelOf(message)}
              </span>
              <span className="min-w-0 flex-1 break-words whitespace-pre-wrap">{message.text}</span>
            </li>
          ))}
        </ol>
      )}
      {messages.length >= MAX_MESSAGES && (
        <div className="text-muted">Only the first {MAX_MESSAGES} messages are shown.</div>
      )}
      {blocked.length > 0 && (
        <section aria-label="Not loaded">
          <h3 className="font-medium">Not loaded</h3>
          <p className="text-xs text-muted">Pages have no network access. They requested:</p>
          <ul className="mt-1 flex flex-col gap-1">
            {blocked.map(({ url, why }) => (
              <li key={url} className="min-w-0">
                <code className="text-xs break-all">{url}</code>
                <div className="text-xs text-muted">{why}</div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {notes.length > 0 && (
        <section aria-label="Page assembly">
          <h3 className="font-medium">Page assembly</h3>
          <ul className="list-disc pl-4">
            {notes.map((note) => (
              <li key={note} className="break-words">
                {note}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
