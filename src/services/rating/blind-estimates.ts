import { answerName, type RatingQueue, type RunResult, type Storage } from '../../contract/index.ts'
import type { QueueRatings } from './rate-items.ts'
import {
  createRandom,
  estimatePeopleRatings,
  type PeopleEstimate,
  type RaterAgreement,
} from '../../statistics/index.ts'

/** What the ratings say so far, with letters for models: whoever rates must not learn which model is which. */
export interface BlindEstimates {
  models: PeopleEstimate[]
  agreement?: RaterAgreement
}

/** Loaded again after this time, or this multiple of the time that loading took. */
const MAX_AGE_MS = 2000
const LOAD_TIME_FACTOR = 50
const MAX_CACHED = 2

interface LoadedRuns {
  runs: RunResult[]
  loadedAt: number
  loadMs: number
}

/** `A`, `B` … `Z`, `AA` … in an order drawn for the queue. */
function letterModels({ seed, strata }: RatingQueue): Map<string, string> {
  const random = createRandom(`${seed} letters`)
  const order = strata.map(({ modelId }) => ({ modelId, at: random() })).sort((a, b) => a.at - b.at)
  const letter = (index: number): string =>
    (index < 26 ? '' : letter(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))
  return new Map(order.map(({ modelId }, index) => [modelId, `Model ${letter(index)}`]))
}

/** Scores change rarely and are many; ratings change all the time and are few. */
export function createBlindEstimates({ storage, now }: { storage: Storage; now: () => number }) {
  const cache = new Map<string, LoadedRuns>()

  const loadRuns = async ({ id, runIds }: RatingQueue): Promise<RunResult[]> => {
    const cached = cache.get(id)
    if (cached && now() - cached.loadedAt < Math.max(MAX_AGE_MS, LOAD_TIME_FACTOR * cached.loadMs)) return cached.runs
    const startedAt = now()
    const loaded = await Promise.all(runIds.map((runId) => storage.loadRun(runId, { texts: false })))
    const runs = loaded.filter((run) => run !== undefined)
    cache.delete(id)
    cache.set(id, { runs, loadedAt: now(), loadMs: now() - startedAt })
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!)
    return runs
  }

  return async (queue: RatingQueue, ratings: QueueRatings): Promise<BlindEstimates> => {
    const given = new Map(queue.items.map((item) => [answerName(item), ratings.get(item.position) ?? []]))
    const runs = (await loadRuns(queue)).map((run): RunResult => ({
      ...run,
      ratingQueues: [queue],
      results: run.results.map(({ rating: _rating, ratings: _ratings, ...result }) => {
        const own = given.get(answerName({ ...result, runId: run.id })) ?? []
        return own.length > 0 ? { ...result, ratings: own } : result
      }),
    }))
    const people = estimatePeopleRatings(runs)
    const letters = letterModels(queue)
    const models = people?.models.map((model) => ({ ...model, modelId: letters.get(model.modelId) ?? 'Model' })) ?? []
    return {
      models: models.sort((a, b) => (a.modelId < b.modelId ? -1 : 1)),
      ...(people?.agreement && { agreement: people.agreement }),
    }
  }
}
