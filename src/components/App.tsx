import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, type ComponentType, type LazyExoticComponent } from 'react'
import { ApiFailure } from './api-client.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { matchPath, navigate, usePath } from './router.tsx'
import { Shell } from './Shell.tsx'
import { EmptyState, Loading } from './ui/Notice.tsx'
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

/** What a screen gets: the parts of its address. */
export interface ScreenProps {
  params: Record<string, string>
}

type Screen = LazyExoticComponent<ComponentType<ScreenProps>>

const screens: [pattern: string, screen: Screen][] = [
  ['/suites', lazy(async () => ({ default: (await import('./suites/SuiteList.tsx')).SuiteList }))],
  ['/suites/:id', lazy(async () => ({ default: (await import('./suites/SuiteEditor.tsx')).SuiteEditor }))],
  ['/suites/:id/history', lazy(async () => ({ default: (await import('./suites/SuiteHistory.tsx')).SuiteHistory }))],
  ['/arena', lazy(async () => ({ default: (await import('./arena/Arena.tsx')).Arena }))],
  ['/arena/run/:runId', lazy(async () => ({ default: (await import('./arena/LiveRun.tsx')).LiveRun }))],
  ['/code-arena', lazy(async () => ({ default: (await import('./code-arena/CodeArena.tsx')).CodeArena }))],
  ['/code-arena/:runId', lazy(async () => ({ default: (await import('./code-arena/CodeArenaRun.tsx')).CodeArenaRun }))],
  ['/results', lazy(async () => ({ default: (await import('./results/RunList.tsx')).RunList }))],
  ['/results/:selection', lazy(async () => ({ default: (await import('./results/Results.tsx')).Results }))],
  ['/results/:selection/case', lazy(async () => ({ default: (await import('./results/CaseView.tsx')).CaseView }))],
  ['/compare', lazy(async () => ({ default: (await import('./results/CompareRuns.tsx')).CompareRuns }))],
  ['/tool-calls', lazy(async () => ({ default: (await import('./tool-calls/ToolCallFiles.tsx')).ToolCallFiles }))],
  ['/tool-calls/:id', lazy(async () => ({ default: (await import('./tool-calls/ToolCallFile.tsx')).ToolCallFileScreen }))],
  ['/judges', lazy(async () => ({ default: (await import('./judges/Judges.tsx')).Judges }))],
  ['/judges/:id', lazy(async () => ({ default: (await import('./judges/CalibrationView.tsx')).CalibrationView }))],
  ['/settings', lazy(async () => ({ default: (await import('./settings/Settings.tsx')).Settings }))],
]

function findScreen(path: string): { Screen: Screen; params: Record<string, string> } | undefined {
  for (const [pattern, Screen] of screens) {
    const params = matchPath(pattern, path)
    if (params) return { Screen, params }
  }
  return undefined
}

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
          <Suspense
            fallback={
              <div className="p-6">
                <Loading label="Loading the screen …" />
              </div>
            }
          >
            {found ? <found.Screen params={found.params} /> : path !== '/' && <NothingHere />}
          </Suspense>
        </ErrorBoundary>
      </Shell>
    </QueryClientProvider>
  )
}
