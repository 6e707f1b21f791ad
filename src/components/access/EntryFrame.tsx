import { useEffect, type ReactNode } from 'react'

/** The frame of the screens before the app: signing in, and accepting an invitation. */
export function EntryFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Benchmaker`
  }, [title])
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-4 p-4">
      <div className="flex items-center gap-2 font-semibold">
        <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden>
          <path d="M5 24h14M5 16h22M5 8h11" stroke="var(--line-strong)" strokeWidth="2.5" strokeLinecap="round" />
          <circle cx="15" cy="8" r="4" fill="var(--accent)" />
          <circle cx="23" cy="16" r="4" fill="var(--accent)" />
          <circle cx="12" cy="24" r="4" fill="var(--accent)" />
        </svg>
        Benchmaker
      </div>
      <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-5">
        <h1 className="text-xl leading-7 font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  )
}
