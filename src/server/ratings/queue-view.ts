import type { RatingItem, RatingQueue, RatingScale, Storage } from '../../contract/index.ts'
import {
  countProgress,
  findNext,
  openItem,
  type BlindEstimates,
  type BlindItem,
  type QueueProgress,
  type QueueRatings,
} from '../../services/index.ts'
import { makePrintable } from '../../scoring/tool-calls/index.ts'
import { cutText, fitText, fitTexts } from '../results/fit-texts.ts'

/** GET /api/ratings/:id?rater= : nothing in it tells which model gave the item's answer or how it was scored. */
export interface QueueView {
  id: string
  scale: RatingScale
  /** The results that the answers belong to. */
  selection: string
  /** How the answers were drawn. */
  draw: {
    drawnAt: number
    seed: string
    models: number
    items: number
    cases: number
    shared?: number
    isComplete: boolean
  }
  /** The name as it is stored; absent until a rater is named. */
  rater?: string
  progress?: QueueProgress
  /** The next answer to rate; absent if there is none left. */
  item?: BlindItem & { responseLength: number }
  estimates: BlindEstimates
}

const MAX_RESPONSE_LENGTH = 100_000
const ROOM_FOR_TEXTS = 75_000
const ROOM_FOR_CALLS = 40_000

/** The selection of a queue's runs in the address of their results. */
export async function selectionOf(storage: Storage, { runIds }: RatingQueue): Promise<string> {
  const [first] = await storage.describeRuns({ ids: runIds.slice(0, 1) })
  const { seriesId } = first ?? {}
  if (seriesId === undefined || runIds.length === 1) return runIds.join(',')
  const series = await storage.runsOfSeries(seriesId)
  return runIds.every((id) => series.includes(id)) ? `series:${seriesId}` : runIds.join(',')
}

/** The item, cut to fit into a reply. */
async function loadItem(
  storage: Storage,
  item: RatingItem,
  own: BlindItem['own'],
): Promise<QueueView['item'] | undefined> {
  const blind = await openItem(storage, item, own)
  if (!blind) return undefined
  const { prompt, messages, expectedOutput, response, toolCalls } = blind
  const shownMessages = messages && fitTexts(messages, ROOM_FOR_TEXTS)
  const calls = toolCalls?.map(({ name, arguments: given }) => ({ name, arguments: makePrintable(given) }))
  const shownCalls = calls && (fitTexts(calls, ROOM_FOR_CALLS) ?? [])
  return {
    position: blind.position,
    prompt: fitText(prompt, ROOM_FOR_TEXTS),
    ...(shownMessages && { messages: shownMessages }),
    ...(expectedOutput !== undefined && { expectedOutput: fitText(expectedOutput, ROOM_FOR_TEXTS) }),
    response: cutText(response, MAX_RESPONSE_LENGTH),
    responseLength: response.length,
    ...(shownCalls && { toolCalls: shownCalls }),
    ...(blind.own && { own: blind.own }),
  }
}

/** `item`: to show this one instead of the next. */
export async function createQueueView(
  queue: RatingQueue,
  {
    storage,
    rater,
    ratings,
    estimates,
    item,
  }: {
    storage: Storage
    rater: string | undefined
    ratings: QueueRatings
    estimates: BlindEstimates
    item?: { item: RatingItem; own?: BlindItem['own'] } | undefined
  },
): Promise<QueueView> {
  const { id, scale, drawnAt, seed, strata, items, shared } = queue
  const next = rater === undefined ? undefined : (item?.item ?? findNext(queue, rater, ratings))
  const shown = next && (await loadItem(storage, next, item?.own))
  return {
    id,
    scale,
    selection: await selectionOf(storage, queue),
    draw: {
      drawnAt,
      seed,
      models: strata.length,
      items: items.length,
      cases: strata.reduce((sum, { cases }) => sum + cases, 0),
      ...(shared !== undefined && { shared }),
      isComplete: strata.every(({ cases, drawn }) => drawn >= cases),
    },
    ...(rater !== undefined && { rater, progress: countProgress(queue, rater, ratings) }),
    ...(shown && { item: shown }),
    estimates,
  }
}
