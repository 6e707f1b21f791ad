import { z } from 'zod'
import { passMarkOfMethod, ScoringError, writeNumber } from '../contract/index.ts'
import { embedTexts } from './judging/embed-texts.ts'
import { defineScorer } from './scorer.ts'

const DEFAULT_EMBEDDING_MODEL = 'openai/text-embedding-3-small'

type Vector = readonly number[]

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
function compare(a: Vector, b: Vector, metric: keyof typeof METRICS): number {
  if (a.length !== b.length)
    throw new ScoringError('embedding-failed', `the embeddings differ in length: ${a.length} and ${b.length} numbers`)
  const similarity = METRICS[metric](a, b)
  if (!Number.isFinite(similarity))
    throw new ScoringError('embedding-failed', 'the embeddings cannot be compared: one is all zeros, or overflows')
  return Math.min(1, Math.max(0, similarity))
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
    const similarity = Math.max(...embedded.expected.map((vector) => compare(vector, embedded.response, metric)))
    const simulated = embeddingModel.startsWith('demo/') ? ', simulated' : ''
    return {
      score: negate ? 1 - similarity : similarity,
      notes: `${metric} similarity ${writeNumber(similarity, 3)} (${embeddingModel}${simulated})`,
    }
  },
})
