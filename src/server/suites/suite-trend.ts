import { setLatest } from '../../contract/index.ts'
import { loadTrend, type LoadedTrend, type TrendCache } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { countRunChanges } from '../results/selection/run-changes.ts'
import { loadRunnableSuite, loadSuiteDocument, readSuiteContent } from './suite-documents.ts'
import { nameOfSuite } from './suite-summaries.ts'

/** GET /api/suites/:id/trend */
export interface SuiteTrend extends LoadedTrend {
  name: string
}

/** Suites kept in memory: users look at a few. */
const MAX_SUITES = 8

export interface TrendReader {
  read(suiteId: string): Promise<SuiteTrend>
}

export function createTrendReader(context: ServerContext): TrendReader {
  const { storage } = context
  const caches = new Map<string, TrendCache>()

  function cacheOf(suiteId: string): TrendCache {
    const cache: TrendCache = caches.get(suiteId) ?? new Map()
    setLatest(caches, suiteId, cache, MAX_SUITES)
    return cache
  }

  return {
    async read(id) {
      const name = nameOfSuite(readSuiteContent(await loadSuiteDocument(storage, id)))
      // A suite that cannot run any more still has its earlier runs.
      const runnable = await loadRunnableSuite(storage, id).catch(() => undefined)
      const trend = await loadTrend(
        {
          suite: { id, name },
          caseIds: runnable?.suite.testCases.map((testCase) => testCase.id),
          cache: cacheOf(id),
          changesOf: (runId) => countRunChanges(storage, runId),
        },
        { storage, now: context.now() },
      )
      return { name, ...trend }
    },
  }
}
