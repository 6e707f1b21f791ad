import { InputError } from '../../../contract/index.ts'
import {
  buildComparison,
  findChangedCases,
  makeSide,
  refuseUnrelated,
  type Side,
} from '../../../report/comparing/comparison-report.ts'
import { listGroups } from '../../../report/model/standings/groups.ts'
import { modelsOf } from '../../../report/comparing/compare-runs.ts'
import { writeReport } from '../../../report/index.ts'
import { findStandings } from '../../../services/index.ts'
import { describeRankAgreement, describeSamples, joinWords } from '../../../report/words/index.ts'
import type { ResultsOptions } from '../../options/reading-options.ts'
import { toShare } from '../../options/run-options.ts'
import { sharingOf, type SharingFlags } from '../../options/sharing-options.ts'
import { drawCaseChanges } from '../../output/results/case-changes-text.ts'
import { checkExportFiles, writeReportFiles } from '../../output/report-files.ts'
import { drawResults, type ResultsTextOptions } from '../../output/results/results-text.ts'
import { printDocument, type Terminal } from '../../output/terminal.ts'
import { refuseFormatOfFiles } from '../../options/out-files.ts'
import { cleanText, wrapText } from '../../output/text-table.ts'
import { findCost, findResult, isRunName } from './find-run.ts'
import { expandFolders, refuseMissing, withCompared, type Compared, type NamedFile } from './compare-files.ts'
import type { StoredOptions } from './stored-commands.ts'

export interface CompareOptions
  extends StoredOptions, ResultsOptions, SharingFlags, Pick<ResultsTextOptions, 'output' | 'pairs'> {
  out?: string[]
  format?: string
  models?: string[]
  cases?: boolean
  changedToo?: boolean
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
  const isRun = await isRunName(storage, name)
  if (!isRun && /[./\\]/.test(name) && !name.includes(':')) refuseMissing(name)
  if (!name.includes(':') || isRun) return makeSide(await findResult(storage, name))
  let problem: InputError | undefined
  for (let at = name.indexOf(':'); at >= 0; at = name.indexOf(':', at + 1)) {
    const [run, model] = [name.slice(0, at), name.slice(at + 1)]
    if (run === '' || !(await isRunName(storage, run))) continue
    const runs = await findResult(storage, run)
    const models = modelsOf({ runs })
    if (models.includes(model)) return makeSide(runs, [model])
    problem ??= new InputError(`run ${run} has no model ${model}; it has ${joinWords(models)}`)
  }
  throw problem ?? refuseMissing(name.slice(0, name.indexOf(':')))
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

function drawNotes(notes: readonly string[], { columns }: Terminal): string {
  if (notes.length === 0) return ''
  const lines = notes.map((note) => `  ${wrapText(cleanText(note), columns, '  ')}\n`)
  return `\nWhat else differs between the runs\n${lines.join('')}`
}

/** `benchmaker compare RUN…`, of which each may also be a results file. */
export async function compareStored(given: string[], options: CompareOptions, terminal: Terminal): Promise<number> {
  const { out = [], format, json = false } = options
  refuseFormatOfFiles(options)
  if (json && format !== undefined) throw new InputError('--json and --format contradict each other; leave one out')
  const names = await expandFolders(given, options, terminal)
  return withCompared(names, options, terminal, async (compared) => {
    const { storage } = compared
    await checkExportFiles(out)
    const sides = await findSides(names, options.models, compared)
    const isChangedCompared = options.changedToo === true
    if (compared.files.length > 0) refuseUnrelated(sides, isChangedCompared ? new Map() : findChangedCases(sides))
    await compared.keepFiles()
    const all = sides.flatMap(({ runs }) => runs)
    const report = buildComparison(sides, {
      cost: await findCost(storage, all),
      smallestDifference: toShare(options.smallestDifference),
      sameWithin: toShare(options.sameWithin),
      reference: options.reference,
      isChangedCompared,
      calibrations: await findStandings(all, storage),
      ...sharingOf(options),
    })
    await writeReportFiles(report, out)
    for (const file of out) terminal.stderr.write(`wrote ${cleanText(file)}\n`)
    if (format !== undefined) {
      printDocument(writeReport(report, { format }), terminal)
      return 0
    }
    const { comparison } = report
    if (json) printDocument(writeReport(report, { format: 'json' }), terminal)
    const sink = json ? terminal.stderr : terminal.stdout
    sink.write(drawResults(report, terminal, { ...options, groups: listGroups(report) }))
    const { agreement, pairs, suite } = comparison
    const isLeftOut = suite.changed.size > 0 && !isChangedCompared
    const notes = [...comparison.notes, ...(isLeftOut ? ['To compare changed cases all the same: --changed-too'] : [])]
    if (agreement) sink.write(`\n${wrapText(describeRankAgreement(agreement), terminal.columns, '  ')}\n`)
    for (const { samples, labels } of pairs)
      if (samples) sink.write(`\n${wrapText(cleanText(describeSamples(samples, labels)), terminal.columns, '')}\n`)
    sink.write(drawNotes(notes, terminal))
    const areAllShown = options.cases === true
    // Of samples that are counted in a line, the cases are read by whoever wants them.
    const listed = areAllShown || options.output === 'full' ? pairs : pairs.filter(({ samples }) => !samples)
    sink.write(drawCaseChanges(listed, { areAllShown }, terminal))
    if (listed.length < pairs.length) sink.write('--cases lists the cases.\n')
    return 0
  })
}
