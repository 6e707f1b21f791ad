import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, type ComponentType } from 'react'
import { ApiFailure } from './api-request.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { later } from './later.tsx'
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

type Screen = ComponentType<ScreenProps>

const loading = (
  <div className="p-6">
    <Loading label="Loading the screen …" />
  </div>
)

const screen = (load: () => Promise<Screen>): Screen => later(load, loading)

const screens: [pattern: string, screen: Screen][] = [
  ['/suites', screen(async () => (await import('./suites/list/SuiteList.tsx')).SuiteList)],
  ['/suites/:id', screen(async () => (await import('./suites/SuiteEditor.tsx')).SuiteEditor)],
  ['/suites/:id/history', screen(async () => (await import('./suites/history/SuiteHistory.tsx')).SuiteHistory)],
  ['/arena', screen(async () => (await import('./arena/Arena.tsx')).Arena)],
  ['/arena/run/:runId', screen(async () => (await import('./arena/live/LiveRun.tsx')).LiveRun)],
  ['/code-arena', screen(async () => (await import('./code-arena/CodeArena.tsx')).CodeArena)],
  ['/code-arena/:runId', screen(async () => (await import('./code-arena/CodeArenaRun.tsx')).CodeArenaRun)],
  ['/results', screen(async () => (await import('./results/runs/RunList.tsx')).RunList)],
  ['/results/:selection', screen(async () => (await import('./results/Results.tsx')).Results)],
  ['/results/:selection/case', screen(async () => (await import('./results/case/CaseView.tsx')).CaseView)],
  ['/compare', screen(async () => (await import('./results/compare/CompareRuns.tsx')).CompareRuns)],
  ['/tool-calls', screen(async () => (await import('./tool-calls/ToolCallFiles.tsx')).ToolCallFiles)],
  ['/tool-calls/:id', screen(async () => (await import('./tool-calls/ToolCallFile.tsx')).ToolCallFileScreen)],
  ['/judges', screen(async () => (await import('./judges/Judges.tsx')).Judges)],
  ['/judges/:id', screen(async () => (await import('./judges/CalibrationView.tsx')).CalibrationView)],
  ['/settings', screen(async () => (await import('./settings/Settings.tsx')).Settings)],
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
          {found ? <found.Screen params={found.params} /> : path !== '/' && <NothingHere />}
        </ErrorBoundary>
      </Shell>
    </QueryClientProvider>
  )
}
