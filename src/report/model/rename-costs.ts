import type { CostReport } from '../../statistics/index.ts'

/** The same with other names of the models. */
export function renameCosts(costs: CostReport, nameOf: (modelId: string) => string): CostReport {
  const { best, cheapest, open, models } = costs
  return {
    ...costs,
    best: nameOf(best),
    ...(cheapest !== undefined && { cheapest: nameOf(cheapest) }),
    open: open.map(nameOf),
    models: models.map((model) => ({ ...model, modelId: nameOf(model.modelId) })),
  }
}
