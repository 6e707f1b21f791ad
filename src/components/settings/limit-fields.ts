import { asText, providerLimitRange, type ProviderLimits } from '../../contract/index.ts'
import { readNumber } from '../arena/choices/read-number.ts'

export type LimitName = keyof ProviderLimits

/** As typed. */
export type LimitFields = Record<LimitName, string>

export const limitLabels: Record<LimitName, string> = {
  requestsPerMinute: 'Requests per minute',
  tokensPerMinute: 'Tokens per minute',
  concurrency: 'Concurrent requests',
}

export const limitNames: readonly LimitName[] = ['requestsPerMinute', 'tokensPerMinute', 'concurrency']

export function writeLimits({ requestsPerMinute, tokensPerMinute, concurrency }: ProviderLimits = {}): LimitFields {
  return {
    requestsPerMinute: asText(requestsPerMinute),
    tokensPerMinute: asText(tokensPerMinute),
    concurrency: asText(concurrency),
  }
}

/** The limits that are filled in, or the errors by field. */
export function readLimits(
  fields: LimitFields,
): { value: ProviderLimits } | { errors: Partial<Record<LimitName, string>> } {
  const limits: ProviderLimits = {}
  const errors: Partial<Record<LimitName, string>> = {}
  for (const name of limitNames) {
    const read = readNumber(fields[name], { min: 1, max: providerLimitRange[name], isWhole: true, isOptional: true })
    if ('error' in read) errors[name] = `It ${read.error}.`
    else if (read.value !== undefined) limits[name] = read.value
  }
  return Object.keys(errors).length > 0 ? { errors } : { value: limits }
}
