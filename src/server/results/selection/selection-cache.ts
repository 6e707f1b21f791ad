import type { RunSummary } from '../../../contract/index.ts'
import type { ServerContext } from '../../context.ts'
import { loadSelection, type LoadedSelection } from './load-selection.ts'
import { countRunChanges } from './run-changes.ts'
import { loadSummaries } from './run-summaries.ts'
import { resolveSelection } from './resolve-selection.ts'

/** Selections in memory. Ten runs of 100,000 cells take about 60 MB. */
const MOST_KEPT = 6

/** How often it is looked whether the runs of a selection changed, when this server did not change them. */
const LOOK_MS = 1000

/** What another program does to a run may not show in its summary: so old may it get. */
const OLDEST_MS = 30_000

/** A run that goes on changes all the time: reading it anew gets at most this share of the time. */
const SHARE_OF_TIME = 5

interface Kept {
  fingerprint: string
  changes: string
  /** Of the storage, before reading began. */
  token: string | undefined
  loadedAt: number
  lookedAt: number
  /** How long reading took. */
  loadMs: number
  selection: LoadedSelection
}

/** Gives selections, read anew when something in them changed. */
export interface SelectionCache {
  get(selection: string): Promise<LoadedSelection>
  /** A run that is in memory, or will be in a moment; nothing is read for it. */
  peek(runId: string): Promise<LoadedSelection> | undefined
}

function describeState({ id, status, completedAt, cells, cost, unknownCosts }: RunSummary): unknown {
  return [id, status, completedAt, cells, cost, unknownCosts]
}

function fingerprintOf(summaries: RunSummary[]): string {
  return JSON.stringify(summaries.map(describeState))
}

function createSelectionCache(context: Pick<ServerContext, 'storage' | 'runs' | 'now'>): SelectionCache {
  const kept = new Map<string, Kept>()
  const reading = new Map<string, Promise<LoadedSelection>>()

  const listChanges = (ids: readonly string[]) => ids.map((id) => countRunChanges(context.storage, id)).join()

  function keep(key: string, entry: Kept): void {
    kept.delete(key)
    kept.set(key, entry)
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break
      kept.delete(oldest)
    }
  }

  async function load(
    key: string,
    summaries: RunSummary[],
    before: Pick<Kept, 'changes' | 'token'>,
  ): Promise<LoadedSelection> {
    const startedAt = context.now()
    const selection = await loadSelection(context.storage, summaries)
    keep(key, {
      ...before,
      fingerprint: fingerprintOf(summaries),
      selection,
      loadedAt: context.now(),
      lookedAt: context.now(),
      loadMs: context.now() - startedAt,
    })
    return selection
  }

  async function read(key: string, ids: string[], known: Kept | undefined): Promise<LoadedSelection> {
    const changes = listChanges(ids)
    const token = await context.storage.changeToken()
    if (known && token !== undefined && known.token === token && known.changes === changes) {
      keep(key, { ...known, lookedAt: context.now() })
      return known.selection
    }
    const summaries = await loadSummaries(context.storage, ids)
    if (!known || known.changes !== changes) return load(key, summaries, { changes, token })

    const age = context.now() - known.loadedAt
    const isSame = known.fingerprint === fingerprintOf(summaries)
    const isLive = ids.some((id) => context.runs.isLive(id))
    if (!isSame && !(isLive && age < SHARE_OF_TIME * known.loadMs)) return load(key, summaries, { changes, token })
    keep(key, { ...known, lookedAt: context.now() })
    // As far as can be told it is as it was: nobody waits while it is read anew to be sure. What fails now is told to who asks next.
    if (isSame && age >= Math.max(OLDEST_MS, SHARE_OF_TIME * known.loadMs))
      load(key, summaries, { changes, token }).catch(() => kept.delete(key))
    return known.selection
  }

  return {
    peek(runId) {
      const known = kept.get(runId)
      return known && known.changes === listChanges([runId]) ? Promise.resolve(known.selection) : reading.get(runId)
    },
    async get(selection) {
      const ids = await resolveSelection(context.storage, selection)
      const key = ids.join(',')
      const known = kept.get(key)
      if (known && known.changes === listChanges(ids) && context.now() - known.lookedAt < LOOK_MS)
        return known.selection
      const underWay = reading.get(key)
      if (underWay) return underWay
      const started = read(key, ids, known).finally(() => reading.delete(key))
      reading.set(key, started)
      return started
    },
  }
}

const stores = new WeakMap<ServerContext, SelectionCache>()

/** One for all routes of a server. */
export function selectionsOf(context: ServerContext): SelectionCache {
  const store = stores.get(context) ?? createSelectionCache(context)
  stores.set(context, store)
  return store
}

/** Fewer are read in no time. */
const CELLS_WORTH_WARMING = 20_000

/** Reads the newest run ahead where that takes a while, so that its results are there when they are asked for. */
export async function warmNewest(context: ServerContext): Promise<void> {
  const [newest] = await context.storage.listRuns({ limit: 1 })
  if (!newest || newest.cells.total < CELLS_WORTH_WARMING) return
  await selectionsOf(context).get(newest.seriesId === undefined ? newest.id : `series:${newest.seriesId}`)
}
