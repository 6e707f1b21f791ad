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
      // Retry only if the server did not answer, since it may be restarting. A refused request would be refused again.
      retry: (failures, error) => error instanceof ApiFailure && error.status === 0 && failures < 3,
      refetchOnWindowFocus: true,
    },
  },
})

function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState title="There is no screen at this address.">Choose one from the navigation.</EmptyState>
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
          {found ? <found.screen.Component params={found.params} /> : path !== '/' && <NotFound />}
        </ErrorBoundary>
      </Shell>
    </QueryClientProvider>
  )
}
