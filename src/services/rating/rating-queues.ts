import {
  InputError,
  readCluster,
  ratingQueueSchema,
  VersionConflict,
  type CellResult,
  type RatingItem,
  type RatingQueue,
  type RatingScale,
  type RunResult,
  type Storage,
} from '../../contract/index.ts'
import { drawItems, drawSameCases, type Population } from './draw-items.ts'

export interface NewQueue {
  runIds: string[]
  scale?: RatingScale | undefined
  /** Cases to draw of each model. */
  perModel?: number | undefined
  /** How many of the first answers everyone rates; default: all. */
  shared?: number | undefined
  /** Draws the same cases for all models, so that their differences can be corrected too. */
  sameCases?: boolean | undefined
  /** Default: drawn at random. */
  seed?: string | undefined
}

export interface QueueTools {
  storage: Storage
  now: number
  createId: () => string
}

/** With so many ratings of a model, PPI++ applies and halves the interval of a judge that agrees well. */
export const DEFAULT_PER_MODEL = 50

/** A person could judge it. */
function isRateable({ outcome, response, error, score, unscored, latencyMs }: CellResult): boolean {
  if (outcome === 'cancelled' || error !== undefined) return false
  return (response ?? score ?? unscored ?? latencyMs) !== undefined
}

/** The answers with a score; of a model without any score, all answers. */
function collectPopulation(runs: readonly RunResult[]): Population {
  const population: Population = new Map()
  const cells = runs.flatMap(({ id: runId, results }) =>
    results.filter(isRateable).map((result) => ({ runId, result })),
  )
  for (const [modelId, own] of Map.groupBy(cells, ({ result }) => result.modelId)) {
    const scored = own.filter(({ result }) => result.score)
    const cases = Map.groupBy(scored.length > 0 ? scored : own, ({ result }) => result.testCaseId)
    population.set(
      modelId,
      new Map(
        Array.from(cases, ([testCaseId, repeats]) => [
          testCaseId,
          repeats.map(({ runId }) => ({ runId, testCaseId, modelId })),
        ]),
      ),
    )
  }
  return population
}

async function loadNumbers(
  storage: Storage,
  runIds: readonly string[],
  { suite }: { suite: boolean },
): Promise<RunResult[]> {
  const runs = await Promise.all(runIds.map((id) => storage.loadRun(id, { texts: false, suite })))
  const missing = runIds.filter((_, index) => !runs[index])
  if (missing.length > 0) throw new InputError(`there is no run ${missing.join(', ')}`)
  return runs.filter((run) => run !== undefined)
}

/** Cases without a cluster are their own; its name cannot be one of theirs. */
function readClusters(runs: readonly RunResult[]): (testCaseId: string) => string {
  const clusters = new Map(
    runs.flatMap(({ testSuiteSnapshot: suite }) =>
      (suite?.testCases ?? []).flatMap((testCase) => {
        const cluster = readCluster(testCase, suite?.clusterBy)
        return cluster === undefined ? [] : [[testCase.id, cluster] as const]
      }),
    ),
  )
  return (testCaseId) => {
    const cluster = clusters.get(testCaseId)
    return cluster === undefined ? `case ${testCaseId}` : `cluster ${cluster}`
  }
}

/** Draws from the answers of the runs: from each model's own cases, or from those that all have. */
async function draw(
  storage: Storage,
  {
    runIds,
    sameCases = false,
    ...options
  }: { runIds: readonly string[]; sameCases?: boolean | undefined } & {
    perModel: number
    seed: string
    earlier?: readonly RatingItem[]
  },
): Promise<Pick<RatingQueue, 'strata' | 'items'>> {
  const runs = await loadNumbers(storage, runIds, { suite: sameCases })
  const population = collectPopulation(runs)
  if (population.size === 0) throw new InputError('there is no answer to rate yet')
  if (!sameCases) return drawItems(population, options)
  if (population.size === 1)
    throw new InputError(
      `only ${[...population.keys()][0]} has answers: drawing the same cases needs answers of at least two models`,
    )
  const drawn = drawSameCases(population, { ...options, clusterOf: readClusters(runs) })
  if (drawn.items.length === 0)
    throw new InputError('no case has an answer by every model: sample answers of each model by itself')
  return drawn
}

const save = (storage: Storage, queue: RatingQueue, options?: { after: number }) =>
  storage.saveDocument({ kind: 'rating-queue', id: queue.id, content: queue }, options)

/** Draws answers of the runs for people to rate, and stores how they were drawn. */
export async function createQueue(
  { runIds, scale = 'points', perModel = DEFAULT_PER_MODEL, shared, sameCases, seed }: NewQueue,
  { storage, now, createId }: QueueTools,
): Promise<RatingQueue> {
  const id = createId()
  const usedSeed = seed ?? id
  const queue: RatingQueue = {
    id,
    runIds,
    scale,
    seed: usedSeed,
    drawnAt: now,
    ...(shared !== undefined && { shared }),
    ...(sameCases && { sameCases }),
    ...(await draw(storage, { runIds, sameCases, perModel, seed: usedSeed })),
  }
  await save(storage, queue, { after: 0 })
  return queue
}

/** Draws more cases of each model, from those that have not been drawn. */
export async function extendQueue(
  queue: RatingQueue,
  perModel: number,
  { storage }: Pick<QueueTools, 'storage'>,
): Promise<RatingQueue> {
  const stored = await storage.loadDocument('rating-queue', queue.id)
  const current = ratingQueueSchema.parse(stored?.content ?? queue)
  const { runIds, sameCases, seed, items: earlier } = current
  const extended = { ...current, ...(await draw(storage, { runIds, sameCases, perModel, seed, earlier })) }
  if (extended.items.length === current.items.length)
    throw new InputError('every case is in the queue already: there is nothing more to draw')
  try {
    await save(storage, extended, { after: stored?.version ?? 0 })
  } catch (error) {
    if (!(error instanceof VersionConflict)) throw error
    throw new InputError('someone else has just drawn more answers for this queue: load it again', { cause: error })
  }
  return extended
}

export async function loadQueue(storage: Storage, id: string): Promise<RatingQueue | undefined> {
  const document = await storage.loadDocument('rating-queue', id)
  return ratingQueueSchema.safeParse(document?.content).data
}

/** All queues, newest first. */
export async function listQueues(storage: Storage): Promise<RatingQueue[]> {
  const documents = await storage.listDocuments('rating-queue')
  return documents
    .flatMap(({ content }) => ratingQueueSchema.safeParse(content).data ?? [])
    .sort((a, b) => b.drawnAt - a.drawnAt)
}

/** The queues that drew from any of these runs, newest first. */
export async function findQueues(storage: Storage, runIds: readonly string[]): Promise<RatingQueue[]> {
  const queues = await listQueues(storage)
  return queues.filter((queue) => queue.runIds.some((id) => runIds.includes(id)))
}

/** The id under which the run's answers were rated, if it is a rescored copy of another. */
const originOf = ({ id, versions }: Pick<RunResult, 'id' | 'versions'>) => [id, versions?.['answersOf']]

type RunWithQueues = Pick<RunResult, 'id' | 'versions' | 'ratingQueues'>

/** Adds to each run how its answers were drawn, for reports and exports. */
export async function attachQueues<Run extends RunWithQueues>(storage: Storage, runs: readonly Run[]): Promise<Run[]> {
  const queues = await listQueues(storage)
  return runs.map((run) => {
    const ids = originOf(run)
    const own = queues
      .filter(({ runIds }) => runIds.some((id) => ids.includes(id)))
      .map((queue) => ({ ...queue, items: queue.items.filter(({ runId }) => ids.includes(runId)) }))
    return own.length > 0 ? { ...run, ratingQueues: own } : run
  })
}

/** Stores the queues that came with an imported run: the items of each of its runs come with that run. */
export async function importQueues(storage: Storage, { ratingQueues = [] }: RunResult): Promise<void> {
  for (const queue of ratingQueues) {
    const known = (await loadQueue(storage, queue.id)) ?? { ...queue, items: [] }
    const positions = new Set(known.items.map(({ position }) => position))
    const items = [...known.items, ...queue.items.filter(({ position }) => !positions.has(position))]
    await save(storage, { ...known, items: items.sort((a, b) => a.position - b.position) })
  }
}

/** After deleting runs: queues without any run left. */
export async function deleteEmptyQueues(storage: Storage, deletedRunId: string): Promise<void> {
  for (const { id, runIds } of await findQueues(storage, [deletedRunId])) {
    const left = await storage.describeRuns({ ids: runIds })
    if (left.length === 0) await storage.deleteDocument('rating-queue', id)
  }
}
