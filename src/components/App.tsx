import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiFailure } from './api-request.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { navigate, usePath } from './router.tsx'
import { findScreen } from './screens.tsx'
import { Shell } from './Shell.tsx'
import { EmptyState } from './ui/Notice.tsx'
import { Page } from './ui/Page.tsx'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // What the server refused it will refuse again; a server that restarts is worth another try.
      retry: (failures, error) => error instanceof ApiFailure && error.status === 0 && failures < 3,
      refetchOnWindowFocus: true,
    },
  },
})

function NothingHere() {
  return (
    <Page title="Nothing here">
      <EmptyState title="There is no screen at this address.">Choose one on the left.</EmptyState>
    </Page>
  )
}

export function App() {
  const path = usePath()
  useEffect(() => {
    if (path === '/') navigate('/arena', { replace: true })
  }, [path])
  const found = findScreen(path)
  return (
    <QueryClientProvider client={queries}>
      <Shell>
        <ErrorBoundary key={path}>
          {found ? <found.screen.Component params={found.params} /> : path !== '/' && <NothingHere />}
        </ErrorBoundary>
      </Shell>
    </QueryClientProvider>
  )
}
