import { InputError, type ModelUse, type RunInput } from '../contract/index.ts'
import { isJudged, scorers as builtInScorers, type Scorer } from '../scoring/index.ts'
import type { Price } from './requesting/price.ts'
import { BATCH_PRICE, describeNoBatches } from './batching/batched-client.ts'
import { findLackingEndpoint, planRun, type RunPlan } from './plan.ts'
import type { Connections, RunTools } from './run-tools.ts'

/** A plan with its connections and prices: ready to be estimated or executed. */
export interface PreparedRun extends RunPlan {
  prices: ReadonlyMap<string, Price>
  /** Models, judges and embedding models without a known price. */
  unknownPrices: readonly string[]
}

/** What planning needs: connections to models, and scorers if they differ from the built-in ones. */
export interface PrepareTools extends Pick<RunTools, 'connect'> {
  scorers?: readonly Scorer[]
}

export function planningTools({ connect, scoring }: Pick<RunTools, 'connect' | 'scoring'>): PrepareTools {
  return { connect, scorers: scoring.scorers }
}

/** The judges that will be called: none if no case is judged. */
export function judgesOf({ request, cases }: RunPlan): readonly string[] {
  return cases.some(({ compiled }) => isJudged(compiled)) ? request.judgeModelIds : []
}

/** The embedding models that will be called. */
export function embeddersOf({ cases }: RunPlan): readonly string[] {
  return [...new Set(cases.flatMap(({ compiled }) => compiled.embeddingCalls.map(({ modelId }) => modelId)))]
}

/** Models that have no key, or that do not exist. */
function findUnreachable(models: readonly string[], { clientOf }: Connections, use: ModelUse): string[] {
  return models.flatMap((model) => {
    try {
      clientOf(model).checkModel?.(model, use)
      return []
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      return [error.message]
    }
  })
}

/** Discounts multiply: a token from the vendor's cache costs half of its own price in a batch. */
function batchPrice({ prompt, completion, cachedPrompt, cacheWrite }: Price): Price {
  return {
    prompt: prompt * BATCH_PRICE,
    completion: completion * BATCH_PRICE,
    ...(cachedPrompt !== undefined && { cachedPrompt: cachedPrompt * BATCH_PRICE }),
    ...(cacheWrite !== undefined && { cacheWrite: cacheWrite * BATCH_PRICE }),
  }
}

/** Providers whose price list is quick to get; the others' is requested only for a budget or an estimate. */
const QUICK_PRICES = new Set(['demo', 'openrouter'])

/** US dollars a token: more than any model costs. A provider that lists more, or no number, has no known price. */
const MAX_PRICE = 1

function isPossible({ prompt, completion, cachedPrompt = prompt, cacheWrite = prompt }: Price): boolean {
  return [prompt, completion, cachedPrompt, cacheWrite].every((price) => price >= 0 && price <= MAX_PRICE)
}

async function findPrices(
  models: readonly string[],
  { clientOf, readPrices }: Connections,
  isNeeded: boolean,
): Promise<ReadonlyMap<string, Price>> {
  if (isNeeded) return readPrices(models)
  const quick = models.filter((model) => {
    const { provider, price } = clientOf(model)
    return price !== undefined || QUICK_PRICES.has(provider)
  })
  return readPrices(quick).catch(() => new Map())
}

/** Plans the request and looks up keys and prices before anything is sent. Problems are listed, not thrown. */
export async function prepareRun(
  input: RunInput,
  { connect, scorers = builtInScorers }: PrepareTools,
  options: { isEstimate?: boolean } = {},
): Promise<PreparedRun> {
  const { request } = input
  const plan = planRun(input, scorers)
  const connections = connect(request, 0)
  const answering = [...new Set([...request.models, ...judgesOf(plan)])]
  const embedders = embeddersOf(plan)
  const lacking = findLackingEndpoint(request)
  const missing = [
    ...(lacking === undefined ? [] : [lacking]),
    ...findUnreachable(answering, connections, 'answers'),
    ...findUnreachable(embedders, connections, 'embeddings'),
  ]
  const models = [...new Set([...answering, ...embedders])]
  const { maxCost, batch = false } = request
  const { isEstimate = false } = options
  const isAskedInBatches = (model: string): boolean =>
    batch && !embedders.includes(model) && connections.clientOf(model).batches !== undefined
  const listed =
    missing.length > 0
      ? new Map<string, Price>()
      : await findPrices(models, connections, maxCost !== undefined || isEstimate)
  const prices = new Map(
    [...listed]
      .filter(([, price]) => isPossible(price))
      .map(([model, price]) => [model, isAskedInBatches(model) ? batchPrice(price) : price]),
  )
  const unknownPrices = models.filter((model) => !prices.has(model))
  const problems = [...plan.problems, ...missing]
  if (batch && missing.length === 0) {
    const providers = request.models.map((model) => connections.clientOf(model)).filter(({ batches }) => !batches)
    for (const provider of new Set(providers.map(({ provider: name }) => name)))
      problems.push(describeNoBatches(provider))
  }
  if (maxCost !== undefined && missing.length === 0 && unknownPrices.length > 0)
    problems.push(
      `the price of ${unknownPrices.join(', ')} is unknown, so a budget cannot be enforced; leave out the budget`,
    )
  return { ...plan, prices, unknownPrices, problems }
}

/** Throws all problems at once, before anything is written or sent. */
export function refuseProblems({ problems }: Pick<RunPlan, 'problems'>): void {
  if (problems.length > 0) throw new InputError(problems.join('\n'))
}
