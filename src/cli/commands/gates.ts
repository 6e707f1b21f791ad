import {
  InputError,
  isSettled,
  isSkipped,
  marginOf,
  toScoreTable,
  type CellResult,
  type RunResult,
} from '../../contract/index.ts'
import { compareWithEarlier, findWorse, gateLevels, multiRunStats } from '../../statistics/index.ts'
import { isWithinMargin } from '../../statistics/baseline-gate.ts'
import { listCaseChanges, readCases } from '../../report/comparing/case-changes.ts'
import { findRunChanges } from '../../report/comparing/compare-runs.ts'
import { compareWithReference, type Reference } from '../../report/model/verdict/reference.ts'
import { formatMargin } from '../../report/words/numbers.ts'
import { describeCases } from '../../report/words/verdicts/verdicts.ts'
import { describeAgainstReference } from '../../report/words/verdicts/pairs/reference.ts'
import {
  describeBaselineFlips,
  describeChangedCases,
  formatCount,
  formatDifference,
  formatP,
  formatScore,
  joinWords,
} from '../../report/words/index.ts'
import type { Alarm, NoRerun, Rerun } from '../../services/index.ts'

/** What a run must achieve to pass in continuous integration. */
export interface Gates {
  /** 0 to 100, for each model. */
  failUnder?: number | undefined
  /** Runs that no model may be significantly worse than. */
  baseline?: RunResult[] | undefined
  /** Also compare cases that changed since the baseline, such as edited prompts. */
  changedToo?: boolean | undefined
  /** Runs both again to make sure; without it, the baseline counts as one that cannot be run again. */
  rerun?: ((alarm: Alarm) => Promise<Rerun>) | undefined
  /** The model that no other may be worse than by the margin or more. */
  notWorseThan?: Reference | undefined
  /** How many unscored or errored cells are allowed. */
  allowMissing: number
}

/** True if the run left the cell out because it could not change what the run was to decide. */
export function isLeftOut({ stopReason }: RunResult, cell: CellResult): boolean {
  return stopReason === 'decided' && isSkipped(cell)
}

export interface CheckedGates {
  /** A sentence each; none if the run passes. */
  failures: string[]
  /** What held, a sentence each, with what was compared. */
  passes: string[]
  /** What the gates did not count, and which cases changed against the baseline. */
  notes: string[]
}

interface NotWorseOptions {
  notWorseThan?: string
  /** In points. */
  margin?: number
}

/** `--not-worse-than M --margin D` go together. */
export function readNotWorseThan({ notWorseThan, margin }: NotWorseOptions): Reference | undefined {
  if (notWorseThan === undefined && margin === undefined) return undefined
  if (notWorseThan === undefined)
    throw new InputError('--margin needs the model to compare with: --not-worse-than MODEL')
  if (margin === undefined)
    throw new InputError('--not-worse-than needs the difference that does not matter, in points: --margin 2')
  return { model: notWorseThan, margin: margin / 100 }
}

const OBSTACLES: Record<Exclude<NoRerun['code'], 'impossible' | 'unscored'>, string> = {
  forbidden: '--no-rerun is set',
  budget: 'the budget is too small for that',
  stopped: 'the runs that make sure did not finish',
}

function describeObstacle(obstacle: NoRerun): string {
  if (obstacle.code === 'impossible') return obstacle.reason
  if (obstacle.code === 'unscored')
    return `${formatCount(obstacle.missing, 'fresh answer has', 'fresh answers have')} no score`
  return OBSTACLES[obstacle.code]
}

type Worse = ReturnType<typeof findWorse>

/**
 * A baseline that every commit is compared with returns its own chance each time: a first p < .05 is only a reason to
 * run both again, and the fresh runs alone decide. Where that cannot be done, a verdict takes more.
 */
async function confirmWorse(
  worse: Worse,
  {
    runs,
    baseline,
    leaveOut,
    sameWithin,
    rerun,
  }: Omit<Alarm, 'models'> & Pick<Gates, 'rerun'> & { sameWithin: number | undefined },
): Promise<{ confirmed: Map<string, string>; notes: string[] }> {
  const models = [...worse.keys()]
  const again = await rerun?.({ runs, baseline, models, leaveOut })
  const obstacle: NoRerun | undefined = again ? again.obstacle : { code: 'forbidden' }
  const confirmed = new Map<string, string>()
  if (obstacle || !again) {
    const notes = models.flatMap((model) => {
      const { adjustedP } = worse.get(model)!
      if (adjustedP < gateLevels.alone) {
        confirmed.set(model, '')
        return []
      }
      return [
        `${model} is below the baseline (${formatP(adjustedP)}), which fails only below ${gateLevels.alone}: both were not run again, because ${describeObstacle(obstacle ?? { code: 'stopped' })}`,
      ]
    })
    return { confirmed, notes }
  }
  const fresh = compareWithEarlier(again.candidate, again.baseline, models, { leaveOut, sameWithin })
  const notes = models.flatMap((model) => {
    const p = formatP(fresh.get(model)?.paired?.adjustedP)
    if (findWorse(fresh, gateLevels.fresh).has(model)) {
      confirmed.set(model, `, confirmed by ${formatCount(again.candidate.length, 'fresh run')} of both (${p})`)
      return []
    }
    return [
      `${model} was below the baseline at first (${formatP(worse.get(model)!.adjustedP)}), not with ${formatCount(again.candidate.length, 'fresh run')} of both (${p})`,
    ]
  })
  return { confirmed, notes }
}

/** The model of the highest mean; undefined if none has a score. */
function findBest(runs: readonly RunResult[]): string | undefined {
  const means = [...multiRunStats(runs)].flatMap(([modelId, { overCases }]) =>
    overCases.mean === undefined ? [] : [{ modelId, mean: overCases.mean }],
  )
  return means.toSorted((a, b) => b.mean - a.mean)[0]?.modelId
}

/** The runs with the best model's answers under the names of models that they lack, which are compared with those. */
function addStandIns(runs: readonly RunResult[], { best, lacking }: { best: string; lacking: readonly string[] }) {
  return runs.map((run): RunResult => ({
    ...run,
    models: [...run.models, ...lacking],
    results: [
      ...run.results,
      ...lacking.flatMap((modelId) =>
        run.results.filter((cell) => cell.modelId === best).map((cell) => ({ ...cell, modelId })),
      ),
    ],
  }))
}

/** A rerun asks the same model on both sides, which the baseline of a new model has not. */
const cannotRerun = (best: string) => (): Promise<Rerun> =>
  Promise.resolve({
    candidate: [],
    baseline: [],
    obstacle: { code: 'impossible', reason: `the baseline is of another model, ${best}` },
  })

async function checkBaseline(
  runs: readonly RunResult[],
  stored: readonly RunResult[],
  { rerun, changedToo = false }: Pick<Gates, 'rerun' | 'changedToo'>,
): Promise<CheckedGates> {
  const models = [...new Set(runs.flatMap((run) => run.models))]
  const storedModels = new Set(stored.flatMap((run) => run.models))
  const lacking = models.filter((model) => !storedModels.has(model))
  const best = findBest(stored)
  const baseline = best !== undefined && lacking.length > 0 ? addStandIns(stored, { best, lacking }) : stored
  const isNew = new Set(best === undefined ? [] : lacking)
  const compared = models.filter((model) => storedModels.has(model) || isNew.has(model))
  const nameBefore = (model: string) => (isNew.has(model) ? `the baseline's best model, ${best}` : 'the baseline')
  const suite = findRunChanges(stored, runs)
  const { changed } = suite
  const leaveOut = new Set(changedToo ? [] : changed.keys())
  const sameWithin = marginOf(toScoreTable(runs)) ?? marginOf(toScoreTable(baseline))
  const comparisons = compareWithEarlier(runs, baseline, compared, { leaveOut, sameWithin })
  const worse = findWorse(comparisons, gateLevels.alarm)
  const confirmed = new Map<string, string>()
  const notes: string[] = []
  for (const isForNew of [false, true]) {
    const own = new Map([...worse].filter(([model]) => isNew.has(model) === isForNew))
    if (own.size === 0) continue
    const again = isForNew ? cannotRerun(best!) : rerun
    const found = await confirmWorse(own, { runs, baseline, leaveOut, sameWithin, rerun: again })
    for (const [model, how] of found.confirmed) confirmed.set(model, how)
    notes.push(...found.notes)
  }
  const isPaired = runs.some(({ results }) => results.some(({ score }) => score?.comparisons))
  const hint = isPaired
    ? '; answers that are compared in pairs have a score only within their run'
    : leaveOut.size > 0
      ? '; --changed-too compares edited cases'
      : ''
  const failures = models.flatMap((model) => {
    const paired = comparisons.get(model)?.paired
    if (!paired) return [`${model} shares no scored case with ${nameBefore(model)}${hint}`]
    const { meanDiff, adjustedP, n, clusters } = paired
    const how = confirmed.get(model)
    if (how === undefined) return []
    const over = clusters === n ? '' : ` on ${describeCases(paired)}`
    return [
      `${model} is significantly worse than ${nameBefore(model)}: ${formatDifference(meanDiff)} points${over} (${formatP(adjustedP)}${compared.length > 1 ? `, corrected for ${formatCount(compared.length, 'model')}` : ''})${how}`,
    ]
  })
  const flips = compared.flatMap((model) => {
    const text = describeBaselineFlips(listCaseChanges(readCases(baseline, model), readCases(runs, model), { suite }))
    return text === undefined ? [] : [`${model}: ${text}`]
  })
  const passes = compared.flatMap((model) => {
    const paired = comparisons.get(model)?.paired
    if (!paired || confirmed.has(model)) return []
    const { meanDiff, adjustedP } = paired
    const gap = `${formatDifference(meanDiff)} points (${formatP(adjustedP)}) on ${describeCases(paired)}`
    return [
      isWithinMargin(paired)
        ? `${model} is worse than ${nameBefore(model)}, by less than the ${formatMargin(sameWithin!)} that matter: ${gap}`
        : `${model} is not significantly worse than ${nameBefore(model)}: ${gap}`,
    ]
  })
  const changes =
    changedToo && changed.size > 0
      ? [`${formatCount(changed.size, 'changed case is', 'changed cases are')} compared too (--changed-too)`]
      : describeChangedCases(changed)
  return { failures, passes, notes: [...changes, ...flips, ...notes] }
}

function checkNotWorse(runs: readonly RunResult[], wanted: Reference): string[] {
  const models = new Set(runs.flatMap((run) => run.models))
  if (!models.has(wanted.model)) return [describeNoReference(wanted.model, [...models])]
  return compareWithReference(runs, wanted)
    .filter(({ isNotWorse }) => !isNotWorse)
    .map((against) => describeAgainstReference(against, wanted))
}

function describeNoReference(model: string, models: readonly string[]): string {
  return `--not-worse-than: ${model} is not in this run, which has ${joinWords(models)}`
}

/** Refuses, before anything is sent, a reference that the run will not have or with nothing to compare with it. */
export function refuseReference(options: NotWorseOptions, contestants: readonly string[]): void {
  const wanted = readNotWorseThan(options)
  if (!wanted) return
  if (!contestants.includes(wanted.model)) throw new InputError(describeNoReference(wanted.model, contestants))
  if (contestants.length < 2)
    throw new InputError(`--not-worse-than: the run has no model but ${wanted.model}; name at least two`)
}

export async function checkGates(
  runs: readonly RunResult[],
  { failUnder, baseline, rerun, changedToo, notWorseThan, allowMissing }: Gates,
): Promise<CheckedGates> {
  const failures: string[] = []
  const passes: string[] = []
  const notes: string[] = []
  if (failUnder !== undefined) {
    const stats = multiRunStats(runs)
    for (const model of new Set(runs.flatMap((run) => run.models))) {
      const mean = stats.get(model)?.overCases.mean
      if (mean === undefined) failures.push(`${model} has no score at all`)
      else if (mean * 100 < failUnder - 1e-9)
        failures.push(`${model} scored ${formatScore(mean)}, below the required ${failUnder}`)
      else passes.push(`${model} scored ${formatScore(mean)}, at least ${failUnder} required`)
    }
  }
  if (notWorseThan) failures.push(...checkNotWorse(runs, notWorseThan))
  if (baseline) {
    const checked = await checkBaseline(runs, baseline, { rerun, changedToo })
    failures.push(...checked.failures)
    passes.push(...checked.passes)
    notes.push(...checked.notes)
  }
  if (failUnder !== undefined || baseline || notWorseThan) {
    const expected = runs.reduce(
      (sum, run) => sum + run.models.length * (run.testSuiteSnapshot?.testCases.length ?? 0),
      0,
    )
    const settled = runs.reduce(
      (sum, run) => sum + run.results.filter((cell) => isSettled(cell) || isLeftOut(run, cell)).length,
      0,
    )
    const missing = expected - settled
    if (missing > allowMissing)
      failures.push(
        `${formatCount(missing)} of ${formatCount(expected, 'cell')} have no score; at most ${formatCount(allowMissing)} may be missing (--allow-missing)`,
      )
  }
  return { failures, passes, notes }
}
