import { ChevronDown, ChevronRight, TriangleAlert } from 'lucide-react'
import { summariseArguments, writeArguments, type CallRow } from '../../../report/model/conversation.ts'
import { formatCount } from '../../../report/words/index.ts'
import { classes } from '../../ui/classes.ts'
import { FoundText, LongText } from './LongText.tsx'

interface CallCardProps {
  row: CallRow
  isOpen: boolean
  isLost: boolean
  find: string
  onToggle: () => void
}

/** A call, folded to one line, or with its arguments and its reply. */
export function CallCard({ row: { call, isError }, isOpen, isLost, find, onToggle }: CallCardProps) {
  const Chevron = isOpen ? ChevronDown : ChevronRight
  const { result, name } = call
  return (
    <div
      className={classes(
        'overflow-hidden rounded-md border bg-surface',
        isError ? 'border-danger/50' : isLost ? 'border-warning/60' : 'border-line',
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex min-h-8 w-full items-center gap-2 px-3 py-1 text-left text-xs hover:bg-hover"
      >
        <Chevron size={14} aria-hidden className="shrink-0 text-muted" />
        <span className="font-mono font-semibold break-all max-md:min-w-0 md:whitespace-nowrap">
          <FoundText text={name} find={find} />
        </span>
        <span className="min-w-0 truncate font-mono text-muted max-md:hidden">{summariseArguments(call)}</span>
        <span className="ml-auto inline-flex shrink-0 items-center gap-1.5 whitespace-nowrap text-muted">
          {call.requestor === 'user' && 'by the user'}
          {isError ? (
            <span className="inline-flex items-center gap-1 text-danger">
              <TriangleAlert size={12} aria-hidden /> error
            </span>
          ) : result === undefined ? (
            'no reply'
          ) : result === '' ? (
            'empty reply'
          ) : (
            formatCount(result.length, 'character')
          )}
        </span>
      </button>
      {isOpen && (
        <>
          <div
            className="max-h-96 overflow-auto border-t border-line px-3 py-2 font-mono text-xs"
            tabIndex={0}
            role="region"
            aria-label={`Arguments of ${name}`}
          >
            <LongText text={writeArguments(call, 2)} find={find} />
          </div>
          {result !== undefined && (
            <div
              tabIndex={0}
              role="region"
              aria-label={`Reply of ${name}`}
              className={classes(
                'max-h-96 overflow-auto border-t border-line px-3 py-2 font-mono text-xs',
                isError ? 'bg-danger-soft text-danger' : 'bg-sunken',
              )}
            >
              <LongText text={result === '' ? '(empty)' : result} find={find} />
            </div>
          )}
        </>
      )}
    </div>
  )
}
