import {
  answerName,
  foldText,
  InputError,
  raterSchema,
  type HumanRating,
  type Message,
  type RatingItem,
  type RatingQueue,
  type Storage,
  type StoredRating,
  type ToolCall,
} from '../../contract/index.ts'
import { writeExpected, writeQuestion, findVariant, questionOf } from '../../scoring/index.ts'

/** An answer to rate, without anything that tells which model gave it or how it was scored. */
export interface BlindItem {
  /** From 1, in the queue. */
  position: number
  /** As text, with the role of each speaker in a conversation. */
  prompt: string
  messages?: Message[]
  expectedOutput?: string
  response: string
  toolCalls?: ToolCall[]
  /** What the same person said about it before. */
  own?: HumanRating
}

export interface QueueProgress {
  /** Items that this person rates: all, or with split work those that nobody else has rated. */
  total: number
  rated: number
  skipped: number
  /** Everyone who has rated, and how many answers. */
  raters: { rater: string; rated: number }[]
}

/** What everyone said about the items of a queue. */
export type QueueRatings = Map<number, StoredRating[]>

/** Ratings under another queue count too: the same person does not rate an answer twice. */
export async function loadQueueRatings(storage: Storage, queue: RatingQueue): Promise<QueueRatings> {
  const positions = new Map(queue.items.map((item) => [answerName(item), item.position]))
  const ratings: QueueRatings = new Map()
  for (const runId of queue.runIds) {
    const stored = await storage.listRatings(runId).catch((error: unknown) => {
      // A deleted run takes its ratings along.
      if (error instanceof InputError) return []
      throw error
    })
    for (const rating of stored) {
      const position = rating.queueId === undefined ? undefined : positions.get(answerName({ runId, ...rating }))
      if (position !== undefined) ratings.set(position, [...(ratings.get(position) ?? []), rating])
    }
  }
  return ratings
}

/** The name as this queue already has it, whatever its case. */
export function readRater(name: string, ratings: QueueRatings): string {
  const parsed = raterSchema.safeParse(name)
  if (!parsed.success) throw new InputError(`the name of the rater ${parsed.error.issues[0]!.message}`)
  const known = [...ratings.values()].flat().find(({ rater }) => foldText(rater) === foldText(parsed.data))
  return known?.rater ?? parsed.data
}

/** The items that a person is to rate, in order. */
function itemsFor({ items, shared }: RatingQueue, rater: string, ratings: QueueRatings): RatingItem[] {
  if (shared === undefined) return items
  return items.filter(({ position }) => {
    const given = ratings.get(position) ?? []
    const isTaken = given.some((other) => other.rater !== rater && other.rating !== undefined)
    return position <= shared || !isTaken || given.some((other) => other.rater === rater)
  })
}

const saidBy = (rater: string, ratings: QueueRatings, position: number) =>
  ratings.get(position)?.find((rating) => rating.rater === rater)

/** The next item that the person has neither rated nor skipped. */
export function findNext(queue: RatingQueue, rater: string, ratings: QueueRatings): RatingItem | undefined {
  return itemsFor(queue, rater, ratings).find(({ position }) => !saidBy(rater, ratings, position))
}

export function countProgress(queue: RatingQueue, rater: string, ratings: QueueRatings): QueueProgress {
  const own = itemsFor(queue, rater, ratings).map(({ position }) => saidBy(rater, ratings, position))
  const everyone = Map.groupBy(
    [...ratings.values()].flat().filter(({ rating }) => rating !== undefined),
    (rating) => rating.rater,
  )
  return {
    total: own.length,
    rated: own.filter((given) => given?.rating !== undefined).length,
    skipped: own.filter((given) => given && given.rating === undefined).length,
    raters: Array.from(everyone, ([name, given]) => ({ rater: name, rated: given.length })).sort((a, b) =>
      a.rater < b.rater ? -1 : 1,
    ),
  }
}

export function findItem(queue: RatingQueue, position: number): RatingItem {
  const item = queue.items.find((candidate) => candidate.position === position)
  if (!item) throw new InputError(`the queue has no answer number ${position}`)
  return item
}

/** The item with its texts; undefined if its run was deleted. */
export async function openItem(
  storage: Storage,
  item: RatingItem,
  own?: HumanRating | undefined,
): Promise<BlindItem | undefined> {
  const cell = await storage.loadCell(item)
  const run = cell && (await loadSuiteOnce(storage, item.runId))
  if (!cell || !run) return undefined
  const { testSuiteSnapshot: suite } = run
  const testCase = suite?.testCases.find(({ id }) => id === item.testCaseId)
  const question = testCase && questionOf(testCase, findVariant(suite?.variants ?? [], item.modelId))
  const expectedOutput = testCase && writeExpected(testCase)
  const { toolCalls, response = cell.answer?.response ?? '' } = cell.result
  return {
    position: item.position,
    prompt: question ? writeQuestion(question) : 'Not stored with the run.',
    ...(question?.messages && { messages: question.messages }),
    ...(expectedOutput !== undefined && { expectedOutput }),
    response,
    ...(toolCalls && toolCalls.length > 0 && { toolCalls }),
    ...(own && { own: pickRating(own) }),
  }
}

function pickRating({ rating, note }: HumanRating): HumanRating {
  return { ...(rating !== undefined && { rating }), ...(note !== undefined && { note }) }
}

/** A suite may be large and a queue reads the same one for each item. */
const suites = new WeakMap<Storage, Map<string, Awaited<ReturnType<Storage['loadRun']>>>>()
const MAX_SUITES = 10

async function loadSuiteOnce(storage: Storage, runId: string) {
  const known = suites.get(storage) ?? new Map<string, Awaited<ReturnType<Storage['loadRun']>>>()
  suites.set(storage, known)
  const cached = known.get(runId)
  if (cached) return cached
  const run = await storage.loadRun(runId, { texts: false })
  const kept = run && { ...run, results: [] }
  if (kept) known.set(runId, kept)
  if (known.size > MAX_SUITES) known.delete(known.keys().next().value!)
  return kept
}

/** Stores what a person said about an item; without a rating, that the person skipped it. */
export async function rateItem(
  storage: Storage,
  queue: RatingQueue,
  { position, rater, rating, note }: HumanRating & { position: number; rater: string },
): Promise<RatingItem> {
  const item = findItem(queue, position)
  if (rating !== undefined && !(rating >= 0 && rating <= 1))
    throw new InputError(`a rating is from 0 to 100, not ${rating * 100}`)
  if (rating !== undefined && queue.scale === 'pass-fail' && rating !== 0 && rating !== 1)
    throw new InputError('this queue asks for pass or fail, not for points')
  const given = pickRating({ rating, note: note?.trim() === '' ? undefined : note?.trim() })
  await storage.saveRating(item, given, { rater, queueId: queue.id })
  return item
}

/** Takes back what the person said last. Returns the item; undefined if there is nothing to take back. */
export async function undoLast(
  storage: Storage,
  queue: RatingQueue,
  rater: string,
  ratings: QueueRatings,
): Promise<{ item: RatingItem; given: HumanRating } | undefined> {
  const own = Array.from(ratings, ([position, given]) => ({
    position,
    given: given.find((one) => one.rater === rater),
  }))
    .filter((one): one is { position: number; given: StoredRating } => one.given?.queueId === queue.id)
    .sort((a, b) => a.given.ratedAt - b.given.ratedAt || a.position - b.position)
  const last = own.at(-1)
  if (!last) return undefined
  const item = findItem(queue, last.position)
  await storage.saveRating(item, {}, { rater })
  return { item, given: pickRating(last.given) }
}
