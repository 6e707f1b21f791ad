import { ClientError, ScoringError, type AskModel, type EmbeddingMemory, type Judging } from '../../contract/index.ts'

/** Thousands of vectors of 3,000 numbers would fill the memory; a run needs those of the cases in progress. */
const MAX_REMEMBERED = 500

type Vector = readonly number[]

async function askForEmbeddings(modelId: string, texts: readonly string[], ask: AskModel): Promise<Vector[]> {
  try {
    const { embeddings } = await ask({ modelId, messages: [], parameters: {}, embed: texts })
    if (embeddings?.length === texts.length) return embeddings
  } catch (error) {
    if (!(error instanceof ClientError) || error.kind === 'cancelled') throw error
    throw new ScoringError('embedding-failed', `embedding model ${modelId}: ${error.message}`, { cause: error })
  }
  throw new ScoringError('embedding-failed', `embedding model ${modelId} returned no embeddings`)
}

function remember(memory: EmbeddingMemory, key: string, value: Vector | Promise<unknown>): void {
  memory.delete(key)
  memory.set(key, value)
  const [oldest] = memory.keys()
  if (memory.size > MAX_REMEMBERED && oldest !== undefined) memory.delete(oldest)
}

function isVector(value: Vector | Promise<unknown> | undefined): value is Vector {
  return Array.isArray(value)
}

/**
 * Embeds an answer, and the expected texts that no cell of the run has embedded yet, in one request. A cell waits for
 * another that is embedding the same expected text, but only once: that request may fail because of its answer.
 */
export async function embedTexts(
  { modelId, expected, response }: { modelId: string; expected: readonly string[]; response: string },
  { ask, embeddings: memory = new Map() }: Judging,
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
  const request = askForEmbeddings(modelId, [...missing, response], ask)
  for (const text of missing) remember(memory, keyOf(text), request)
  try {
    const vectors = await request
    for (const [index, text] of missing.entries()) {
      found.set(text, vectors[index]!)
      remember(memory, keyOf(text), vectors[index]!)
    }
    return { expected: expected.map((text) => found.get(text)!), response: vectors.at(-1)! }
  } catch (error) {
    for (const text of missing) if (memory.get(keyOf(text)) === request) memory.delete(keyOf(text))
    throw error
  }
}
