import { calcPrice, findProvider, type ModelPrice } from '@pydantic/genai-prices'
import { perToken, type TokenPrice } from '../contract/index.ts'

/** What ships with the program, and when it was made. A test compares it with the installed package. */
export const priceTable = { version: '0.1.8', date: '2026-09-23' } as const

const FROM = `the price table genai-prices ${priceTable.version} of ${priceTable.date}`

/** Its names of vendors, where they are not ours. */
const NAMES: Readonly<Record<string, string>> = { bedrock: 'aws', xai: 'x-ai' }

const fields = {
  prompt: 'input_mtok',
  completion: 'output_mtok',
  cachedPrompt: 'cache_read_mtok',
  cacheWrite: 'cache_write_mtok',
} as const

/** The price for a request with more prompt tokens than `above`; −1 for any. */
function pricesAbove(price: ModelPrice, above: number): Omit<TokenPrice, 'tiers' | 'from'> | undefined {
  const read = (field: string): number | undefined => {
    const given = price[field]
    if (given === undefined || typeof given === 'number') return given === undefined ? undefined : perToken(given)
    return perToken(given.tiers.findLast(({ start }) => start <= above)?.price ?? given.base)
  }
  const { prompt, cachedPrompt, cacheWrite } = {
    prompt: read(fields.prompt),
    cachedPrompt: read(fields.cachedPrompt),
    cacheWrite: read(fields.cacheWrite),
  }
  if (prompt === undefined) return undefined
  return {
    prompt,
    // Embedding models have no completions.
    completion: read(fields.completion) ?? 0,
    ...(cachedPrompt !== undefined && { cachedPrompt }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  }
}

function toTokenPrice(price: ModelPrice): TokenPrice | undefined {
  const base = pricesAbove(price, -1)
  if (!base) return undefined
  const starts = Object.values(fields).flatMap((field) => {
    const given = price[field]
    return typeof given === 'object' ? given.tiers.map(({ start }) => start) : []
  })
  const tiers = [...new Set(starts)]
    .toSorted((a, b) => a - b)
    .flatMap((above) => {
      const own = pricesAbove(price, above)
      return own ? [{ above, ...own }] : []
    })
  return { ...base, ...(tiers.length > 0 && { tiers }), from: FROM }
}

/**
 * What the table says a model costs, at a vendor or at the address of one. Undefined for servers of which it knows
 * nothing: a model of the same name may cost anything there.
 */
export function findTablePrice(
  modelId: string,
  { vendor, address }: { vendor?: string | undefined; address?: string | undefined },
  at: Date,
): TokenPrice | undefined {
  const providerId =
    vendor === undefined
      ? address && findProvider({ providerApiUrl: address })?.id
      : findProvider({ providerId: NAMES[vendor] ?? vendor })?.id
  if (!providerId) return undefined
  const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, modelId, { providerId, timestamp: at })
  return found ? toTokenPrice(found.model_price) : undefined
}
