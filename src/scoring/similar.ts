import { z } from 'zod'
import {
  clamp,
  setLatest,
  passMarkOfMethod,
  ScoringError,
  writeNumber,
  ClientError,
  type CallModel,
  type EmbeddingMemory,
  type Judging,
} from '../contract/index.ts'
import { defineScorer } from './scorer.ts'

/** Thousands of vectors of 3,000 numbers would fill the memory; a run needs those of the cases in progress. */
const MAX_REMEMBERED = 500

type Vector = readonly number[]

async function requestEmbeddings(modelId: string, texts: readonly string[], callModel: CallModel): Promise<Vector[]> {
  try {
    const { embeddings } = await callModel({ modelId, messages: [], parameters: {}, embed: texts })
    if (embeddings?.length === texts.length) return embeddings
  } catch (error) {
    if (!(error instanceof ClientError) || error.kind === 'cancelled') throw error
    throw new ScoringError('embedding-failed', `embedding model ${modelId}: ${error.message}`, { cause: error })
  }
  throw new ScoringError('embedding-failed', `embedding model ${modelId} returned no embeddings`)
}

function rememberEmbedding(memory: EmbeddingMemory, key: string, value: Vector | Promise<unknown>): void {
  setLatest(memory, key, value, MAX_REMEMBERED)
}

function isVector(value: Vector | Promise<unknown> | undefined): value is Vector {
  return Array.isArray(value)
}

/**
 * Embeds an answer, and the expected texts that no cell of the run has embedded yet, in one request. A cell waits for
 * another that is embedding the same expected text, but only once: that request may fail because of its answer.
 */
async function embedTexts(
  { modelId, expected, response }: { modelId: string; expected: readonly string[]; response: string },
  { callModel, embeddings: memory = new Map() }: Judging,
): Promise<{ expected: Vector[]; response: Vector }> {
  const keyOf = (text: string) => JSON.stringify([modelId, text])
  const inProgress = expected.map((text) => memory.get(keyOf(text))).filter((value) => value && !isVector(value))
  // Nothing may happen between looking and asking, or cells that arrive together would all ask.
  if (inProgress.length > 0) await Promise.allSettled(inProgress)
  const found = new Map<string, Vector>()
  for (const text of expected) {
    const known = memory.get(keyOf(text))
    if (isVector(known)) found.set(text, known)
  }
  const missing = [...new Set(expected)].filter((text) => !found.has(text))
  const request = requestEmbeddings(modelId, [...missing, response], callModel)
  for (const text of missing) rememberEmbedding(memory, keyOf(text), request)
  try {
    const vectors = await request
    for (const [index, text] of missing.entries()) {
      found.set(text, vectors[index]!)
      rememberEmbedding(memory, keyOf(text), vectors[index]!)
    }
    return { expected: expected.map((text) => found.get(text)!), response: vectors.at(-1)! }
  } catch (error) {
    for (const text of missing) if (memory.get(keyOf(text)) === request) memory.delete(keyOf(text))
    throw error
  }
}

const DEFAULT_EMBEDDING_MODEL = 'openai/text-embedding-3-small'

function dotProduct(a: Vector, b: Vector): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0)
}

const METRICS = {
  cosine: (a: Vector, b: Vector) => dotProduct(a, b) / (Math.sqrt(dotProduct(a, a)) * Math.sqrt(dotProduct(b, b))),
  dot: dotProduct,
  euclidean: (a: Vector, b: Vector) =>
    1 / (1 + Math.sqrt(a.reduce((sum, value, index) => sum + (value - b[index]!) ** 2, 0))),
}

/** 0 to 1. An embedding of zeros, or of numbers too large to multiply, has no similarity to anything. */
function compareVectors(a: Vector, b: Vector, metric: keyof typeof METRICS): number {
  if (a.length !== b.length)
    throw new ScoringError('embedding-failed', `the embeddings differ in length: ${a.length} and ${b.length} numbers`)
  const similarity = METRICS[metric](a, b)
  if (!Number.isFinite(similarity))
    throw new ScoringError('embedding-failed', 'the embeddings cannot be compared: one is all zeros, or overflows')
  return clamp(similarity)
}

/** Compares what the answer means with what was expected, by the embeddings of both texts. */
export const similar = defineScorer({
  name: 'similar',
  summary: 'Close in meaning to the expected text: cosine similarity of embeddings',
  expectedOutput: 'required',
  passAt: passMarkOfMethod('similar'),
  options: z.object({
    embeddingModel: z
      .string()
      .min(1)
      .default(DEFAULT_EMBEDDING_MODEL)
      .describe('The model that embeds both texts, at any OpenAI-compatible endpoint; demo/embedding is simulated'),
    otherExpected: z.array(z.string().min(1)).optional().describe('Other expected texts: the most similar one counts'),
    metric: z
      .enum(['cosine', 'dot', 'euclidean'])
      .default('cosine')
      .describe('cosine, dot product, or 1 / (1 + euclidean distance)'),
    negate: z.boolean().default(false).describe('The answer must not be similar: 1 minus the similarity'),
  }),
  embeddingCalls: (expectedOutput = '', { embeddingModel, otherExpected = [] }) => ({
    modelId: embeddingModel,
    texts: [expectedOutput, ...otherExpected],
  }),
  async score({ response, expectedOutput = '' }, { embeddingModel, otherExpected = [], metric, negate }, { judging }) {
    if (response.trim() === '')
      return { score: negate ? 1 : 0, notes: 'empty response: not similar to anything, without asking for embeddings' }
    const embedded = await embedTexts(
      { modelId: embeddingModel, expected: [expectedOutput, ...otherExpected], response },
      judging,
    )
    const similarity = Math.max(...embedded.expected.map((vector) => compareVectors(vector, embedded.response, metric)))
    const simulated = embeddingModel.startsWith('demo/') ? ', simulated' : ''
    return {
      score: negate ? 1 - similarity : similarity,
      notes: `${metric} similarity ${writeNumber(similarity, 3)} (${embeddingModel}${simulated})`,
    }
  },
})
