import type { ReactNode } from 'react'

/** What few look for. */
export function Folded({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details>
      <summary className="w-fit py-1 text-muted hover:text-ink">{title}</summary>
      <div className="flex min-w-0 flex-col gap-2 pt-1">{children}</div>
    </details>
  )
}
