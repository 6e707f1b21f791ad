import { InputError, type RunRequest, type RunResult, type Suite } from '../../contract/index.ts'
import type { Price, RunSettings } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'

/** What it takes to run: everything but the manager itself. */
export type RunContext = Pick<
  ServerContext,
  'storage' | 'clientFor' | 'clientsOfRun' | 'readPrices' | 'engineTools' | 'now' | 'createId'
>

/** Only the cases asked for; asking for none that exists is refused. */
export function selectCases(suite: Suite, { filter, limit }: Pick<RunRequest, 'filter' | 'limit'>): Suite {
  const wanted = filter?.trim()
  const chosen = wanted
    ? suite.testCases.filter(
        ({ id, metadata }) => id === wanted || metadata?.category === wanted || metadata?.tags?.includes(wanted),
      )
    : suite.testCases
  if (chosen.length === 0) throw new InputError(`no test case has the id, category or tag ${JSON.stringify(wanted)}`)
  return { ...suite, testCases: chosen.slice(0, limit) }
}

/** The models that were chosen, without the variants they were run with. */
export function plainModels({ models, testSuiteSnapshot }: RunResult): string[] {
  const variants = testSuiteSnapshot?.variants ?? []
  const strip = (model: string) => {
    const variant = variants.find(({ name }) => model.endsWith(`@${name}`))
    return variant ? model.slice(0, -variant.name.length - 1) : model
  }
  return [...new Set(models.map(strip))]
}

/** Prices are needed for a budget; otherwise they are nice to have, and nobody waits for a provider that does not tell them. */
async function findPrices(
  context: RunContext,
  models: readonly string[],
  isNeeded: boolean,
): Promise<Map<string, Price>> {
  return isNeeded ? context.readPrices(models) : context.readPrices(models).catch(() => new Map())
}

export type PlannedSettings = Omit<RunSettings, 'client' | 'onEvent' | 'signal' | 'seriesId'>

/** What the engine needs to know, with everything that can be missing found at once. */
export async function planSettings(context: RunContext, suite: Suite, request: RunRequest): Promise<PlannedSettings> {
  const { models, judgeModelIds, timeoutSeconds, maxCost } = request
  for (const model of [...models, ...judgeModelIds]) context.clientFor(model)
  return {
    suite,
    models,
    parameters: request.parameters,
    judgeModelId: judgeModelIds,
    combineJudges: request.combineJudges,
    concurrency: request.concurrency,
    timeoutMs: timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000,
    maxCost,
    prices: await findPrices(context, [...models, ...judgeModelIds], maxCost !== undefined),
  }
}

/** The request that a stored run without a plan would have been: the command line's. */
export function requestOf(run: RunResult): RunRequest {
  return {
    suiteId: run.testSuiteId ?? '',
    models: plainModels(run),
    parameters: run.parameters ?? {},
    judgeModelIds: run.judgeModel?.split(',') ?? [],
    combineJudges: 'mean',
    repeat: 1,
    concurrency: 5,
  }
}
