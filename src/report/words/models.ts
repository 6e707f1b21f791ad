import { isSimulated, type EndpointPrice, type ProviderLimits } from '../../contract/index.ts'
import { formatContext, formatCount, formatPrice } from './numbers.ts'

export { isSimulated }

/** After a number of models, once per screen: ` (simulated)`, ` (2 simulated)`, or nothing. */
export function describeSimulated(modelIds: readonly string[]): string {
  const count = modelIds.filter(isSimulated).length
  if (count === 0) return ''
  return count === modelIds.length ? ' (simulated)' : ` (${count} simulated)`
}

/** That answers are no real model's; undefined if all are. */
export function warnOfSimulated(rows: readonly { isSimulated: boolean }[]): string | undefined {
  const simulated = rows.filter((row) => row.isSimulated).length
  if (simulated === 0) return undefined
  const whose = simulated === rows.length ? 'All answers are' : `The answers of ${formatCount(simulated, 'model')} are`
  return `${whose} simulated and say nothing about any real model.`
}

/** `$2.00 in, $10.00 out per million tokens`; prices are per million. */
export function describePrice(price: EndpointPrice | undefined): string {
  if (!price) return 'price unknown'
  if (price.input === 0 && price.output === 0) return 'free'
  const write = (dollars: number) => formatPrice(dollars / 1_000_000)
  const cached = price.cachedInput === undefined ? '' : ` (${write(price.cachedInput)} cached)`
  return `${write(price.input)} in${cached}, ${write(price.output)} out per million tokens`
}

/** A model of a provider's list, with its price per token. */
interface ListedModel {
  id: string
  provider: string
  promptPrice?: number | undefined
  completionPrice?: number | undefined
  contextLength?: number | undefined
}

/** What a million tokens cost, in a narrow place, or why that is unknown. */
export function describeListedPrice(model: ListedModel | undefined, isListed: boolean): string {
  if (!model) return isListed ? 'not listed, price unknown' : ''
  if (model.completionPrice === undefined) return 'price unknown'
  return `${formatPrice(model.promptPrice)} in · ${formatPrice(model.completionPrice)} out`
}

/** For screen readers. */
export function describeModel({ id, provider, promptPrice = 0, completionPrice, contextLength }: ListedModel): string {
  const price =
    completionPrice === undefined ? undefined : { input: promptPrice * 1_000_000, output: completionPrice * 1_000_000 }
  return `${id}, ${provider}, ${describePrice(price)}, context ${formatContext(contextLength)}`
}

/** `600 requests/min, 8 at once`; undefined if nothing is limited. */
export function describeLimits(limits: ProviderLimits | undefined): string | undefined {
  const { requestsPerMinute, tokensPerMinute, concurrency } = limits ?? {}
  const parts = [
    requestsPerMinute !== undefined && `${formatCount(requestsPerMinute)} requests/min`,
    tokensPerMinute !== undefined && `${formatCount(tokensPerMinute)} tokens/min`,
    concurrency !== undefined && `${formatCount(concurrency)} at once`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? undefined : parts.join(', ')
}
