import type { ReportSummary } from '../../../report/index.ts'
import type { GroupedStandings } from '../../../report/model/standings/grouped-standings.ts'
import { listRepeated } from '../../../report/model/standings/standings.ts'
import { groupTable } from '../../../report/tables/groups.ts'
import {
  advisePlans,
  describeAgreement,
  describeCorrection,
  describeDisagreement,
  describeEstimate,
  describeEvidence,
  describeFlaky,
  describeGroups,
  describePeople,
  hasRatedSample,
  describeRatings,
  describeRunCounts,
  describeVerdict,
  explainGroups,
  explainIntervals,
  explainSequential,
  formatSeriesLine,
  headGroup,
  listAgreement,
  listCorrectedPairs,
  listJudgingSections,
  listPeopleNotes,
  omitFirstPlace,
  PEOPLE_TITLE,
} from '../../../report/words/index.ts'
import { styleFor, type Terminal } from '../terminal.ts'
import { cleanText, drawTable, wrapText } from '../text-table.ts'

/** How models are called in sentences. */
export type NameModel = (modelId: string) => string

type Room = Pick<Terminal, 'columns' | 'colour'>

/** Indents a paragraph and wraps it. */
function paragraph(text: string, { columns }: Room, { mark = '  ', indent = '  ' } = {}): string {
  return `${mark}${wrapText(text, columns, indent)}\n`
}

/** The sentence of every pair, and the numbers behind it. */
function drawComparisons({ rows, comparisons, groups }: ReportSummary, terminal: Room, nameOf: NameModel): string {
  if (comparisons.length === 0) return ''
  const style = styleFor(terminal)
  const indent = '    '
  const lines = comparisons.map(({ comparison }) => {
    const { modelA, modelB, paired } = comparison
    const mark = paired?.isSignificant ? '  ≠ ' : style('dim', '  ≈ ')
    const sentence = describeVerdict({ ...comparison, modelA: nameOf(modelA), modelB: nameOf(modelB) })
    const figures = paired && describeEvidence(paired)
    return [
      paragraph(sentence, terminal, { mark, indent }),
      ...(figures === undefined ? [] : [`${indent}${style('dim', wrapText(figures, terminal.columns, indent))}\n`]),
    ].join('')
  })
  const tests = comparisons.flatMap(({ comparison: { paired } }) => paired?.verdictTest ?? [])
  const corrected = comparisons.length > 1 ? `, ${describeCorrection(tests)}` : ''
  const pairs = comparisons.map(({ comparison }) => comparison)
  const notes = [explainIntervals(pairs), advisePlans(pairs), explainSequential(tests)]
  const together = omitFirstPlace(groups, rows, pairs).map((group) =>
    paragraph(`${headGroup(group, pairs)} ${group.map(nameOf).join(', ')}`, terminal, { indent }),
  )
  return [
    '\n',
    paragraph(`Which differences are real (paired by case${corrected})`, terminal, { mark: '' }),
    ...lines,
    ...together,
    ...notes.flatMap((note) => (note === undefined ? [] : [paragraph(note, terminal)])),
  ].join('')
}

/** With more models than this, a table by group is unreadable in a terminal. */
const MAX_GROUP_MODELS = 4

/** From here on there is room for the intervals of pooled scores. */
const WIDE = 130

/** Who wins where: a sentence for each breakdown, and its table. */
function drawGroups({ rows }: ReportSummary, terminal: Room, groups: readonly GroupedStandings[]): string {
  const models = rows.map(({ modelId }) => modelId)
  return groups
    .map((grouped) => {
      const said = describeGroups(grouped)
      const sentence = said === undefined ? '' : `\n${wrapText(cleanText(said), terminal.columns, '  ')}\n`
      if (models.length > MAX_GROUP_MODELS) return sentence
      const columns = groupTable(grouped.by, models, grouped.groups, { isNarrow: terminal.columns < WIDE })
      const table = drawTable(columns, grouped.groups, { columns: terminal.columns - 2 })
      const notes = explainGroups(grouped).map((note) => paragraph(cleanText(note), terminal))
      return `${sentence}\n${table.replaceAll(/^(?=.)/gm, '  ')}${notes.join('')}`
    })
    .join('')
}

/** The runs of a series, and every flaky case. */
function drawSeries(report: ReportSummary, terminal: Room, nameOf: NameModel): string {
  const repeated = listRepeated(report)
  if (repeated.length === 0) return ''
  const indent = '    '
  const lines = repeated.map(({ repeats: { flaky }, ...stats }) => {
    const same = stats.method === 'identical-runs' ? ', all runs identical' : ''
    const flakyCases =
      flaky.length === 0 ? '' : paragraph(cleanText(describeFlaky(flaky)), terminal, { mark: indent, indent })
    return paragraph(`${formatSeriesLine(nameOf(stats.modelId), stats)}${same}`, terminal, { indent }) + flakyCases
  })
  const title = `Over ${describeRunCounts(repeated)} of the same cases (mean ± SD over runs, interval for more such runs)`
  return `\n${paragraph(title, terminal, { mark: '' })}${lines.join('')}`
}

function drawRatings({ ratings }: ReportSummary, terminal: Room, nameOf: NameModel): string {
  if (ratings.length === 0) return ''
  const lines = ratings.map((model) =>
    paragraph(`${nameOf(model.modelId)}: ${describeRatings(model)}`, terminal, { indent: '    ' }),
  )
  return `\nRated by people\n${lines.join('')}`
}

/** Scores as people's ratings correct them. */
export function drawPeople({ people, ratingQueues }: ReportSummary, terminal: Room, nameOf: NameModel): string {
  if (!people) return ''
  const estimates = hasRatedSample(people)
    ? [
        paragraph(cleanText(describePeople(people)), terminal),
        ...people.models.map((model) =>
          paragraph(`${nameOf(model.modelId)}: ${describeEstimate(model)}`, terminal, { indent: '    ' }),
        ),
      ]
    : []
  const notes = [...listCorrectedPairs(people), ...listPeopleNotes(people, ratingQueues)].map((note) =>
    paragraph(cleanText(note), terminal, { indent: '    ' }),
  )
  return `\n${PEOPLE_TITLE}\n${estimates.join('')}${notes.join('')}`
}

function drawAgreement({ agreement }: ReportSummary, terminal: Room): string {
  if (!agreement) return ''
  // That they disagree is said beside the verdict.
  const isSaid = describeDisagreement(agreement, undefined) !== undefined
  const lines = [...(isSaid ? [] : [describeAgreement(agreement)]), ...listAgreement(agreement)]
  return `\nHow far the judges agree\n${lines.map((line) => paragraph(cleanText(line), terminal, { indent: '    ' })).join('')}`
}

/** What is known about the judges and what they judged by. */
export function drawJudging(
  { judging, runIds }: ReportSummary,
  terminal: Room,
  { isFull, styleControl }: { isFull: boolean; styleControl: boolean },
): string {
  return listJudgingSections(judging, { isSeries: runIds.length > 1 })
    .filter(({ isOptional = false }) => (isOptional ? styleControl : isFull || styleControl))
    .map(
      ({ title, lines }) =>
        `\n${title}\n${lines.map((line) => `  ${wrapText(cleanText(line), terminal.columns, '    ')}\n`).join('')}`,
    )
    .join('')
}

function drawMethod({ method }: ReportSummary, terminal: Room): string {
  const lines = method.map((sentence) => paragraph(cleanText(sentence), terminal))
  return lines.length === 0 ? '' : `\nHow these numbers were calculated\n${lines.join('')}`
}

/** What `--output full` adds: every pair with its p, groups, runs, judges, people and the method. */
export function drawDetails(
  report: ReportSummary,
  terminal: Room,
  { nameOf, groups }: { nameOf: NameModel; groups: readonly GroupedStandings[] },
): string {
  return [
    drawComparisons(report, terminal, nameOf),
    drawGroups(report, terminal, groups),
    drawSeries(report, terminal, nameOf),
    drawAgreement(report, terminal),
    drawRatings(report, terminal, nameOf),
    drawMethod(report, terminal),
  ].join('')
}
