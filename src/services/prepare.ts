import { InputError, type RunRequest, type Suite } from '../contract/index.ts'
import { isJudged, scorers as builtInScorers, type Scorer } from '../scoring/index.ts'
import type { Price } from './asking/price.ts'
import { planRun, type RunPlan } from './plan.ts'
import type { Connections, RunTools } from './run-tools.ts'

/** A plan with its connections and prices: ready to be estimated or executed. */
export interface PreparedRun extends RunPlan {
  prices: ReadonlyMap<string, Price>
  /** Models and judges whose price nobody told. */
  unknownPrices: readonly string[]
}

/** What planning needs: the ways to models, and scorers where there are others than ours. */
export interface PrepareTools extends Pick<RunTools, 'connect'> {
  scorers?: readonly Scorer[]
}

export function planningTools({ connect, scoring }: Pick<RunTools, 'connect' | 'scoring'>): PrepareTools {
  return { connect, scorers: scoring.scorers }
}

/** The judges that are really asked: a suite that no judge grades needs none. */
export function judgesOf({ request, cases }: RunPlan): readonly string[] {
  return cases.some(({ compiled }) => isJudged(compiled)) ? request.judgeModelIds : []
}

function findMissingKeys(models: readonly string[], { clientOf }: Connections): string[] {
  return models.flatMap((model) => {
    try {
      clientOf(model)
      return []
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      return [error.message]
    }
  })
}

/** Providers that tell prices with their models, and quickly; others are asked only when a budget or an estimate needs it. */
const TELLS_PRICES = new Set(['demo', 'openrouter'])

async function findPrices(
  models: readonly string[],
  { clientOf, readPrices }: Connections,
  isNeeded: boolean,
): Promise<ReadonlyMap<string, Price>> {
  if (isNeeded) return readPrices(models)
  const told = models.filter((model) => TELLS_PRICES.has(clientOf(model).provider))
  return readPrices(told).catch(() => new Map())
}

/** Plans the request and finds out what can be known before anything is sent. Problems are listed, not thrown. */
export async function prepareRun(
  request: RunRequest,
  suite: Suite,
  { connect, scorers = builtInScorers }: PrepareTools,
  options: { isEstimate?: boolean } = {},
): Promise<PreparedRun> {
  const plan = planRun(request, suite, scorers)
  const connections = connect(request, 0)
  const models = [...new Set([...request.models, ...judgesOf(plan)])]
  const missing = findMissingKeys(models, connections)
  const { maxCost } = request
  const { isEstimate = false } = options
  const prices =
    missing.length > 0
      ? new Map<string, Price>()
      : await findPrices(models, connections, maxCost !== undefined || isEstimate)
  const unknownPrices = models.filter((model) => !prices.has(model))
  const problems = [...plan.problems, ...missing]
  if (maxCost !== undefined && missing.length === 0 && unknownPrices.length > 0)
    problems.push(
      `the price of ${unknownPrices.join(', ')} is unknown, so a budget cannot be kept; leave the budget out`,
    )
  return { ...plan, prices, unknownPrices, problems }
}

/** Everything that can be wrong is told at once, before anything is written or sent. */
export function refuseProblems({ problems }: Pick<RunPlan, 'problems'>): void {
  if (problems.length > 0) throw new InputError(problems.join('\n'))
}
