import { InputError, listSimulatedJudges, perToken, type ModelUse, type RunInput } from '../contract/index.ts'
import { isJudged, scorers as builtInScorers, type Scorer, type Scoring } from '../scoring/index.ts'
import type { Price } from './requesting/price.ts'
import { BATCH_PRICE, describeNoBatches } from './batching/batched-client.ts'
import { findLackingSecrets, planRun, type RunPlan } from './plan.ts'
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
  scoring?: Pick<Scoring, 'findObstacleTo'>
  external?: RunTools['external']
}

export function planningTools({
  connect,
  scoring,
  external,
}: Pick<RunTools, 'connect' | 'scoring' | 'external'>): PrepareTools {
  return { connect, scorers: scoring.scorers, scoring, external }
}

/** The judges that will be called: none if no case is judged. */
export function judgesOf({ request, cases }: RunPlan): readonly string[] {
  return cases.some(({ compiled }) => isJudged(compiled)) ? request.judgeModelIds : []
}

/** The embedding models that will be called. */
export function embeddersOf({ cases }: RunPlan): readonly string[] {
  return [...new Set(cases.flatMap(({ compiled }) => compiled.embeddingCalls.map(({ modelId }) => modelId)))]
}

/** The models that play users. */
export function usersOf({ cases }: RunPlan): readonly string[] {
  return [...new Set(cases.flatMap(({ conversation }) => conversation?.user?.modelId ?? []))]
}

/** Models whose price is given and that have no part in the run. */
export function findUnusedPrices(plan: RunPlan): string[] {
  const { models, judgeModelIds, modelPrices = {} } = plan.request
  const known = new Set([...models, ...judgeModelIds, ...embeddersOf(plan), ...usersOf(plan)])
  return Object.keys(modelPrices).filter((model) => !known.has(model))
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

/** Models pinned to a host (`model#host`) where nobody can choose one. */
async function findUnpinnable(models: readonly string[], { clientOf }: Connections): Promise<string[]> {
  const pinned = models.filter((model) => model.includes('#'))
  const problems = await Promise.all(
    pinned.map(async (model) => {
      try {
        await clientOf(model).checkHost?.(model)
        return []
      } catch (error) {
        if (!(error instanceof InputError)) throw error
        return [error.message]
      }
    }),
  )
  return problems.flat()
}

/** Discounts multiply: a token from the vendor's cache costs half of its own price in a batch. */
function batchPrice({ tiers, from, ...price }: Price): Price {
  const half = <Prices extends Omit<Price, 'tiers' | 'from'>>(prices: Prices): Prices => ({
    ...prices,
    ...Object.fromEntries(
      priceNames.flatMap((name) => {
        const value = prices[name]
        return value === undefined ? [] : [[name, value * BATCH_PRICE]]
      }),
    ),
  })
  return { ...half(price), ...(tiers && { tiers: tiers.map(half) }), ...(from !== undefined && { from }) }
}

const priceNames = ['prompt', 'completion', 'cachedPrompt', 'cacheWrite', 'reasoning'] as const

/** US dollars a token: more than any model costs. A provider that lists more, or no number, has no known price. */
const MAX_PRICE = 1

function isPossible(price: Price): boolean {
  return priceNames.every((name) => {
    const value = price[name] ?? 0
    return value >= 0 && value <= MAX_PRICE
  })
}

async function findPrices(
  models: readonly string[],
  { clientOf, readPrices }: Connections,
  isNeeded: boolean,
): Promise<ReadonlyMap<string, Price>> {
  if (isNeeded) return readPrices(models)
  // A server that does not list its models, or takes long to, only leaves the cost of its own unknown.
  const groups = [...Map.groupBy(models, clientOf).values()]
  const found = await Promise.all(
    groups.map((group) => readPrices(group, { isQuick: true }).catch(() => new Map<string, Price>())),
  )
  return new Map(found.flatMap((prices) => [...prices]))
}

/** US dollars per token: what the user says, by model, costs and not what others say. */
function readOwnPrices({ modelPrices = {} }: RunInput['request']): [model: string, price: Price][] {
  return Object.entries(modelPrices).map(([model, { input, output, cachedInput }]) => [
    model,
    {
      prompt: perToken(input),
      completion: perToken(output),
      ...(cachedInput !== undefined && { cachedPrompt: perToken(cachedInput) }),
    },
  ])
}

/** What prevents every score of the run; if some cases can be scored, the others stay unscored for that reason. */
async function findScoringObstacles({ cases }: RunPlan, scoring: PrepareTools['scoring']): Promise<string[]> {
  if (!scoring) return []
  const found = new Set<string>()
  for (const { compiled } of cases) {
    const obstacle = await scoring.findObstacleTo(compiled)
    if (obstacle === undefined) return []
    found.add(obstacle)
  }
  return [...found]
}

/** Programs and servers that a suite names, where they may not be started or reached. */
function findUnallowed({ cases }: RunPlan, external: RunTools['external']): string[] {
  const wanted = cases.flatMap(({ conversation }) => conversation?.environment ?? [])
  const servers = wanted.flatMap(({ mcp = {} }) => Object.values(mcp))
  const commands = new Set(
    servers.flatMap(({ command, args = [] }) => (command === undefined ? [] : [[command, ...args].join(' ')])),
  )
  const incomplete = servers.some(({ command, url }) => (command === undefined) === (url === undefined))
  if (incomplete) return ['each server of environment.mcp needs either a command or a url']
  if (!external && wanted.some(({ mcp, http }) => mcp ?? http))
    return [
      'the suite has tools outside of this program (environment); run it in the terminal: the web app reaches none',
    ]
  if (commands.size > 0 && external?.allowsCommands !== true)
    return [`the suite starts programs: ${[...commands].join('; ')}. If you trust it, allow that with --allow-commands`]
  return []
}

/** Plans the request and looks up keys and prices before anything is sent. Problems are listed, not thrown. */
export async function prepareRun(
  input: RunInput,
  { connect, scorers = builtInScorers, scoring, external }: PrepareTools,
  options: { isEstimate?: boolean } = {},
): Promise<PreparedRun> {
  const { request } = input
  const plan = planRun(input, scorers)
  const connections = connect(request, 0)
  const answering = [...new Set([...request.models, ...judgesOf(plan), ...usersOf(plan)])]
  const embedders = embeddersOf(plan)
  const lacking = findLackingSecrets(request)
  const unreachable = [
    ...(lacking === undefined ? [] : [lacking]),
    ...findUnreachable(answering, connections, 'answers'),
    ...findUnreachable(embedders, connections, 'embeddings'),
  ]
  const missing = unreachable.length > 0 ? unreachable : await findUnpinnable(answering, connections)
  const models = [...new Set([...answering, ...embedders])]
  const { maxCost, batch = false } = request
  const { isEstimate = false } = options
  const isAskedInBatches = (model: string): boolean =>
    batch && !embedders.includes(model) && connections.clientOf(model).batches !== undefined
  const own = new Map(readOwnPrices(request).filter(([model]) => models.includes(model)))
  const unpriced = models.filter((model) => !own.has(model))
  const listed =
    missing.length > 0
      ? new Map<string, Price>()
      : await findPrices(unpriced, connections, maxCost !== undefined || isEstimate)
  const prices = new Map(
    [...listed, ...own]
      .filter(([, price]) => isPossible(price))
      .map(([model, price]) => [model, isAskedInBatches(model) ? batchPrice(price) : price]),
  )
  for (const judge of listSimulatedJudges(judgesOf(plan), request.models))
    if (!own.has(judge) && !request.models.includes(judge)) prices.set(judge, { prompt: 0, completion: 0 })
  const unknownPrices = models.filter((model) => !prices.has(model))
  const problems = [
    ...plan.problems,
    ...missing,
    ...(await findScoringObstacles(plan, scoring)),
    ...findUnallowed(plan, external),
  ]
  if (batch && missing.length === 0) {
    const providers = request.models.map((model) => connections.clientOf(model)).filter(({ batches }) => !batches)
    for (const provider of new Set(providers.map(({ provider: name }) => name)))
      problems.push(describeNoBatches(provider))
  }
  if (maxCost !== undefined && missing.length === 0 && unknownPrices.length > 0)
    problems.push(
      `the price of ${unknownPrices.join(', ')} is unknown, so a budget cannot be enforced; leave out the budget, or say what it costs (--price)`,
    )
  return { ...plan, prices, unknownPrices, problems }
}

/** Throws all problems at once, before anything is written or sent. */
export function refuseProblems({ problems }: Pick<RunPlan, 'problems'>): void {
  if (problems.length > 0) throw new InputError(problems.join('\n'))
}
