/** A leaderboard over fewer of the cases than this says little about them. */
const LEAST_SHARE = 0.8

/** What a leaderboard of several models rests on. */
export interface SharedCases<Case> {
  /** The models that are ranked, on `cases`; none if no two models share a case. */
  ranked: string[]
  /** They lack too many cases; the one that lacks most first. */
  leftOut: string[]
  /** The cases that all ranked models have a score for. */
  cases: ReadonlySet<Case>
  /** How many cases any of the ranked models has a score for. */
  of: number
}

interface Share<Case> {
  models: string[]
  cases: Set<Case>
  of: number
}

const shareOf = ({ cases, of }: Share<unknown>) => (of === 0 ? 0 : cases.size / of)

function intersect<Case>(models: readonly string[], casesOf: ReadonlyMap<string, ReadonlySet<Case>>): Share<Case> {
  const counts = new Map<Case, number>()
  for (const modelId of models) for (const id of casesOf.get(modelId)!) counts.set(id, (counts.get(id) ?? 0) + 1)
  const shared = [...counts].flatMap(([id, count]) => (count === models.length ? [id] : []))
  return { models: [...models], cases: new Set(shared), of: counts.size }
}

/** Without the model that lacks most; of several, the one without which the others share most, else the last. */
function leaveOneOut<Case>(
  { models }: Share<Case>,
  casesOf: ReadonlyMap<string, ReadonlySet<Case>>,
): { share: Share<Case>; leftOut: string } {
  const fewest = Math.min(...models.map((modelId) => casesOf.get(modelId)!.size))
  const candidates = models
    .filter((modelId) => casesOf.get(modelId)!.size === fewest)
    .map((leftOut) => ({
      leftOut,
      share: intersect(
        models.filter((modelId) => modelId !== leftOut),
        casesOf,
      ),
    }))
  return candidates.reduce((best, one) => (shareOf(one.share) >= shareOf(best.share) ? one : best))
}

/**
 * The cases that all models have a score for, so that none leads because its hard cases are missing. If they are less
 * than 80 % of all cases, the model that lacks most is left out until they are; if all lack as many, none stands out. If
 * no two models share as many, all stay that have any case in common. Each model, the best first, is given with the cases it has a score for.
 */
export function findSharedCases<Case>(casesOf: ReadonlyMap<string, ReadonlySet<Case>>): SharedCases<Case> {
  const all = intersect([...casesOf.keys()], casesOf)
  const steps = [{ share: all, leftOut: Array<string>() }]
  for (let step = steps[0]!; shareOf(step.share) < LEAST_SHARE && step.share.models.length > 2;) {
    const sizes = new Set(step.share.models.map((modelId) => casesOf.get(modelId)!.size))
    if (sizes.size === 1 && step.share.cases.size > 0) break
    const { share, leftOut } = leaveOneOut(step.share, casesOf)
    step = { share, leftOut: [...step.leftOut, leftOut] }
    steps.push(step)
  }
  const found =
    steps.find(({ share }) => shareOf(share) >= LEAST_SHARE) ?? steps.find(({ share }) => share.cases.size > 0)
  if (!found) return { ranked: [], leftOut: [...casesOf.keys()], cases: new Set(), of: all.of }
  const { share, leftOut } = found
  return { ranked: share.models, leftOut, cases: share.cases, of: share.of }
}
