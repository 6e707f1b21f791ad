import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Component, type ReactNode, useEffect } from 'react'
import { isTeamServer, SESSION_KEY, useMay } from './access/session.ts'
import { TeamGate } from './access/TeamGate.tsx'
import { ApiFailure } from './api-request.ts'
import { roleNames } from './access/role-words.ts'
import type { Role } from '../contract/index.ts'
import { Link, navigate, usePath } from './router.tsx'
import { findScreen } from './screens.tsx'
import { Shell } from './Shell.tsx'
import { Button, buttonClass } from './ui/Button.tsx'
import { EmptyState, FailureNotice } from './ui/Notice.tsx'
import { Page } from './ui/Page.tsx'

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
  useEffect(() => {
    if (path === '/') navigate(mayRun ? '/arena' : '/results', { replace: true })
  }, [path, mayRun])
  if (!found) return path !== '/' && <NotFound />
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
