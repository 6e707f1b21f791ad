import { ClientError, type ModelAnswer, type ModelRequest, isRecord } from '../../contract/index.ts'
import { get, numberOf } from '../http/json-values.ts'

export function buildEmbeddingsBody({ modelId, embed = [] }: ModelRequest): string {
  return JSON.stringify({ model: modelId, input: embed })
}

/** Not retried: it was paid for, and the next reply would be the same. */
function unreadable(provider: string, problem: string): ClientError {
  return new ClientError('broken', `${provider} sent embeddings that cannot be used: ${problem}`, { retryable: false })
}

/** In the order of the texts: a server may send them in another and number them. */
function sortByIndex(items: Record<string, unknown>[]): Record<string, unknown>[] {
  const indexes = new Set(items.map((item) => item['index']))
  const isNumbered = items.every((_, position) => indexes.has(position))
  return isNumbered ? items.toSorted((a, b) => Number(a['index']) - Number(b['index'])) : items
}

function readVector(value: unknown, provider: string): number[] {
  if (!Array.isArray(value)) throw unreadable(provider, 'one is not a list')
  const wrong: unknown = value.find((number) => typeof number !== 'number')
  if (wrong !== undefined) throw unreadable(provider, `one holds ${JSON.stringify(wrong).slice(0, 40)}, not a number`)
  return value
}

/** Reads the reply to `POST /embeddings`. Whether the numbers can be used is checked where all answers are. */
export function readEmbeddings(
  reply: unknown,
  provider: string,
): Pick<ModelAnswer, 'embeddings' | 'promptTokens' | 'completionTokens' | 'cost'> {
  const data = get(reply, 'data')
  if (!Array.isArray(data)) throw unreadable(provider, 'the reply has no list "data"')
  const embeddings = sortByIndex(data.filter(isRecord)).map((item) => readVector(item['embedding'], provider))
  const usage = get(reply, 'usage')
  const promptTokens = numberOf(get(usage, 'prompt_tokens')) ?? numberOf(get(usage, 'total_tokens'))
  const cost = numberOf(get(usage, 'cost'))
  return {
    embeddings,
    ...(promptTokens !== undefined && { promptTokens, completionTokens: 0 }),
    ...(cost !== undefined && { cost }),
  }
}
