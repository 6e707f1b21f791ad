import { ArrowLeft } from 'lucide-react'
import { Link } from '../router.tsx'
import { useEffect, type ReactNode } from 'react'
import { classes } from './classes.ts'

interface PageProps {
  title: string
  /** The window's title, if it says more than the screen's. */
  windowTitle?: string
  /** What the screen is about, or key facts about what it shows. */
  subtitle?: ReactNode
  /** Buttons to the right of the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A screen; its title is also the window title. */
export function Page({ title, windowTitle = title, subtitle, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${windowTitle} · Benchmaker`
  }, [windowTitle])
  return (
    <div className="flex min-w-0 flex-col gap-4 px-4 py-4 md:px-6">
      <header className="flex flex-wrap items-start gap-x-4 gap-y-2 lg:grid lg:grid-cols-[minmax(10rem,1fr)_auto] lg:gap-y-1.5">
        <div className="min-w-0 flex-1 basis-60 lg:contents">
          <h1 className="text-xl leading-7 font-semibold break-words">{title}</h1>
          {subtitle !== undefined && <div className="text-muted lg:col-span-2 lg:row-start-2">{subtitle}</div>}
        </div>
        {actions !== undefined && (
          <div className="flex flex-wrap items-center gap-2 lg:col-start-2 lg:row-start-1 lg:justify-end">
            {actions}
          </div>
        )}
      </header>
      {children}
    </div>
  )
}

/** A part of a screen with a heading. */
export function Section({
  title,
  aside,
  end,
  children,
  id,
}: {
  title: string
  aside?: ReactNode
  /** At the right end. */
  end?: ReactNode
  children: ReactNode
  id?: string
}) {
  return (
    <section aria-label={title} {...(id !== undefined && { id })} className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="text-[15px] font-semibold">{title}</h2>
        {aside !== undefined && <div className="min-w-0 text-muted">{aside}</div>}
        {end !== undefined && <div className="-my-1 ml-auto self-center">{end}</div>}
      </div>
      {children}
    </section>
  )
}

/** A frame for wide tables that scrolls sideways, by keyboard too. */
export function TablePanel({
  label,
  role = 'region',
  isFramed = true,
  children,
}: {
  label: string
  /** `group` inside a section that has the same name. */
  role?: 'region' | 'group'
  isFramed?: boolean | undefined
  children: ReactNode
}) {
  return (
    <div
      role={role}
      aria-label={label}
      tabIndex={0}
      className={classes('scroll-cue relative min-w-0 overflow-x-auto', isFramed && 'rounded-lg border border-line')}
    >
      {children}
    </div>
  )
}

export function Panel({ children, className = '' }: { children: ReactNode; className?: string }) {
  return <div className={`min-w-0 rounded-lg border border-line bg-surface ${className}`}>{children}</div>
}

export function Logo() {
  return (
    <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden>
      <path d="M5 24h14M5 16h22M5 8h11" stroke="var(--line-strong)" strokeWidth="2.5" strokeLinecap="round" />
      <circle cx="15" cy="8" r="4" fill="var(--accent)" />
      <circle cx="23" cy="16" r="4" fill="var(--accent)" />
      <circle cx="12" cy="24" r="4" fill="var(--accent)" />
    </svg>
  )
}

/** Below the title: the way to the screen that this one belongs to. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="inline-flex items-center gap-1 text-accent-ink hover:underline">
      <ArrowLeft size={14} aria-hidden /> {children}
    </Link>
  )
}
