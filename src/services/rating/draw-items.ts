import type { CellKey, RatingItem, RatingQueue } from '../../contract/index.ts'
import { createRandom, shuffle } from '../../statistics/numbers/random.ts'

/** The answers that may be drawn, by model and then by case: the repeats of a case lie together. */
export type Population = Map<string, Map<string, CellKey[]>>

/** The population with its texts in one order, whatever order they were stored in. */
function sortedEntries<Value>(map: ReadonlyMap<string, Value>): [string, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Draws cases of one model without replacement, and of each case one of its repeats. */
function drawOfModel(
  cases: ReadonlyMap<string, CellKey[]>,
  { count, random }: { count: number; random: () => number },
): CellKey[] {
  return shuffle(sortedEntries(cases), random)
    .slice(0, count)
    .map(([, repeats]) => {
      const ordered = repeats.toSorted((a, b) => (a.runId < b.runId ? -1 : 1))
      return ordered[Math.floor(random() * ordered.length)]!
    })
}

/** One answer of each model, of the same run where all models have one. */
function drawAnswers(
  testCaseId: string,
  { population, random }: { population: readonly [string, Map<string, CellKey[]>][]; random: () => number },
): CellKey[] {
  const answers = population.map(([, cases]) => cases.get(testCaseId)!.toSorted((a, b) => (a.runId < b.runId ? -1 : 1)))
  const shared = answers[0]!.filter(({ runId }) => answers.every((own) => own.some((cell) => cell.runId === runId)))
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(random() * values.length)]!
  const runId = shared.length > 0 ? pick(shared).runId : undefined
  return shuffle(
    answers.map((own) => own.find((cell) => cell.runId === runId) ?? pick(own)),
    random,
  )
}

/**
 * Draws cases that all models answered, and of each case an answer of every model, so that people rate both sides of
 * every difference. Clusters are drawn whole, so there may be a few cases more: cases of a cluster depend on each other.
 */
export function drawSameCases(
  population: Population,
  {
    perModel,
    seed,
    earlier = [],
    clusterOf = (testCaseId) => testCaseId,
  }: {
    perModel: number
    seed: string
    earlier?: readonly RatingItem[]
    clusterOf?: (testCaseId: string) => string
  },
): Pick<RatingQueue, 'strata' | 'items'> {
  const random = createRandom(`${seed} ${earlier.length}`)
  const models = sortedEntries(population)
  const shared = sortedEntries(models[0]?.[1] ?? new Map<string, CellKey[]>())
    .map(([testCaseId]) => testCaseId)
    .filter((testCaseId) => models.every(([, cases]) => cases.has(testCaseId)))
  const taken = new Set(earlier.map(({ testCaseId }) => testCaseId))
  const left = Map.groupBy(
    shared.filter((testCaseId) => !taken.has(testCaseId)),
    clusterOf,
  )
  const drawn: string[] = []
  for (const [, cases] of shuffle([...left], random)) {
    if (drawn.length >= perModel) break
    drawn.push(...cases)
  }
  const added = drawn.flatMap((testCaseId) => drawAnswers(testCaseId, { population: models, random }))
  return {
    strata: models.map(([modelId, cases]) => ({
      modelId,
      cases: shared.length,
      answers: shared.reduce((sum, testCaseId) => sum + cases.get(testCaseId)!.length, 0),
      drawn: taken.size + drawn.length,
    })),
    items: [...earlier, ...added.map((cell, index) => ({ position: earlier.length + index + 1, ...cell }))],
  }
}

/**
 * Draws answers at random within each model. Cases are drawn, not answers: repeats of a case are correlated, so one of
 * them says almost as much as all. The models take turns in an order that is drawn anew each round, so that whoever
 * stops early has rated about as many answers of each model, and the answers rated so far are a random sample too.
 * `earlier` items are kept: the new ones are drawn from the other cases and follow them.
 */
export function drawItems(
  population: Population,
  { perModel, seed, earlier = [] }: { perModel: number; seed: string; earlier?: readonly RatingItem[] },
): Pick<RatingQueue, 'strata' | 'items'> {
  const random = createRandom(`${seed} ${earlier.length}`)
  const drawnBefore = Map.groupBy(earlier, ({ modelId }) => modelId)
  const models = sortedEntries(population).map(([modelId, cases]) => {
    const before = drawnBefore.get(modelId) ?? []
    const taken = new Set(before.map(({ testCaseId }) => testCaseId))
    const left = new Map([...cases].filter(([testCaseId]) => !taken.has(testCaseId)))
    return { modelId, cases, before, drawn: drawOfModel(left, { count: perModel, random }) }
  })
  const rounds = Math.max(0, ...models.map(({ drawn }) => drawn.length))
  const added = Array.from({ length: rounds }, (_, round) =>
    shuffle(models, random).flatMap(({ drawn }) => drawn[round] ?? []),
  ).flat()
  return {
    strata: models.map(({ modelId, cases, before, drawn }) => ({
      modelId,
      cases: cases.size,
      answers: [...cases.values()].reduce((sum, repeats) => sum + repeats.length, 0),
      drawn: before.length + drawn.length,
    })),
    items: [...earlier, ...added.map((cell, index) => ({ position: earlier.length + index + 1, ...cell }))],
  }
}
