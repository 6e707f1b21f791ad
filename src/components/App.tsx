import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Component, type ReactNode, useEffect, useRef, useState } from 'react'
import { isTeamServer, SESSION_KEY, useMay } from './access/session.ts'
import { TeamGate } from './access/TeamGate.tsx'
import { ApiFailure } from './api-request.ts'
import { roleNames } from './access/role-words.ts'
import type { Role } from '../contract/index.ts'
import { Link, navigate, usePath } from './router.tsx'
import { moveOldPath } from './results/addresses.ts'
import { findScreen, isWithin, menu } from './screens.tsx'
import { Button, buttonClass, IconButton } from './ui/Button.tsx'
import { EmptyState, FailureNotice } from './ui/Notice.tsx'
import { Logo, Page } from './ui/Page.tsx'
import { useApp } from './queries.ts'
import { CircleQuestionMark, Menu as MenuIcon } from 'lucide-react'
import { SignedIn } from './access/SignedIn.tsx'
import { classes } from './ui/classes.ts'
import { hasModifier, isTyping, useAllKeys } from './ui/keys.ts'
import { useToast } from './ui/toast.ts'
import { Dialog } from './ui/Dialog.tsx'

const menuKeys = menu.map(({ key }) => key)
const lastKey = menuKeys.pop()

const shortcuts: [keys: string, action: string][] = [
  [`g then ${menuKeys.join(', ')} or ${lastKey}`, menu.map(({ title }) => title).join(', ')],
  ['/', 'Search on this screen'],
  ['j and k', 'Next and previous row or case'],
  ['Enter', 'Open the row'],
  ['h and l', 'Previous and next model in the grid, or page of the Code Arena'],
  ['Ctrl+Enter', 'Run the benchmark or the Code Arena'],
  ['1 to 8', 'Code Arena: vote on the pages'],
  ['u', 'Code Arena: undo the vote'],
  ['f and c', 'Code Arena: full screen, and the code of the pages'],
  ['Ctrl+S', 'Save the suite'],
  ['Ctrl+Z and Ctrl+Shift+Z', 'Undo and redo in the suite editor'],
  ['Alt+↑ and Alt+↓', 'Move a case up or down'],
  ['0–9 and Enter, p and f, s, n, u', 'Rate, pass and fail, skip, note, undo while rating answers'],
  ['e and o', 'Agents: next error, and open or fold the call'],
  ['Esc', 'Close the dialog or menu'],
  ['?', 'This list'],
]

function KeyboardSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {shortcuts.map(([keys, action]) => (
          <div key={keys} className="contents">
            <dt className="font-mono text-xs leading-5">{keys}</dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** `g` and a letter go to a screen, `/` focuses its search field, `?` shows all shortcuts. */
function useKeyboard(showShortcuts: () => void): void {
  const isAfterG = useRef(false)
  useAllKeys((event) => {
    if (isTyping(event.target) || hasModifier(event)) return false
    const entry = isAfterG.current ? menu.find(({ key }) => key === event.key) : undefined
    isAfterG.current = event.key === 'g' && !isAfterG.current
    if (entry) navigate(entry.path, { isShortcut: true })
    else if (event.key === '?') showShortcuts()
    else if (event.key === '/') document.querySelector<HTMLInputElement>('main input[type=search]')?.focus()
    else return false
    return true
  })
}

function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const path = usePath()
  const mayRun = useMay('runner')
  return (
    <nav aria-label="Screens" className="flex flex-col gap-0.5">
      {menu
        .filter(({ needs }) => needs === undefined || mayRun)
        .map(({ path: to, title, icon: Icon }) => {
          const isCurrent = isWithin(to, path)
          return (
            <Link
              key={to}
              to={to}
              onClick={onNavigate}
              aria-current={isCurrent ? 'page' : undefined}
              className={classes(
                'flex h-8 items-center gap-2.5 rounded-md px-2.5',
                isCurrent ? 'bg-accent-soft font-medium text-accent-ink' : 'text-muted hover:bg-hover hover:text-ink',
              )}
            >
              <Icon size={16} aria-hidden />
              {title}
            </Link>
          )
        })}
      <a
        href="/help/index.html"
        target="_blank"
        rel="noreferrer"
        onClick={onNavigate}
        className="flex h-8 items-center gap-2.5 rounded-md px-2.5 text-muted hover:bg-hover hover:text-ink"
      >
        <CircleQuestionMark size={16} aria-hidden />
        Help
      </a>
    </nav>
  )
}

function Brand() {
  return (
    <Link to="/arena" className="flex items-center gap-2 px-2.5 font-semibold">
      <Logo />
      Benchmaker
    </Link>
  )
}

function Toast() {
  const { message, number } = useToast()
  const [hiddenNumber, setHiddenNumber] = useState(0)
  useEffect(() => {
    const timer = window.setTimeout(() => setHiddenNumber(number), 5000)
    return () => window.clearTimeout(timer)
  }, [number])
  return (
    <div role="status" aria-live="polite" className="pointer-events-none fixed bottom-4 left-1/2 z-50 -translate-x-1/2">
      {hiddenNumber !== number && (
        <div className="rounded-md border border-line bg-ink px-3 py-2 text-canvas shadow-lg">{message}</div>
      )}
    </div>
  )
}

function SignedOut() {
  return (
    <div className="mx-auto flex max-w-md flex-col gap-2 p-8 pt-24">
      <h1 className="text-xl font-semibold">Open the link from the terminal</h1>
      <p className="text-muted">
        Benchmaker is running on this machine, and this browser is not signed in yet. Open the link that it printed in
        its terminal. For a new link, run <code>benchmaker serve</code> in another terminal.
      </p>
    </div>
  )
}

/** The frame around every screen: navigation, keyboard shortcuts and messages. */
function Shell({ children }: { children: ReactNode }) {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [areShortcutsShown, setShortcutsShown] = useState(false)
  const app = useApp()
  const mayManage = useMay('admin')
  useKeyboard(() => setShortcutsShown(true))
  if (!isTeamServer && app.error instanceof ApiFailure && app.error.status === 401) return <SignedOut />
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:rounded focus:bg-surface focus:p-2"
      >
        Skip to main content
      </a>
      <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-b border-line bg-surface px-2 md:hidden">
        <IconButton
          label={isMenuOpen ? 'Close navigation' : 'Open navigation'}
          aria-expanded={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <MenuIcon size={18} aria-hidden />
        </IconButton>
        <Brand />
      </header>
      {isMenuOpen && (
        <div className="sticky top-12 z-30 border-b border-line bg-surface p-2 shadow-lg md:hidden">
          <Navigation onNavigate={() => setMenuOpen(false)} />
          <SignedIn />
        </div>
      )}
      <aside className="sticky top-0 hidden h-dvh w-48 shrink-0 flex-col gap-4 border-r border-line bg-surface px-2 py-4 md:flex">
        <Brand />
        <Navigation />
        <div className="mt-auto flex flex-col gap-1 px-2.5 text-xs text-muted">
          {app.data?.isDemoOnly && mayManage && (
            <Link to="/settings" className="underline decoration-dotted hover:text-ink">
              Add an API key for real models
            </Link>
          )}
          <button type="button" className="w-fit hover:text-ink" onClick={() => setShortcutsShown(true)}>
            Shortcuts: press <kbd className="rounded border border-line px-1">?</kbd>
          </button>
          {app.data && <span>Version {app.data.version}</span>}
          <SignedIn />
        </div>
      </aside>
      <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
        {children}
      </main>
      <KeyboardSheet isOpen={areShortcutsShown} onClose={() => setShortcutsShown(false)} />
      <Toast />
    </div>
  )
}

/** Keeps an error in one screen from taking down the whole app, and shows it. */
class ErrorBoundary extends Component<{ children: ReactNode }, { failure?: unknown }> {
  override state: { failure?: unknown } = {}

  static getDerivedStateFromError(failure: unknown) {
    return { failure }
  }

  override render() {
    if (this.state.failure === undefined) return this.props.children
    return (
      <div className="p-6">
        <FailureNotice
          title="Something went wrong on this screen. Your data is safe on the server."
          failure={this.state.failure}
          action={<Button onClick={() => window.location.reload()}>Reload</Button>}
        />
      </div>
    )
  }
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { queryKey }) {
      // The session has ended: the sign-in screen takes over.
      if (isTeamServer && error instanceof ApiFailure && error.status === 401 && queryKey[0] !== SESSION_KEY[0])
        void queries.invalidateQueries({ queryKey: SESSION_KEY })
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // Retry only if the server did not answer, since it may be restarting. A refused request would be refused again.
      retry: (failures, error) => error instanceof ApiFailure && error.status === 0 && failures < 3,
      refetchOnWindowFocus: true,
    },
  },
})

function NotFound() {
  return (
    <Page title="Page not found">
      <EmptyState
        title="There is nothing at this address."
        action={
          <Link to="/results" className={buttonClass('primary')}>
            All results
          </Link>
        }
      />
    </Page>
  )
}

function NotAllowed({ role }: { role: Role }) {
  return (
    <Page title="Not for your role">
      <EmptyState title={`Only ${roleNames[role].toLowerCase()}s can use this screen.`}>
        Ask an admin for that role, or choose another screen from the navigation.
      </EmptyState>
    </Page>
  )
}

function CurrentScreen({ path }: { path: string }) {
  const found = findScreen(path)
  const mayRun = useMay('runner')
  const mayManage = useMay('admin')
  const moved = path === '/' ? (mayRun ? '/arena' : '/results') : moveOldPath(path)
  useEffect(() => {
    if (moved !== undefined) navigate(moved, { replace: true })
  }, [moved])
  if (!found) return moved === undefined && <NotFound />
  const { Component: Screen, needs } = found.screen
  if (needs === 'admin' ? !mayManage : needs === 'runner' && !mayRun) return <NotAllowed role={needs!} />
  return <Screen params={found.params} />
}

export function App() {
  const path = usePath()
  return (
    <QueryClientProvider client={queries}>
      <TeamGate>
        <Shell>
          <ErrorBoundary key={path}>
            <CurrentScreen path={path} />
          </ErrorBoundary>
        </Shell>
      </TeamGate>
    </QueryClientProvider>
  )
}
