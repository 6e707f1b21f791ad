/** `sonner` and `use-toast`, on one list of messages. */
import { useSyncExternalStore, type ReactNode } from 'react'

interface Message {
  id: number
  title: ReactNode
  description?: ReactNode
}

const SHOWN_MS = 4000

let messages: Message[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: Message[]): void {
  messages = next
  for (const listener of listeners) listener()
}

function show(title: ReactNode, description?: ReactNode): number {
  const id = ++lastId
  change([...messages, { id, title, description }])
  setTimeout(() => change(messages.filter((message) => message.id !== id)), SHOWN_MS)
  return id
}

interface ToastOptions {
  title?: ReactNode
  description?: ReactNode
}

/** Takes both forms: `toast('Saved', { description })` and `toast({ title, description })`. */
function say(first: ReactNode | ToastOptions, options: ToastOptions = {}): number {
  if (typeof first === 'object' && first !== null && ('title' in first || 'description' in first))
    return show(first.title, first.description)
  return show(first as ReactNode, options.description)
}

export const toast = Object.assign(say, {
  success: say,
  error: say,
  info: say,
  warning: say,
  message: say,
  loading: say,
  dismiss: (id?: number) => change(id === undefined ? [] : messages.filter((message) => message.id !== id)),
})

export const useToast = () => ({ toast, toasts: messages, dismiss: toast.dismiss })

export function Toaster(): ReactNode {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => messages,
  )
  return (
    <ol className="fixed right-4 bottom-4 z-[100] flex w-80 flex-col gap-2" aria-live="polite">
      {shown.map(({ id, title, description }) => (
        <li key={id} className="bg-background text-foreground rounded-md border p-4 text-sm shadow-lg">
          <div className="font-medium">{title}</div>
          {description !== undefined && <div className="text-muted-foreground">{description}</div>}
        </li>
      ))}
    </ol>
  )
}
