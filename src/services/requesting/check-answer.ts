import {
  ClientError,
  isRecord,
  toMoney,
  type ModelAnswer,
  type ModelRequest,
  type Money,
  type TokenDetails,
} from '../../contract/index.ts'
import { priceTokens, priceUsage, type Price } from './price.ts'

/**
 * A client's answer is checked here before anything else sees it, whichever client it is: what a server or a user's own
 * client says must not end the run, and storage takes only what passed.
 */

/** The longest answer that is kept: text, reasoning and tool calls together. The same limit as for a reply's bytes. */
const MAX_ANSWER_LENGTH = 32 * 1024 * 1024

/** Deeper ones would overflow the stack of whatever walks them later. */
const MAX_ARGUMENT_DEPTH = 1000

/**
 * Tokens that no one outside sees: chat templates, images behind a URL, search results, thinking. Beyond these, a prompt
 * has at most as many tokens as the request has bytes, and an answer as many as were allowed or as it has bytes.
 */
const UNSEEN_TOKENS = 200_000

/** US dollars. No request costs more, whatever its price. */
const MAX_COST = 1000

/** US dollars that a provider may add to the price of the tokens, for searches or its own service. */
const MAX_FEE = 1

/** Long enough for any reason that a provider gives. */
const MAX_REASON_LENGTH = 200

/** Characters of one parameter as it was sent. */
const MAX_SENT_LENGTH = 300

const MAX_NOTES = 10

export interface CheckedAnswer {
  answer: ModelAnswer
  /** Undefined if it is unknown. */
  cost: Money | undefined
}

interface Asked {
  request: ModelRequest
  price: Price | undefined
  /** Measured here, for an answer that does not say. */
  latencyMs: number
}

/** Storage writes tool calls as JSON. */
function writeToolCalls(toolCalls: ModelAnswer['toolCalls']): string {
  if (!isGiven(toolCalls)) return ''
  if (!Array.isArray(toolCalls)) throw unusable('its tool calls are not a list')
  for (const call of toolCalls)
    if (typeof call !== 'object' || call === null || typeof call.name !== 'string')
      throw unusable('one of its tool calls has no name')
  let text: string
  try {
    text = JSON.stringify(toolCalls)
  } catch {
    throw unusable('the arguments of a tool call are not JSON, or nested too deeply')
  }
  if (isTooDeep(toolCalls)) throw unusable('the arguments of a tool call are nested too deeply')
  return text
}

/** Stored with the message, and sent back with it. */
function writeOpaque(opaque: unknown): string {
  try {
    return JSON.stringify(opaque) ?? ''
  } catch {
    throw unusable('what the provider wants back with it is not JSON')
  }
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth > MAX_ARGUMENT_DEPTH || Object.values(value).some((inner) => isTooDeep(inner, depth + 1))
}

function isGiven<Value>(value: Value | undefined | null): value is Value {
  return value !== undefined && value !== null
}

function unusable(problem: string): ClientError {
  return new ClientError('broken', `the answer cannot be used: ${problem}`, { retryable: false })
}

/** More than any embedding model returns. */
const MAX_DIMENSIONS = 100_000

/** Numbers that cannot be compared must not become a score. Throws `ClientError`. */
export function checkEmbeddings(
  embeddings: unknown,
  { embed }: Required<Pick<ModelRequest, 'embed'>>,
): { embeddings: number[][] } {
  if (!Array.isArray(embeddings)) throw unusable('it has no embeddings')
  const given: unknown[] = embeddings
  if (given.length !== embed.length) throw unusable(`it has ${given.length} embeddings for ${embed.length} texts`)
  const vectors = given.map((vector) => {
    if (!Array.isArray(vector) || vector.length === 0) throw unusable('one of its embeddings is empty')
    if (vector.length > MAX_DIMENSIONS) throw unusable(`an embedding has more than ${MAX_DIMENSIONS} numbers`)
    const numbers: unknown[] = vector
    if (!numbers.every((number) => Number.isFinite(number)))
      throw unusable('one of its embeddings holds something other than finite numbers')
    return numbers as number[]
  })
  const odd = vectors.find(({ length }) => length !== vectors[0]!.length)
  if (odd) throw unusable(`its embeddings differ in length: ${vectors[0]!.length} and ${odd.length} numbers`)
  return { embeddings: vectors }
}

/** What a request and its answer can hold at most. */
interface Most {
  promptTokens(): number
  completionTokens(): number
}

function findMost({ messages, tools, embed, responseSchema, parameters }: ModelRequest, answerLength: number): Most {
  return {
    promptTokens: () => Buffer.byteLength(JSON.stringify([messages, tools, embed, responseSchema])) + UNSEEN_TOKENS,
    // A character has up to three bytes.
    completionTokens: () => Math.max(parameters.maxTokens ?? 0, 3 * answerLength) + UNSEEN_TOKENS,
  }
}

function findWrongTokens(tokens: number, most: () => number): string | undefined {
  if (!Number.isInteger(tokens) || tokens < 0) return 'is not a number of tokens'
  // Counting the bytes of every request would be slow.
  return tokens > UNSEEN_TOKENS && tokens > most() ? 'is more than the request could hold' : undefined
}

function findWrongCost(cost: number, price: Price | undefined, most: Most): string | undefined {
  if (!Number.isFinite(cost) || cost < 0) return 'is not an amount of dollars'
  if (cost <= MAX_FEE) return undefined
  if (cost > MAX_COST) return `is more than $${MAX_COST}`
  return price && toMoney(cost) > priceTokens(most.promptTokens(), most.completionTokens(), price) + toMoney(MAX_FEE)
    ? 'is more than the request could cost'
    : undefined
}

/** For a note: a client may return anything. */
function nameValue(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value).slice(0, 40) : `(${typeof value})`
}

function findWrongUsage(
  { promptTokens, completionTokens, cost }: ModelAnswer,
  price: Price | undefined,
  most: Most,
): string[] {
  const check = (name: string, value: number | undefined, find: (given: number) => string | undefined): string[] => {
    if (!isGiven(value)) return []
    const problem = find(typeof value === 'number' ? value : Number.NaN)
    return problem === undefined ? [] : [`${name} ${nameValue(value)} ${problem}`]
  }
  return [
    ...check('prompt tokens', promptTokens, (tokens) => findWrongTokens(tokens, most.promptTokens)),
    ...check('completion tokens', completionTokens, (tokens) => findWrongTokens(tokens, most.completionTokens)),
    ...check('cost', cost, (dollars) => findWrongCost(dollars, price, most)),
  ]
}

/** What the answer cost: as the provider says, else by its price; undefined if neither is known. */
export function costOf(
  { cost, promptTokens, completionTokens, tokenDetails }: ModelAnswer,
  price: Price | undefined,
): Money | undefined {
  if (cost !== undefined) return toMoney(cost)
  if (!price || promptTokens === undefined || completionTokens === undefined) return undefined
  const priced = priceUsage({ promptTokens, completionTokens, ...(tokenDetails && { tokenDetails }) }, price)
  return priced > toMoney(MAX_COST) ? undefined : priced
}

/** Left out as a whole if the parts exceed the count they belong to: the price would be wrong, or below 0. */
function detailsOf({ promptTokens = 0, completionTokens = 0, tokenDetails }: Partial<ModelAnswer>): {
  tokenDetails?: TokenDetails
} {
  const { cachedPrompt = 0, cacheWrite = 0, cacheWriteHour = 0, reasoning = 0 } = tokenDetails ?? {}
  const counts = { cachedPrompt, cacheWrite, cacheWriteHour, reasoning }
  if (!Object.values(counts).every((tokens) => Number.isSafeInteger(tokens) && tokens >= 0)) return {}
  if (cachedPrompt + cacheWrite + cacheWriteHour > promptTokens || reasoning > completionTokens) return {}
  const given = Object.entries(counts).filter(([, tokens]) => tokens > 0)
  return given.length === 0 ? {} : { tokenDetails: Object.fromEntries(given) }
}

/** Stored with every cell: a long schema is the same in all of them, and is in the request of the run. */
function cutSent(sent: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      const text = JSON.stringify(value) ?? ''
      return [name, text.length > MAX_SENT_LENGTH ? `${text.slice(0, MAX_SENT_LENGTH)}…` : value]
    }),
  )
}

function timeOf(milliseconds: number | undefined): number | undefined {
  return typeof milliseconds === 'number' && milliseconds >= 0 && milliseconds <= Number.MAX_SAFE_INTEGER
    ? milliseconds
    : undefined
}

/**
 * Keeps the answer and leaves out whatever in it cannot be true, with a note. A provider that reports one impossible
 * number is not believed about the others: the whole usage is left out. Throws `ClientError` if it is no answer at all.
 */
export function checkAnswer(given: ModelAnswer, { request, price, latencyMs }: Asked): CheckedAnswer {
  const { outcome, response, reasoning, toolCalls, opaque, finishReason, servedModel, servedBy, leftOut } = given
  if (typeof response !== 'string') throw unusable('its response is not a text')
  const hasReasoning = typeof reasoning === 'string'
  const length =
    response.length +
    (hasReasoning ? reasoning.length : 0) +
    writeToolCalls(toolCalls).length +
    writeOpaque(opaque).length
  if (length > MAX_ANSWER_LENGTH) throw unusable(`it is longer than ${MAX_ANSWER_LENGTH} characters`)
  const wrong = findWrongUsage(given, price, findMost(request, length))
  const usage = wrong.length === 0 ? given : ({} as Partial<ModelAnswer>)
  const { promptTokens, completionTokens, cost } = usage
  const firstTokenMs = timeOf(given.firstTokenMs)
  const cachedAt = timeOf(given.cachedAt)
  const said: unknown[] = Array.isArray(given.notes) ? given.notes : []
  const notes = [
    ...said.filter((note) => typeof note === 'string').slice(0, MAX_NOTES),
    ...(wrong.length > 0 ? [`Usage left out, so the cost is unknown: ${wrong.join('; ')}.`] : []),
  ]
  const answer: ModelAnswer = {
    outcome,
    response,
    latencyMs: timeOf(given.latencyMs) ?? latencyMs,
    ...(hasReasoning && { reasoning }),
    ...(isGiven(toolCalls) && { toolCalls }),
    ...(isGiven(opaque) && { opaque }),
    ...(request.embed && checkEmbeddings(given.embeddings, { embed: request.embed })),
    ...(isGiven(promptTokens) && { promptTokens }),
    ...(isGiven(completionTokens) && { completionTokens }),
    ...detailsOf(usage),
    ...(cachedAt !== undefined && { cachedAt }),
    ...(isGiven(cost) && { cost }),
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    ...(typeof finishReason === 'string' && { finishReason: finishReason.slice(0, MAX_REASON_LENGTH) }),
    ...(typeof servedModel === 'string' && { servedModel: servedModel.slice(0, MAX_REASON_LENGTH) }),
    ...(Array.isArray(leftOut) && { leftOut: leftOut.filter((name) => typeof name === 'string') }),
    ...(typeof servedBy === 'string' && servedBy !== '' && { servedBy: servedBy.slice(0, MAX_REASON_LENGTH) }),
    ...(isRecord(given.sent) && { sent: cutSent(given.sent) }),
    ...(notes.length > 0 && { notes }),
  }
  return { answer, cost: wrong.length === 0 ? costOf(answer, price) : undefined }
}
