import { messageOf } from '../../contract/index.ts'
import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiFailure } from '../api-request.ts'
import { Button } from './Button.tsx'
import { classes } from './classes.ts'

type Kind = 'info' | 'warning' | 'error'

const styles: Record<Kind, string> = {
  info: 'border-line bg-accent-soft',
  warning: 'border-line bg-warning-soft',
  error: 'border-line bg-danger-soft',
}
const icons = { info: Info, warning: TriangleAlert, error: CircleAlert }
const tints: Record<Kind, string> = { info: 'text-accent-ink', warning: 'text-warning', error: 'text-danger' }

/** Says what happened and what to do; for errors also what was saved. */
export function Notice({
  kind = 'info',
  title,
  children,
  action,
}: {
  kind?: Kind
  title?: string
  children?: ReactNode
  action?: ReactNode
}) {
  const Icon = icons[kind]
  return (
    <div
      role={kind === 'error' ? 'alert' : 'status'}
      className={classes('flex items-start gap-2 rounded-md border px-3 py-2', styles[kind])}
    >
      <Icon size={16} aria-hidden className={classes('mt-0.5 shrink-0', tints[kind])} />
      <div className="min-w-0 flex-1 break-words">
        {title !== undefined && <div className="font-medium">{title}</div>}
        {children}
      </div>
      {action}
    </div>
  )
}

/** Shows what went wrong, with the problems of each field; nothing without a failure. */
export function FailureNotice({
  failure,
  title = 'Something went wrong',
  onRetry,
  action,
}: {
  failure: unknown
  title?: string
  onRetry?: (() => unknown) | undefined
  action?: ReactNode
}) {
  if (failure === undefined || failure === null) return null
  const problems = failure instanceof ApiFailure ? failure.problems : []
  return (
    <Notice
      kind="error"
      title={title}
      action={
        <div className="flex flex-col gap-2 sm:flex-row">
          {onRetry && <Button onClick={() => void onRetry()}>Try again</Button>}
          {action}
        </div>
      }
    >
      <div className="whitespace-pre-line">{messageOf(failure)}</div>
      {problems.length > 0 && (
        <ul className="mt-1 list-disc pl-4">
          {problems.slice(0, 12).map(({ path, message }) => (
            <li key={`${path.join('.')}: ${message}`}>
              {path.length > 0 && <code className="text-xs">{path.join('.')}</code>} {message}
            </li>
          ))}
          {problems.length > 12 && <li>… and {problems.length - 12} more</li>}
        </ul>
      )}
    </Notice>
  )
}

/** One sentence and one button. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-dashed border-line px-4 py-12 text-center">
      <div className="font-medium">{title}</div>
      {children !== undefined && <div className="max-w-prose text-muted">{children}</div>}
      {action}
    </div>
  )
}

/** A placeholder of similar size, so that nothing jumps when the content arrives. */
export function Loading({ label, rows = 6 }: { label: string; rows?: number | undefined }) {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-2">
      <div className="text-muted">{label}</div>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="h-8 animate-pulse rounded bg-sunken" />
      ))}
    </div>
  )
}
