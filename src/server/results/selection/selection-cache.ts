import { setLatest, type RunSummary, type Storage } from '../../../contract/index.ts'
import type { ServerContext } from '../../context.ts'
import { loadSelection, type LoadedSelection } from './load-selection.ts'
import { countRunChanges } from './run-changes.ts'
import { loadSummaries } from './run-summaries.ts'
import { resolveSelection } from './resolve-selection.ts'

/** Selections kept in memory. Ten runs of 100,000 cells take about 60 MB. */
const MAX_CACHED = 6

/** How often to check whether another process changed the runs of a selection. */
const CHECK_MS = 1000

/** What another process does to a run may not show in its summary, so a selection is reloaded at this age. */
const MAX_AGE_MS = 30_000

/** A live run changes all the time: it is reloaded after this multiple of the time that loading took. */
const LOAD_TIME_FACTOR = 5

interface CachedSelection {
  fingerprint: string
  changes: string
  /** The storage's change token from before loading. */
  token: string | undefined
  loadedAt: number
  checkedAt: number
  /** How long loading took. */
  loadMs: number
  selection: LoadedSelection
}

/** Returns selections from memory, reloaded when something in them changed. */
export interface SelectionCache {
  get(selection: string): Promise<LoadedSelection>
  /** A run that is in memory or being loaded; never starts loading. */
  peek(runId: string): Promise<LoadedSelection> | undefined
}

/** What is quick to read about the runs of a selection. */
interface SelectionState {
  summaries: RunSummary[]
  fingerprint: string
}

function changingFacts({ id, label, status, completedAt, cells, cost, unknownCosts }: RunSummary): unknown {
  return [id, label, status, completedAt, cells, cost, unknownCosts]
}

async function readState(storage: Storage, ids: readonly string[]): Promise<SelectionState> {
  const [summaries, ratings] = await Promise.all([loadSummaries(storage, ids), storage.ratingsToken(ids)])
  return { summaries, fingerprint: JSON.stringify([summaries.map(changingFacts), ratings]) }
}

function createSelectionCache(context: Pick<ServerContext, 'storage' | 'runs' | 'now'>): SelectionCache {
  const cache = new Map<string, CachedSelection>()
  const loading = new Map<string, Promise<LoadedSelection>>()

  const listChanges = (ids: readonly string[]) => ids.map((id) => countRunChanges(context.storage, id)).join()

  function store(key: string, entry: CachedSelection): void {
    setLatest(cache, key, entry, MAX_CACHED)
  }

  async function load(
    key: string,
    { summaries, fingerprint }: SelectionState,
    before: Pick<CachedSelection, 'changes' | 'token'>,
  ): Promise<LoadedSelection> {
    const startedAt = context.now()
    const selection = await loadSelection(context.storage, summaries)
    store(key, {
      ...before,
      fingerprint,
      selection,
      loadedAt: context.now(),
      checkedAt: context.now(),
      loadMs: context.now() - startedAt,
    })
    return selection
  }

  async function loadIfChanged(
    key: string,
    ids: string[],
    cached: CachedSelection | undefined,
  ): Promise<LoadedSelection> {
    const changes = listChanges(ids)
    const token = await context.storage.changeToken()
    if (cached && token !== undefined && cached.token === token && cached.changes === changes) {
      store(key, { ...cached, checkedAt: context.now() })
      return cached.selection
    }
    const state = await readState(context.storage, ids)
    if (!cached || cached.changes !== changes) return load(key, state, { changes, token })

    const age = context.now() - cached.loadedAt
    const isSame = cached.fingerprint === state.fingerprint
    const isLive = ids.some((id) => context.runs.isLive(id))
    if (!isSame && !(isLive && age < LOAD_TIME_FACTOR * cached.loadMs)) return load(key, state, { changes, token })
    store(key, { ...cached, checkedAt: context.now() })
    // It seems unchanged, so the caller does not wait for a reload to be sure. A failure shows on the next call.
    if (isSame && age >= Math.max(MAX_AGE_MS, LOAD_TIME_FACTOR * cached.loadMs))
      load(key, state, { changes, token }).catch(() => cache.delete(key))
    return cached.selection
  }

  return {
    peek(runId) {
      const cached = cache.get(runId)
      return cached && cached.changes === listChanges([runId]) ? Promise.resolve(cached.selection) : loading.get(runId)
    },
    async get(selection) {
      const ids = await resolveSelection(context.storage, selection)
      const key = ids.join(',')
      const cached = cache.get(key)
      if (cached && cached.changes === listChanges(ids) && context.now() - cached.checkedAt < CHECK_MS)
        return cached.selection
      const pending = loading.get(key)
      if (pending) return pending
      const started = loadIfChanged(key, ids, cached).finally(() => loading.delete(key))
      loading.set(key, started)
      return started
    },
  }
}

const caches = new WeakMap<ServerContext, SelectionCache>()

/** One cache for all routes of a server. */
export function selectionsOf(context: ServerContext): SelectionCache {
  const cache = caches.get(context) ?? createSelectionCache(context)
  caches.set(context, cache)
  return cache
}

/** Smaller runs load at once. */
const CELLS_WORTH_WARMING = 20_000

/** Loads the newest run in advance if it is large, so that its results are ready when requested. */
export async function warmNewest(context: ServerContext): Promise<void> {
  const [newest] = await context.storage.listRuns({ limit: 1 })
  if (!newest || newest.cells.total < CELLS_WORTH_WARMING) return
  await selectionsOf(context).get(newest.seriesId === undefined ? newest.id : `series:${newest.seriesId}`)
}
