import { decidingOf, InputError, toScoreTable, type JudgeStanding, type RunResult } from '../../contract/index.ts'
import { listComparedPairs, measureRankAgreement, type RankAgreement } from '../../statistics/index.ts'
import { findSuite } from '../model/cases.ts'
import { buildReport, type Report } from '../model/report.ts'
import { readRunPrompts, type Prompts, type TemplateWarning } from '../model/contestants/templates.ts'
import type { ReportCost } from '../model/standings/report-row.ts'
import { prepareForSharing, type SharingOptions } from '../sharing/sharing.ts'
import { describeSuiteChanges, describeVerdict, formatCount, formatShortTime, joinWords } from '../words/index.ts'
import { compareRuns, modelsOf, weighPairTemplates } from './compare-runs.ts'
import type { ComparedSide } from './compared-side.ts'
import { reportSide, type ComparisonReport, type LabelledPair } from './comparison.ts'
import { labelColumns, type ModelPair } from './pair-models.ts'
import { pairSamples } from './pair-samples.ts'
import { findSuiteChanges, type SuiteChanges } from './suite-changes.ts'

/** A run or series to compare, or some of its models. */
export interface Side extends ComparedSide {
  /** Its runs: two sides may be models of the same ones. */
  key: string
  models: string[]
  /** Whether the models were chosen. */
  isNamed: boolean
}

export function makeSide(runs: RunResult[], models?: string[]): Side {
  return { runs, key: runsKey(runs), models: models ?? modelsOf({ runs }), isNamed: models !== undefined }
}

const runsKey = (runs: readonly RunResult[]) => runs.map(({ id }) => id).join(' ')

export interface ComparisonOptions extends SharingOptions {
  cost?: ReportCost
  /** 0 to 1. */
  smallestDifference?: number | undefined
  sameWithin?: number | undefined
  /** A model with which all others are compared as the same one, served elsewhere. */
  reference?: string | undefined
  /** Compares cases whose prompt, expected output or scoring changed like all others. */
  isChangedCompared?: boolean
  calibrations?: readonly JudgeStanding[] | undefined
}

/** Case ids that do not stand for the same case in all sides, with what changed. */
export function findChangedCases([first, ...others]: readonly Side[]): SuiteChanges['changed'] {
  const changed: SuiteChanges['changed'] = new Map()
  for (const other of others)
    for (const [id, parts] of findSuiteChanges(settingsOf(first!), settingsOf(other)).changed)
      changed.set(id, [...new Set([...(changed.get(id) ?? []), ...parts])])
  return changed
}

function withoutCases(run: RunResult, left: ReadonlyMap<string, unknown>): RunResult {
  if (left.size === 0) return run
  // The order of the cases of a run that decides is drawn from all of them.
  const suite = run.request && decidingOf(run.request) ? undefined : run.testSuiteSnapshot
  return {
    ...run,
    results: run.results.filter(({ testCaseId }) => !left.has(testCaseId)),
    ...(suite && { testSuiteSnapshot: { ...suite, testCases: suite.testCases.filter(({ id }) => !left.has(id)) } }),
  }
}

type LabelOf = (side: ComparedSide, modelId: string) => string

/** Names a model alone, or with the time of its run if several sides have it. */
function createLabels(sides: readonly Side[]): LabelOf {
  const columns = [...Map.groupBy(sides, ({ key }) => key).values()].flatMap(([first, ...others]) =>
    [...new Set([first!, ...others].flatMap(({ models }) => models))].map((modelId) => {
      const { seriesId, id, startedAt, versions, label } = first!.runs[0]!
      const file = versions?.['importedFile']
      return { key: first!.key, modelId, runId: seriesId ?? id, startedAt, name: label?.name, file }
    }),
  )
  const labels = labelColumns(columns, formatShortTime)
  const labelOf = new Map(columns.map(({ key, modelId }, index) => [JSON.stringify([key, modelId]), labels[index]!]))
  return ({ runs }, modelId) => labelOf.get(JSON.stringify([runsKey(runs), modelId])) ?? modelId
}

/** Puts runs side by side: a model in several of them becomes one contestant per run or series. */
function mergeSides(sides: readonly Side[], labelOf: LabelOf, leftOut: ReadonlyMap<string, unknown>): RunResult[] {
  return [...Map.groupBy(sides, ({ key }) => key).values()].flatMap((same) => {
    const models = new Set(same.flatMap((side) => side.models))
    const side = same[0]!
    return side.runs.map((stored) => {
      const run = withoutCases(stored, leftOut)
      return {
        ...run,
        models: [...new Set(run.models)].filter((model) => models.has(model)).map((model) => labelOf(side, model)),
        results: run.results.flatMap((result) =>
          models.has(result.modelId) ? [{ ...result, modelId: labelOf(side, result.modelId) }] : [],
        ),
      }
    })
  })
}

/** The two sides to compare case by case; one run with two chosen models has one of them on each. */
function findTwoSides(sides: readonly Side[]): [Side, Side] | undefined {
  const [first, second] = sides
  if (first && second && sides.length === 2) return [first, second]
  const [before, after] = first?.models ?? []
  if (sides.length !== 1 || first?.isNamed !== true || first.models.length !== 2) return undefined
  return [
    { ...first, models: [before!] },
    { ...first, models: [after!] },
  ]
}

function isImported(sides: readonly Side[]): boolean {
  return sides.every(({ runs }) => runs.every(({ kind }) => kind === 'imported'))
}

/** If one side compared answers in pairs and the other scored them: how far both agree. */
function findRankAgreement([{ runs: before }, { runs: after }]: readonly [Side, Side]): RankAgreement | undefined {
  const isPairwise = (runs: readonly RunResult[]) => listComparedPairs(runs).length > 0
  if (isPairwise(before) === isPairwise(after)) return undefined
  const agreement = isPairwise(before) ? measureRankAgreement(before, after) : measureRankAgreement(after, before)
  // Ties everywhere say nothing about the order.
  return agreement && (Number.isFinite(agreement.tau) || agreement.pairs > 0) ? agreement : undefined
}

/** The sides as they may be passed on: only the models that are compared, all under the same new names. */
function shareSides(
  sides: readonly Side[],
  { calibrations, ...sharing }: Pick<ComparisonOptions, 'calibrations' | 'isAnonymous' | 'isWithoutTexts'>,
): {
  sides: Side[]
  calibrations: ComparisonOptions['calibrations']
  caseOf: (id: string) => string
  prompts: Prompts
} {
  const groups = [...Map.groupBy(sides, ({ key }) => key).values()].flatMap((same) => {
    const models = new Set(same.flatMap((side) => side.models))
    return same[0]!.runs.map((run) => ({
      ...run,
      models: run.models.filter((model) => models.has(model)),
      results: run.results.filter(({ modelId }) => models.has(modelId)),
    }))
  })
  const shared = prepareForSharing({ runs: groups, calibrations }, sharing)
  const places = new Map(groups.map(({ id }, index) => [id, index]))
  return {
    sides: sides.map(({ runs, models, isNamed }): Side => {
      const own = runs.map(({ id }) => shared.runs[places.get(id)!]!)
      return { ...makeSide(own, models.map(shared.nameOf)), isNamed }
    }),
    calibrations: shared.calibrations,
    caseOf: shared.caseOf,
    prompts: shared.prompts,
  }
}

function renameCases(
  { changed, otherMark, renamed, ...rest }: SuiteChanges,
  caseOf: (id: string) => string,
): SuiteChanges {
  return {
    ...rest,
    changed: new Map(Array.from(changed, ([id, parts]) => [caseOf(id), parts])),
    otherMark: new Set(Array.from(otherMark, caseOf)),
    renamed: renamed.map(({ from, to }) => ({ from: caseOf(from), to: caseOf(to) })),
  }
}

const settingsOf = ({ runs }: Side) => ({ suite: findSuite(runs), run: runs.at(-1) })

/** Suites may be of different tasks: without a shared case there is nothing to pair. */
export function refuseUnrelated(sides: readonly Side[], leftOut: ReadonlyMap<string, unknown>): void {
  const ids = sides.map(
    ({ runs }) => new Set(runs.flatMap(({ results }) => results.map(({ testCaseId }) => testCaseId))),
  )
  const [first = new Set<string>(), ...others] = ids
  const sameIds = [...first].filter((id) => others.every((other) => other.has(id)))
  if (sides.length < 2 || sameIds.some((id) => !leftOut.has(id))) return
  const named = sides.map(
    ({ runs: [run] }, index) =>
      `${run!.label?.name ?? run!.id} (${run!.testSuiteName ?? 'unknown task'}, ${formatCount(ids[index]!.size, 'sample')})`,
  )
  throw new InputError(
    sameIds.length === 0
      ? `${joinWords(named)} share no samples, so nothing can be paired${sides.length > 2 ? '; compare fewer of them' : ''}`
      : `${joinWords(named)} share ${formatCount(sameIds.length, 'id')} but no sample: their prompts, expected answers or scoring differ; --changed-too compares them all the same`,
  )
}

/**
 * The report of runs side by side. Two sides are compared case by case, with the verdicts of these pairs, corrected for
 * these pairs; a model that several sides have is a contestant for each.
 */
export function buildComparison(
  given: readonly Side[],
  options: ComparisonOptions = {},
): Report & { comparison: ComparisonReport } {
  const { smallestDifference, sameWithin, reference, isChangedCompared = false, cost, isAnonymous } = options
  // What changed is found before texts are left out.
  const stored = findTwoSides(given)
  const found: SuiteChanges = stored
    ? findSuiteChanges(settingsOf(stored[0]), settingsOf(stored[1]))
    : { changed: findChangedCases(given), otherMark: new Set(), renamed: [], settings: [], isKnown: true }
  const { sides, calibrations, caseOf, prompts } =
    options.isAnonymous || options.isWithoutTexts
      ? shareSides(given, options)
      : {
          sides: given,
          calibrations: options.calibrations,
          caseOf: (id: string) => id,
          prompts: readRunPrompts(given.flatMap(({ runs }) => runs)),
        }
  const suite = renameCases(found, caseOf)
  const leftOut: SuiteChanges['changed'] = isChangedCompared ? new Map() : suite.changed
  const labelOf = createLabels(sides)
  const merged = buildReport(mergeSides(sides, labelOf, leftOut), {
    ...(cost && !isAnonymous && { cost }),
    smallestDifference,
    sameWithin,
    ...(!isAnonymous && { reference }),
    calibrations,
    prompts,
  })
  const two = findTwoSides(sides)
  const pairs = two
    ? compareRuns(two[0], two[1], { smallestDifference, sameWithin, isChangedCompared, suite }).pairs.map(
        (pair): LabelledPair => ({
          ...pair,
          labels: [labelOf(two[0], pair.before), labelOf(two[1], pair.after)],
          ...(isImported(two) && {
            samples: pairSamples([two[0], pair.before], [two[1], pair.after], new Set(leftOut.keys())),
          }),
        }),
      )
    : []
  const agreement = two && findRankAgreement(two)
  const comparison: ComparisonReport = {
    sides: sides.map(({ runs, models }) => reportSide(runs, { suite: findSuite(runs), models })),
    pairs,
    suite,
    notes: describeSuiteChanges(suite, { isChangedCompared }),
    ...(agreement && { agreement }),
  }
  return {
    ...(two ? withVerdicts(merged, pairs, findPairTemplates(two, pairs, { prompts, leftOut })) : merged),
    comparison,
  }
}

/** Templates in the cases of two sides, by the verdicts of these pairs. */
function findPairTemplates(
  [before, after]: readonly [Side, Side],
  pairs: readonly LabelledPair[],
  { prompts, leftOut }: { prompts: Prompts; leftOut: ReadonlyMap<string, unknown> },
): TemplateWarning | undefined {
  const names = pairs.map((pair): ModelPair => [pair.before, pair.after])
  return weighPairTemplates(
    { before: toScoreTable(before.runs), after: toScoreTable(after.runs), pairs: names, leaveOut: [...leftOut.keys()] },
    {
      prompts,
      comparisons: pairs.map(
        ({ comparison, labels: [modelB, modelA] }) => comparison && { ...comparison, modelA, modelB },
      ),
    },
  )
}

/** With the verdicts of the web app's comparison. */
function withVerdicts(
  { templates: _overall, ...report }: Report,
  pairs: readonly LabelledPair[],
  templates: TemplateWarning | undefined,
): Report {
  return {
    ...report,
    ...(templates && { templates }),
    comparisons: pairs.flatMap(({ comparison, labels: [before, after] }) => {
      if (!comparison) return []
      const named = { ...comparison, modelA: after, modelB: before }
      return [{ comparison: named, sentence: describeVerdict(named) }]
    }),
    groups: [],
  }
}
