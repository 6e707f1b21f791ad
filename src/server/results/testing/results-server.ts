import type { ResultsView } from '../results-view.ts'
import type { CasePage } from '../cases/case-page.ts'
import type { CaseDetail } from '../cases/case-detail.ts'
import type { RunResult, ApiError } from '../../../contract/index.ts'
import { caseRoutes } from '../cases/case-routes.ts'
import { compareRoutes } from '../compare/compare-routes.ts'
import { overviewRoutes } from '../overview/overview-routes.ts'
import { resultsRoutes } from '../routes.ts'
import { makeSuite, startRouteServer } from '../../testing/route-server.ts'

export const demoModels = ['demo/good', 'demo/fair', 'demo/poor']

/** The results routes with one run and one series of three, each with 24 cases and the three simulated models. */
export async function startResultsServer() {
  const server = await startRouteServer([resultsRoutes, caseRoutes, overviewRoutes, compareRoutes])
  const [single = ''] = await server.run({ suite: makeSuite(24), models: demoModels })
  const series = await server.run({ suite: makeSuite(24), models: demoModels }, { repeat: 3 })
  const seriesId = (await server.storage.loadRun(series[0]!))!.seriesId!
  const get = async <Reply>(path: string): Promise<Reply> => JSON.parse(JSON.stringify(await server.get(path)))
  return {
    ...server,
    single,
    series,
    seriesId,
    json: get,
    view: (selection: string) => get<ResultsView>(`/results/${selection}`),
    page: (selection: string, query = '') => get<CasePage>(`/results/${selection}/cases?${query}`),
    detail: (selection: string, id: string) =>
      get<CaseDetail>(`/results/${selection}/case?id=${encodeURIComponent(id)}`),
    async refusal(path: string): Promise<{ status: number; error: ApiError['error'] }> {
      const reply = await server.request(path)
      const { error }: ApiError = JSON.parse(await reply.text())
      return { status: reply.status, error }
    },
    loadRuns: (ids: readonly string[]): Promise<RunResult[]> =>
      Promise.all(ids.map(async (id) => (await server.storage.loadRun(id))!)),
  }
}

export type ResultsServer = Awaited<ReturnType<typeof startResultsServer>>
