import {
  ClientError,
  type CancelSignal,
  type Client,
  type CompleteOptions,
  type Message,
  type ModelAnswer,
  type ModelInfo,
  type ModelRequest,
} from '../../contract/index.ts'
import { knownAnswers } from './answers.ts'
import { drawItem, drawNumber } from './chance.ts'
import { checkDemoModel, DEMO_EMBEDDING_MODEL, explainMissingModel } from './check-model.ts'
import { embedText } from './embedding.ts'
import { guessAnswers } from './guesses.ts'
import { faultOf, judgeFaults } from './judge-faults.ts'
import { judge } from './judge.ts'
import { asksForPage, writePage } from './pages.ts'
import { revisePage } from './revised-pages.ts'
import { fillRequest } from '../request-defaults.ts'

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

function textOf({ content }: Message): string {
  return typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

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

function writeAnswer({ modelId, messages, parameters }: ModelRequest, salt: string): string {
  const prompt = textOf(messages.findLast((message) => message.role === 'user') ?? { role: 'user', content: '' })
  const usedSalt = (parameters.temperature ?? 0) > 0 ? salt : ''
  if (isJudge(modelId)) return judge(prompt, modelId, (purpose) => drawNumber(purpose, modelId, prompt, usedSalt))
  const earlier = messages.filter(({ role }) => role === 'assistant').map(textOf)
  const isFrontEnd = messages.some(
    (message) => message.role === 'system' && /front-end developer/i.test(textOf(message)),
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
      const words = splitWords(writeAnswer(request, salt))
      const maxWords = Math.max(1, Math.floor((request.parameters.maxTokens ?? Infinity) / TOKENS_PER_WORD))
      const pieces = words.slice(0, maxWords)
      const firstTokenAt = await send(pieces, options)
      const response = pieces.join('')
      const promptTokens = request.messages.reduce((sum, message) => sum + countTokens(textOf(message)), 0)
      const completionTokens = countTokens(response)
      const { promptPrice = 0, completionPrice = 0 } = MODELS.find(({ id }) => id === request.modelId) ?? {}
      const truncated = pieces.length < words.length
      return {
        outcome: truncated ? 'truncated' : response.trim() === '' ? 'empty' : 'ok',
        response,
        promptTokens,
        completionTokens,
        cost: promptTokens * promptPrice + completionTokens * completionPrice,
        latencyMs: now() - sentAt,
        ...(request.stream !== false && { firstTokenMs: firstTokenAt - sentAt }),
        finishReason: truncated ? 'length' : 'stop',
      }
    },
    listModels: async () => MODELS.map((model) => ({ ...model })),
    checkModel: checkDemoModel,
    close: async () => undefined,
  }
}
