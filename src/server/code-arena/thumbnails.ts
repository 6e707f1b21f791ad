import { createHash } from 'node:crypto'
import { setLatest, type CellKey, type RunResult, type Storage } from '../../contract/index.ts'
import { listUnnamed } from './keep-names.ts'
import type { Naming } from './naming.ts'
import { ARENA_CASE_ID, makeThumbnail } from '../../services/index.ts'

/** Small pictures in memory, about 20 KB each; beyond this many, the least recently used are dropped. */
const MAX_KEPT = 500

/** The widest screenshot as the page loads: what most people would see. */
const SOURCES = ['1440.png', '768.png', '375.png']

function thumbnailUrl({ id }: Pick<RunResult, 'id'>, modelId: string): string {
  return `/api/code-arena/${encodeURIComponent(id)}/thumbnail?${new URLSearchParams({ model: modelId })}`
}

async function findSource(storage: Storage, cell: CellKey): Promise<string | undefined> {
  const names = new Set((await storage.listArtifacts(cell)).map(({ name }) => name))
  return SOURCES.find((name) => names.has(name))
}

/** The addresses of the pictures of a run's pages, by model; pages without a screenshot have none. */
export async function listThumbnails(
  run: Pick<RunResult, 'id' | 'models'>,
  storage: Storage,
  naming?: Naming,
): Promise<Record<string, string>> {
  const found: [string, string][] = []
  const shown = naming && listUnnamed(run.models)
  for (const [index, place] of (naming?.order ?? [...run.models.keys()]).entries()) {
    const modelId = run.models[place]!
    const source = await findSource(storage, { runId: run.id, testCaseId: ARENA_CASE_ID, modelId })
    if (source !== undefined)
      found.push([shown?.[index] ?? modelId, thumbnailUrl(run, naming?.toShown(modelId) ?? modelId)])
  }
  return Object.fromEntries(found)
}

export interface Thumbnail {
  png: Uint8Array<ArrayBuffer>
  /** Changes with the screenshot. */
  etag: string
}

const kept = new Map<string, Thumbnail>()

function keep(digest: string, thumbnail: Thumbnail): Thumbnail {
  setLatest(kept, digest, thumbnail, MAX_KEPT)
  return thumbnail
}

/** Undefined if there is no screenshot. */
export async function loadThumbnail(storage: Storage, cell: CellKey): Promise<Thumbnail | undefined> {
  const source = await findSource(storage, cell)
  const picture = source === undefined ? undefined : await storage.loadArtifact(cell, source)
  if (!picture) return undefined
  const digest = createHash('sha256').update(picture.content).digest('hex').slice(0, 32)
  const known = kept.get(digest)
  if (known) return keep(digest, known)
  const png = makeThumbnail(picture.content)
  return png && keep(digest, { png: new Uint8Array(png), etag: `"${digest}"` })
}
