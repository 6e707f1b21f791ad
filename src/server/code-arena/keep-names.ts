import type { Context, MiddlewareHandler } from 'hono'
import {
  decodeAddressPart,
  NAMES_SEEN_HEADER,
  readSeenNames,
  type RunDescription,
  type Storage,
} from '../../contract/index.ts'
import { findAddedRuns } from '../../services/index.ts'
import { unnamedModel } from '../../report/words/index.ts'
import { Refusal } from '../http/refusal.ts'
import { findNaming, type Naming } from './naming.ts'

/** Replies to these name pages instead of models by themselves; a label is what people wrote. */
const OWN_NAMING =
  /^\/api\/(?:code-arena\/[^/]+(?:\/(?:turns|votes|forks|forks\/[^/]+|share|artifacts|thumbnail))?|runs\/[^/]+\/(?:events|label))$/

/** No run has a longer id. */
const MOST_LETTERS = 500

/** Whether whoever asks has already been shown the names of a run, or asks for them now. */
export function hasAskedForNames(c: Context, runId: string): boolean {
  return c.req.query('names') === 'shown' || readSeenNames(c.req.header(NAMES_SEEN_HEADER))(runId)
}

/** What the models of a run are called to someone who may still vote; undefined if they are called by their names. */
async function findKeptNaming(
  { id, kind, models }: Pick<RunDescription, 'id' | 'kind' | 'models'>,
  storage: Storage,
): Promise<Naming | undefined> {
  if (kind !== 'page' || models.length < 2) return undefined
  const run = await storage.loadRun(id)
  const naming = run && (await findNaming(run, { areAskedFor: false, storage }))
  return naming?.isHidden ? naming : undefined
}

/** The same in a list. */
export async function findListNaming(
  c: Context,
  run: Pick<RunDescription, 'id' | 'kind' | 'models'>,
  storage: Storage,
): Promise<Naming | undefined> {
  return hasAskedForNames(c, run.id) ? undefined : findKeptNaming(run, storage)
}

/** The models of a run in a list, in an order that tells nothing. */
export const listUnnamed = (models: readonly string[]): string[] =>
  models.map((_model, place) => unnamedModel(place + 1))

/** What may be ids of runs in an address: they are themselves, the runs of their series, and those added to them. */
async function listAddressed(c: Context, storage: Storage): Promise<string[]> {
  const parts = [...c.req.path.split('/').slice(2), ...Object.values(c.req.queries()).flat()]
    .flatMap((part) => decodeAddressPart(part).split(','))
    .filter((part) => part !== '' && part.length <= MOST_LETTERS && !part.includes('\0'))
  const ids = new Set(parts)
  for (const part of parts) {
    for (const id of await storage.runsOfSeries(part.replace(/^series:/, ''))) ids.add(id)
    for (const id of await findAddedRuns(part, storage)) ids.add(id)
  }
  return [...ids]
}

/** Those of the runs whose models are not named yet. */
export async function findKeptRuns(
  ids: readonly string[],
  { isKnown, storage }: { isKnown: (runId: string) => boolean; storage: Storage },
): Promise<string[]> {
  const kept: string[] = []
  for (const run of await storage.describeRuns({ ids }))
    if (!isKnown(run.id) && (await findKeptNaming(run, storage))) kept.push(run.id)
  return kept
}

/** Names of models stay on the server until the vote on their pages: no reading route gives them away before, unless asked. */
export function keepNames(storage: Storage): MiddlewareHandler {
  return async (c, next) => {
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    const isKnown = (runId: string) => hasAskedForNames(c, runId)
    const kept =
      isRead && !OWN_NAMING.test(c.req.path)
        ? await findKeptRuns(await listAddressed(c, storage), { isKnown, storage })
        : []
    if (kept.length > 0)
      throw new Refusal(
        403,
        'names-kept',
        'This names the models of pages that can still be voted on. Vote first, or show the names.',
        kept.map((id) => ({ path: ['runs', id], message: 'Its models are named after the vote.' })),
      )
    await next()
  }
}
