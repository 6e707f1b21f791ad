import {
  messageText,
  ClientError,
  type CancelSignal,
  type Client,
  type CompleteOptions,
  type ModelAnswer,
  type ModelInfo,
  type ModelRequest,
} from '../../contract/index.ts'
import { playAgent, playUser, type DemoTurn } from './agent.ts'
import { drawItem, drawNumber } from './chance.ts'
import { checkDemoModel, DEMO_EMBEDDING_MODEL, DEMO_USER, explainMissingModel } from './check-model.ts'
import { faultOf, judgeFaults } from './judge-faults.ts'
import { judge } from './judge.ts'
import { asksForPage, writePage } from './pages.ts'
import { fillRequest } from '../request-defaults.ts'
import exampleAnswers from './answers.json' with { type: 'json' }

/** A simulated model's possible answers to one question, by quality. */
interface KnownAnswers {
  right: string[]
  /** Right but wordy, or nearly right. */
  half: string[]
  wrong: string[]
}

/** Answers to the suites `first-look` and `first-suite` of `examples`, by prompt; a test keeps them in sync. */
export const knownAnswers: Record<string, KnownAnswers> = exampleAnswers

const OPERATORS: [pattern: string, apply: (a: number, b: number) => number][] = [
  ['\\+|plus', (a, b) => a + b],
  ['[-−–]|minus', (a, b) => a - b],
  ['[*×·x]|times|multiplied by', (a, b) => a * b],
  ['[/÷]|divided by', (a, b) => a / b],
]

function solve(prompt: string): number | undefined {
  for (const [pattern, apply] of OPERATORS) {
    const found = new RegExp(`(\\d+(?:\\.\\d+)?)\\s*(?:${pattern})\\s*(\\d+(?:\\.\\d+)?)`, 'i').exec(prompt)
    if (found) return Number(apply(Number(found[1]), Number(found[2])).toPrecision(12))
  }
  return undefined
}

function guessNumber(prompt: string): KnownAnswers | undefined {
  const result = solve(prompt)
  if (result === undefined || !Number.isFinite(result)) return undefined
  return {
    right: [String(result), `The result is ${result}.`],
    half: [`About ${result + 1}`],
    wrong: [String(result * 10), String(result - 7)],
  }
}

/** The "right" option depends only on the question, so that all models agree on it. */
function guessChoice(prompt: string): KnownAnswers | undefined {
  const letters = [...new Set([...prompt.matchAll(/(?:^|\s)\(?([A-H])[).:]\s/g)].map(([, letter]) => letter!))]
  if (letters.length < 2) return undefined
  const right = letters[Math.floor(drawNumber(prompt) * letters.length)]!
  const others = letters.filter((letter) => letter !== right)
  return { right: [right, `The answer is ${right}.`], half: [`${right} or ${others[0]}`], wrong: others }
}

function guessYesNo(prompt: string): KnownAnswers | undefined {
  if (!/^(?:is|are|was|were|do|does|did|can|could|has|have|will|should|must)\b[^?]*\?/i.test(prompt.trim()))
    return undefined
  const [right, wrong] = drawNumber(prompt) < 0.5 ? ['Yes', 'No'] : ['No', 'Yes']
  return { right: [right, `${right}.`], half: [`${right}, as far as I know.`], wrong: [wrong] }
}

function guessTranslation(prompt: string): KnownAnswers | undefined {
  const found = /translate\b.*?\b(?:in)?to (\w+)[^"“]*["“]([^"”]+)["”]/is.exec(prompt)
  if (!found) return undefined
  const text = `"${found[2]}" in ${found[1]}`
  return {
    right: [`(simulated) ${text}`],
    half: [`(simulated, roughly) ${text}`],
    wrong: ['(simulated) I do not know that language.'],
  }
}

function guessWords(prompt: string): KnownAnswers {
  const topic = prompt.replace(/\s+/g, ' ').trim().slice(0, 80)
  return {
    right: [`This is a simulated answer to "${topic}": the main point first, then one reason and one example.`],
    half: [`This is a simulated answer to "${topic}": the main point only.`],
    wrong: ['This is a simulated answer that misses the question.'],
  }
}

/** Answers of three qualities to an unknown question: computed where that is easy, otherwise made up. */
function guessAnswers(prompt: string): KnownAnswers {
  return (
    guessNumber(prompt) ?? guessChoice(prompt) ?? guessTranslation(prompt) ?? guessYesNo(prompt) ?? guessWords(prompt)
  )
}

/** What a simulated model does to its earlier page: good and fair ones change its colour, the poor one only says so. */

const COLOURS: Record<string, { page: string; strong: string }> = {
  blue: { page: '#dbe8ff', strong: '#1d4ed8' },
  red: { page: '#ffe1e1', strong: '#b91c1c' },
  green: { page: '#dcf5e4', strong: '#15803d' },
  purple: { page: '#ede4ff', strong: '#6d28d9' },
  orange: { page: '#ffe9d3', strong: '#c2410c' },
  gray: { page: '#e5e7eb', strong: '#374151' },
}

const HAS_PAGE = /```\w+[^\n]*\n[\s\S]*<[a-z]/i

function colourOf(request: string): string {
  const words = request.toLowerCase().match(/[a-z]+/g) ?? []
  return words.find((word) => Object.hasOwn(COLOURS, word)) ?? 'gray'
}

function styleOf(colour: string): string {
  const { page, strong } = COLOURS[colour]!
  return `<style>:root { color-scheme: light } body { background: ${page} } h1, h2, h3 { color: ${strong} }</style>`
}

/** The answer to a follow-up; undefined if the conversation has no page yet. */
function revisePage(modelId: string, earlier: readonly string[], request: string): string | undefined {
  const before = earlier.findLast((answer) => HAS_PAGE.test(answer))
  if (before === undefined) return undefined
  const page = before.slice(before.indexOf('```'))
  if (modelId === 'demo/poor') return `Done!\n\n${page}`
  const end = /<\/(?:head|body|html)>/i.exec(page)
  const colour = colourOf(request)
  const changed = end
    ? `${page.slice(0, end.index)}${styleOf(colour)}\n${page.slice(end.index)}`
    : // A component with Tailwind's classes.
      page.replaceAll(/\b(?:slate|indigo)-(?=\d)/g, `${colour}-`)
  return `I changed the page as you asked.\n\n${changed}`
}

const DIMENSIONS = 256

/** Word endings matter little to the meaning: words also count by their first letters. */
const STEM_LENGTH = 5

function addTo(vector: number[], feature: string, weight: number): void {
  const place = Math.floor(drawNumber('place', feature) * DIMENSIONS)
  vector[place] = vector[place]! + weight
}

/** The simulated embedding: texts with the same words are close. Deterministic, with no idea of meaning. */
function embedText(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0)
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]
  for (const word of words) {
    addTo(vector, word, 1)
    addTo(vector, `${word.slice(0, STEM_LENGTH)}-`, 0.5)
  }
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

export interface DemoOptions {
  /** How long a streamed answer takes. Default 0. */
  delayMs?: number
  /** The clock, in milliseconds. */
  now?: () => number
  /** At a temperature above 0, answers depend on the salt: a different one per run makes repeated runs differ. */
  salt?: string
}

interface Skill {
  /** How often it is right. */
  right: number
  /** How often it is half right when it is not right. */
  half: number
}

const SKILLS: Record<string, Skill> = {
  'demo/good': { right: 0.9, half: 0.8 },
  'demo/fair': { right: 0.72, half: 0.6 },
  'demo/poor': { right: 0.3, half: 0.3 },
}

const CONTEXT_LENGTH = 32_000

const isJudge = (modelId: string) => modelId === 'demo/judge' || faultOf(modelId) !== undefined

function modelInfo(id: string, name: string, promptPrice: number, completionPrice: number): ModelInfo {
  return {
    id,
    name: `${name} (simulated)`,
    contextLength: CONTEXT_LENGTH,
    promptPrice,
    completionPrice,
    takesImages: isJudge(id),
  }
}

/** Simulated models have simulated prices, so that users can try budgets. */
const MODELS: readonly ModelInfo[] = [
  modelInfo('demo/good', 'Demo: good', 2e-6, 8e-6),
  modelInfo('demo/fair', 'Demo: fair', 5e-7, 2e-6),
  modelInfo('demo/poor', 'Demo: poor', 1e-7, 4e-7),
  modelInfo('demo/judge', 'Demo: judge', 1e-6, 4e-6),
  modelInfo(DEMO_USER, 'Demo: user of agents', 1e-7, 4e-7),
  modelInfo('demo/coder', 'Demo: front-end coder', 1e-6, 4e-6),
  ...judgeFaults.map(({ id, name }) => modelInfo(id, `Demo: ${name}`, 1e-6, 4e-6)),
  {
    id: DEMO_EMBEDDING_MODEL,
    name: 'Demo: embedding (simulated)',
    contextLength: CONTEXT_LENGTH,
    promptPrice: 2e-8,
    completionPrice: 0,
    isEmbedding: true,
  },
]

const TOKENS_PER_WORD = 1.3

function splitWords(text: string): string[] {
  return text.match(/\s*\S+\s*?(?=\s|$)|\s+$/g) ?? []
}

function countTokens(text: string): number {
  return Math.round((text.match(/\S+/g)?.length ?? 0) * TOKENS_PER_WORD)
}

function nonEmpty(items: string[]): [string, ...string[]] {
  const [first = '', ...others] = items
  return [first, ...others]
}

function answerQuestion(modelId: string, skill: Skill, prompt: string, salt: string): string {
  const question = prompt.trim()
  const answers = (Object.hasOwn(knownAnswers, question) && knownAnswers[question]) || guessAnswers(prompt)
  const draw = (purpose: string): number => drawNumber(purpose, modelId, prompt, salt)
  const kind = draw('right') < skill.right ? 'right' : draw('half') < skill.half ? 'half' : 'wrong'
  return drawItem(nonEmpty(answers[kind]), 'wording', modelId, prompt, salt)
}

/** The turn of an agent or of a user; what else is asked is answered in words. */
function writeTurn(request: ModelRequest, salt: string): DemoTurn {
  const { modelId, parameters } = request
  const usedSalt = (parameters.temperature ?? 0) > 0 ? salt : ''
  if (modelId === DEMO_USER) return { text: playUser(request), toolCalls: [] }
  const skill = Object.hasOwn(SKILLS, modelId) && SKILLS[modelId]
  const turn = skill ? playAgent(request, skill, usedSalt) : undefined
  return turn ?? { text: writeAnswer(request, salt), toolCalls: [] }
}

function writeAnswer({ modelId, messages, parameters }: ModelRequest, salt: string): string {
  const prompt = messageText(messages.findLast((message) => message.role === 'user') ?? { content: '' })
  const usedSalt = (parameters.temperature ?? 0) > 0 ? salt : ''
  if (isJudge(modelId)) return judge(prompt, modelId, (purpose) => drawNumber(purpose, modelId, prompt, usedSalt))
  const earlier = messages.filter(({ role }) => role === 'assistant').map(messageText)
  const isFrontEnd = messages.some(
    (message) => message.role === 'system' && /front-end developer/i.test(messageText(message)),
  )
  const revised =
    isFrontEnd && MODELS.some(({ id }) => id === modelId) ? revisePage(modelId, earlier, prompt) : undefined
  if (revised !== undefined) return revised
  if (modelId === 'demo/coder') return writePage(modelId, prompt, usedSalt)
  const skill = Object.hasOwn(SKILLS, modelId) && SKILLS[modelId]
  const isForPage = asksForPage(prompt) || isFrontEnd
  if (skill && !Object.hasOwn(knownAnswers, prompt.trim()) && isForPage) return writePage(modelId, prompt, usedSalt)
  if (skill) return answerQuestion(modelId, skill, prompt, usedSalt)
  throw new ClientError('refused', explainMissingModel(modelId), { status: 404 })
}

/** Waits; rejects as soon as the caller cancels. */
function pause(ms: number, signal: CancelSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      clearTimeout(timer)
      reject(new ClientError('cancelled', 'The request was cancelled'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', cancel)
      resolve()
    }, ms)
    if (signal?.aborted) cancel()
    else signal?.addEventListener('abort', cancel, { once: true })
  })
}

/** The offline provider: no network, no key, and the same answer to the same request. */
export function createDemoClient({ delayMs = 0, now = () => performance.now(), salt = '' }: DemoOptions = {}): Client {
  async function send(pieces: string[], { signal, onText }: CompleteOptions): Promise<number> {
    let firstTokenAt = 0
    // Even without a delay, other work must get its turn.
    await new Promise((resolve) => setImmediate(resolve))
    for (const [index, piece] of pieces.entries()) {
      if (delayMs > 0 || signal?.aborted) await pause(delayMs / pieces.length, signal)
      if (index === 0) firstTokenAt = now()
      onText?.(piece)
    }
    return firstTokenAt
  }

  async function embed(modelId: string, texts: readonly string[], options: CompleteOptions): Promise<ModelAnswer> {
    if (modelId !== DEMO_EMBEDDING_MODEL)
      throw new ClientError('refused', `"${modelId}" gives no embeddings; ${DEMO_EMBEDDING_MODEL} does`, {
        status: 404,
      })
    const sentAt = now()
    await send([''], options)
    const promptTokens = texts.reduce((sum, text) => sum + countTokens(text), 0)
    const { promptPrice = 0 } = MODELS.find(({ id }) => id === modelId) ?? {}
    return {
      outcome: 'ok',
      response: '',
      embeddings: texts.map(embedText),
      promptTokens,
      completionTokens: 0,
      cost: promptTokens * promptPrice,
      latencyMs: now() - sentAt,
    }
  }

  return {
    provider: 'demo',
    async complete(partialRequest, options = {}): Promise<ModelAnswer> {
      const request = fillRequest(partialRequest)
      if (request.embed) return embed(request.modelId, request.embed, options)
      const sentAt = now()
      const { text, toolCalls } = writeTurn(request, salt)
      const words = splitWords(text)
      const maxWords = Math.max(1, Math.floor((request.parameters.maxTokens ?? Infinity) / TOKENS_PER_WORD))
      const pieces = words.slice(0, maxWords)
      const firstTokenAt = await send(pieces, options)
      const response = pieces.join('')
      const promptTokens = request.messages.reduce((sum, message) => sum + countTokens(messageText(message)), 0)
      const completionTokens =
        countTokens(response) + countTokens(toolCalls.map((call) => JSON.stringify(call.arguments)).join(' '))
      const { promptPrice = 0, completionPrice = 0 } = MODELS.find(({ id }) => id === request.modelId) ?? {}
      const truncated = pieces.length < words.length
      return {
        outcome: truncated ? 'truncated' : response.trim() === '' && toolCalls.length === 0 ? 'empty' : 'ok',
        response,
        ...(toolCalls.length > 0 && { toolCalls }),
        promptTokens,
        completionTokens,
        cost: promptTokens * promptPrice + completionTokens * completionPrice,
        latencyMs: now() - sentAt,
        ...(request.stream !== false && { firstTokenMs: firstTokenAt - sentAt }),
        finishReason: truncated ? 'length' : toolCalls.length > 0 ? 'tool_calls' : 'stop',
      }
    },
    listModels: async () => MODELS.map((model) => ({ ...model })),
    checkModel: checkDemoModel,
    close: async () => undefined,
  }
}
