import { decidingOf, InputError, type RunResult } from '../../contract/index.ts'
import type { CaseChange } from '../../report/comparing/case-changes.ts'
import { compareRuns, modelsOf, type ComparedSide, type RunComparison } from '../../report/comparing/compare-runs.ts'
import { labelColumns } from '../../report/comparing/pair-models.ts'
import { pairSamples, type PairedSamples } from '../../report/comparing/pair-samples.ts'
import { findSuiteChanges, type SuiteChanges } from '../../report/comparing/suite-changes.ts'
import { makeRunDocument } from '../../report/formats/json.ts'
import { buildReport, type Report } from '../../report/index.ts'
import { findSuite } from '../../report/model/cases.ts'
import { findStandings } from '../../services/index.ts'
import {
  describeRankAgreement,
  describeSuiteChanges,
  describeVerdict,
  formatCount,
  formatShortTime,
  joinWords,
} from '../../report/words/index.ts'
import { listComparedPairs, measureRankAgreement, type RankAgreement } from '../../statistics/index.ts'
import type { ResultsOptions } from '../options/results-options.ts'
import { toShare } from '../options/run-options.ts'
import { formatCaseChanges, type LabelledPair } from '../output/case-changes-text.ts'
import { formatResults } from '../output/results-text.ts'
import { printJson, type Terminal } from '../output/terminal.ts'
import { cleanText, wrapText } from '../output/text-table.ts'
import { findCost, findSeries } from './find-run.ts'
import { withCompared, type Compared, type NamedFile } from './compare-files.ts'
import type { StoredOptions } from './stored-commands.ts'

export interface CompareOptions extends StoredOptions, ResultsOptions {
  models?: string[]
  cases?: boolean
  changedToo?: boolean
}

/** What one argument names: a run or series, or some of its models. */
interface Side extends ComparedSide {
  /** The runs: `latest` and an id may name the same ones. */
  key: string
  models: string[]
  isNamed: boolean
}

function makeSide(runs: RunResult[], models?: string[]): Side {
  const key = runs.map(({ id }) => id).join(' ')
  return { runs, key, models: models ?? modelsOf({ runs }), isNamed: models !== undefined }
}

/** The runs of a file, or one model of it. */
function makeFileSide({ path, runs }: NamedFile, model: string): Side {
  if (model === '') return makeSide(runs)
  const models = modelsOf({ runs })
  if (models.includes(model)) return makeSide(runs, [model])
  throw new InputError(`${path} has no model ${model}; it has ${joinWords(models)}`)
}

/** Finds `RUN` or `RUN:MODEL`. Both may contain colons, so the first one counts that leaves a run and a model of it. */
async function findSide(name: string, { storage, files }: Compared): Promise<Side> {
  const file = files.find(({ path }) => name === path || name.startsWith(`${path}:`))
  if (file) return makeFileSide(file, name.slice(file.path.length + 1))
  if (!name.includes(':') || (await storage.findRuns(name)).length > 0) return makeSide(await findSeries(storage, name))
  let problem: InputError | undefined
  for (let at = name.indexOf(':'); at >= 0; at = name.indexOf(':', at + 1)) {
    const [run, model] = [name.slice(0, at), name.slice(at + 1)]
    if (run === '' || (await storage.findRuns(run)).length === 0) continue
    const runs = await findSeries(storage, run)
    const models = modelsOf({ runs })
    if (models.includes(model)) return makeSide(runs, [model])
    problem ??= new InputError(`run ${run} has no model ${model}; it has ${joinWords(models)}`)
  }
  throw problem ?? new InputError(`there is no run ${name.slice(0, name.indexOf(':'))}; benchmaker list shows all runs`)
}

/** Only the chosen models of each side. */
function chooseModels(sides: Side[], chosen: readonly string[] | undefined): Side[] {
  if (!chosen) return sides
  const all = [...new Set(sides.flatMap(({ models }) => models))]
  const unknown = chosen.filter((model) => !all.includes(model))
  if (unknown.length > 0)
    throw new InputError(`none of the runs has the model ${joinWords(unknown)}; they have ${joinWords(all)}`)
  return sides.map((side) => {
    const models = chosen.filter((model) => side.models.includes(model))
    if (models.length > 0) return { ...side, models, isNamed: true }
    throw new InputError(
      `run ${side.runs[0]!.id} has none of the models ${joinWords(chosen)}; it has ${joinWords(side.models)}`,
    )
  })
}

/** The sides that were named, each once. */
async function findSides(names: string[], chosen: string[] | undefined, compared: Compared): Promise<Side[]> {
  const found: Side[] = []
  for (const name of names) found.push(await findSide(name, compared))
  const sides = new Map(chooseModels(found, chosen).map((side) => [JSON.stringify([side.key, side.models]), side]))
  if (names.length > 1 && sides.size === 1)
    throw new InputError(
      compared.files.length > 0
        ? `${names.join(' and ')} are the same results, so there is nothing to compare`
        : `${names.join(' and ')} are the same run, so there is nothing to compare; benchmaker list shows the others`,
    )
  return [...sides.values()]
}

/** Case ids that do not stand for the same case in all sides, with what changed. */
function findChangedCases([first, ...others]: Side[]): SuiteChanges['changed'] {
  const suite = findSuite(first!.runs)
  const changed: SuiteChanges['changed'] = new Map()
  for (const { runs } of others)
    for (const [id, parts] of findSuiteChanges({ suite }, { suite: findSuite(runs) }).changed)
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
    ...(suite && {
      testSuiteSnapshot: { ...suite, testCases: suite.testCases.filter(({ id }) => !left.has(id)) },
    }),
  }
}

type LabelOf = (side: ComparedSide, modelId: string) => string

/** Names a model alone, or with the time of its run if several sides have it. */
function createLabels(sides: Side[]): LabelOf {
  const columns = [...Map.groupBy(sides, ({ key }) => key).values()].flatMap(([first, ...others]) =>
    [...new Set([first!, ...others].flatMap(({ models }) => models))].map((modelId) => {
      const { seriesId, id, startedAt, versions } = first!.runs[0]!
      return { key: first!.key, modelId, runId: seriesId ?? id, startedAt, file: versions?.['importedFile'] }
    }),
  )
  const labels = labelColumns(columns, formatShortTime)
  const labelOf = new Map(columns.map(({ key, modelId }, index) => [JSON.stringify([key, modelId]), labels[index]!]))
  return ({ runs }, modelId) => labelOf.get(JSON.stringify([runs.map(({ id }) => id).join(' '), modelId])) ?? modelId
}

/** Puts runs side by side: a model in several of them becomes one contestant per run or series. */
function mergeSides(sides: Side[], labelOf: LabelOf, leftOut: ReadonlyMap<string, unknown>): RunResult[] {
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
function findTwoSides(sides: Side[]): [Side, Side] | undefined {
  const [first, second] = sides
  if (first && second && sides.length === 2) return [first, second]
  const [before, after] = first?.models ?? []
  if (sides.length !== 1 || first?.isNamed !== true || first.models.length !== 2) return undefined
  return [
    { ...first, models: [before!] },
    { ...first, models: [after!] },
  ]
}

interface LabelledComparison extends Pick<RunComparison, 'suite'> {
  /** With the samples of imported runs. */
  pairs: (LabelledPair & { samples?: PairedSamples })[]
}

function describeCaseJson({ before, after, ...change }: CaseChange): unknown {
  const describe = (cell: CaseChange['before']) =>
    cell && { score: cell.score ?? null, passed: cell.passed, scored: cell.scored, state: cell.state }
  return { ...change, before: describe(before) ?? null, after: describe(after) ?? null }
}

/** `changes` and `suiteChanges` of `--json`. */
function describeJson({ pairs, suite }: LabelledComparison): Record<string, unknown> {
  return {
    changes: pairs.map(({ labels: [before, after], samples, changes: { cases, ...counts } }) => ({
      before,
      after,
      ...(samples && { samples }),
      ...counts,
      cases: cases.map(describeCaseJson),
    })),
    suiteChanges: {
      changed: Object.fromEntries(suite.changed),
      otherPassMark: [...suite.otherMark],
      renamed: suite.renamed,
      settings: suite.settings,
    },
  }
}

/** With the verdicts of the web app's comparison: these pairs, corrected for these pairs. */
function withComparison(report: Report, { pairs }: LabelledComparison): Report {
  return {
    ...report,
    comparisons: pairs.flatMap(({ comparison, labels: [before, after] }) => {
      if (!comparison) return []
      const named = { ...comparison, modelA: after, modelB: before }
      return [{ comparison: named, sentence: describeVerdict(named) }]
    }),
    groups: [],
  }
}

function isImported(sides: readonly Side[]): boolean {
  return sides.every(({ runs }) => runs.every(({ versions }) => versions?.['importedFrom'] !== undefined))
}

function formatNotes(notes: readonly string[], { columns }: Terminal): string {
  if (notes.length === 0) return ''
  const lines = notes.map((note) => `  ${wrapText(cleanText(note), columns, '  ')}\n`)
  return `\nWhat else differs between the runs\n${lines.join('')}`
}

/** If one side compared answers in pairs and the other scored them: how far both agree. */
function findRankAgreement([{ runs: before }, { runs: after }]: readonly [Side, Side]): RankAgreement | undefined {
  const isCompared = (runs: readonly RunResult[]) => listComparedPairs(runs).length > 0
  if (isCompared(before) === isCompared(after)) return undefined
  const agreement = isCompared(before) ? measureRankAgreement(before, after) : measureRankAgreement(after, before)
  // Ties everywhere say nothing about the order.
  return agreement && (Number.isFinite(agreement.tau) || agreement.pairs > 0) ? agreement : undefined
}

/** The answers of two models of imported runs, paired by sample and epoch, in words. */
function describeSamples(
  { shared, both, onlyBefore, onlyAfter, neither }: PairedSamples,
  [before, after]: readonly [string, string],
): string {
  return `Paired by sample and epoch: ${formatCount(shared)} in both; ${onlyBefore} only ${before} right, ${onlyAfter} only ${after} right, ${both} both, ${neither} neither.`
}

/** Files may be of different tasks: without a shared sample there is nothing to pair. */
function refuseUnrelated(sides: readonly Side[], leftOut: ReadonlyMap<string, unknown>): void {
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
      ? `${joinWords(named)} share no samples, so nothing can be paired`
      : `${joinWords(named)} share ${formatCount(sameIds.length, 'id')} but no sample: their prompts or expected answers differ; --changed-too compares them all the same`,
  )
}

/** `benchmaker compare RUN…`, of which each may also be a results file. */
export function compareStored(names: string[], options: CompareOptions, terminal: Terminal): Promise<number> {
  return withCompared(names, options, terminal, async (compared) => {
    const { storage } = compared
    const sides = await findSides(names, options.models, compared)
    const labelOf = createLabels(sides)
    const leftOut: SuiteChanges['changed'] = options.changedToo ? new Map() : findChangedCases(sides)
    if (compared.files.length > 0) refuseUnrelated(sides, leftOut)
    await compared.keepFiles()
    const smallestDifference = toShare(options.smallestDifference)
    const merged = buildReport(mergeSides(sides, labelOf, leftOut), {
      cost: await findCost(
        storage,
        sides.flatMap(({ runs }) => runs),
      ),
      smallestDifference,
      calibrations: await findStandings(
        sides.flatMap(({ runs }) => runs),
        storage,
      ),
    })
    const two = findTwoSides(sides)
    const found =
      two && compareRuns(two[0], two[1], { smallestDifference, isChangedCompared: options.changedToo === true })
    const comparison = found && {
      ...found,
      pairs: found.pairs.map((pair) => ({
        ...pair,
        labels: [labelOf(two[0], pair.before), labelOf(two[1], pair.after)] as const,
        ...(isImported(two) && {
          samples: pairSamples([two[0], pair.before], [two[1], pair.after], new Set(leftOut.keys())),
        }),
      })),
    }
    const report = comparison ? withComparison(merged, comparison) : merged
    const agreement = two && findRankAgreement(two)
    if (options.json)
      printJson(
        {
          ...makeRunDocument(report),
          ...(comparison && describeJson(comparison)),
          ...(agreement && { rankAgreement: agreement }),
        },
        terminal,
      )
    const sink = options.json ? terminal.stderr : terminal.stdout
    sink.write(formatResults(report, terminal))
    if (agreement) sink.write(`\n${wrapText(describeRankAgreement(agreement), terminal.columns, '  ')}\n`)
    if (comparison) {
      const notes = describeSuiteChanges(comparison.suite, { isChangedCompared: options.changedToo === true })
      for (const { samples, labels } of comparison.pairs)
        if (samples) sink.write(`\n${wrapText(cleanText(describeSamples(samples, labels)), terminal.columns, '')}\n`)
      sink.write(formatNotes(notes, terminal))
      sink.write(formatCaseChanges(comparison.pairs, { areAllShown: options.cases === true }, terminal))
    } else if (leftOut.size > 0) {
      const all = { changed: leftOut, otherMark: new Set<string>(), renamed: [], settings: [], isKnown: true }
      sink.write(formatNotes(describeSuiteChanges(all), terminal))
    }
    return 0
  })
}
