import { NO_SCORING } from '../../../contract/index.ts'
import { writeReport, type Report, type ReportSummary } from '../../../report/index.ts'
import { listGroups } from '../../../report/model/standings/groups.ts'
import { renameCosts } from '../../../report/model/rename-costs.ts'
import type { GroupedStandings } from '../../../report/model/standings/grouped-standings.ts'
import type { ReportRow } from '../../../report/model/standings/report-row.ts'
import { explainReport, type BrokenReasons } from '../../../report/model/failures/broken-reasons.ts'
import { listReportFailures, type FailureRow } from '../../../report/model/failures/failures.ts'
import { listGaps, listRepeated } from '../../../report/model/standings/standings.ts'
import {
  describeCache,
  describeDisagreement,
  describeGoodEnough,
  describeByHistory,
  describeHosts,
  describeLeaderboard,
  describeMissing,
  describeOutcome,
  describeSending,
  describeStillOpen,
  describeUnknownCosts,
  describeWordings,
  formatCount,
} from '../../../report/words/index.ts'
import { describeJudgeNotes } from '../../../report/words/judges/judge-notes.ts'
import { describeRunFacts } from '../../../report/words/runs/run-facts.ts'
import { describeFlakyModels, listConditions } from '../../../report/words/verdicts/pairs/conditions.ts'
import { findVerdictPair } from '../../../report/words/verdicts/first-place.ts'
import { countOnlyErrors, describeEverythingErrors } from '../../../report/words/verdicts/failures/everything-fails.ts'
import { NOTHING_SHARED } from '../../../report/words/verdicts/verdict-card.ts'
import { NOTHING_COMPARED } from '../../../report/words/verdicts/pairs/changes.ts'
import { isExplained } from '../../../report/words/verdicts/failures/broken-reasons.ts'
import { describeNext } from '../../../report/words/verdicts/next-step.ts'
import { CHOOSE_THE_GAP } from '../../../report/words/verdicts/verdicts.ts'
import type { OUTPUT_LEVELS } from '../../options/run-options.ts'
import { printDocument, printForPeople, styleFor, type Terminal } from '../terminal.ts'
import { cleanText, cutEnd, shortenNames, wrapText } from '../text-table.ts'
import { drawDetails, drawJudging, drawPeople, type NameModel } from './details-text.ts'
import { drawFailures } from './failures-text.ts'
import { drawReasons } from './reasons-text.ts'
import { drawLeaderboard, MIN_NAME_WIDTH } from './leaderboard-text.ts'
import { drawPairs } from './pairs-text.ts'

export interface ResultsTextOptions {
  /** `quiet` is the verdict alone; `full` adds all pairs, p, groups, the runs of a series and the method. */
  output?: (typeof OUTPUT_LEVELS)[number]
  /** All pairs, not only each model against the first. */
  pairs?: boolean
  /** What failed, with its texts. */
  failures?: readonly FailureRow[]
  /** Why nothing passed, if nothing did. */
  reasons?: BrokenReasons
  /** Also the ratings at equal length and formatting. */
  styleControl?: boolean
  /** Gates compare a single model with an earlier run already. */
  hasBaseline?: boolean
  /** The breakdowns by category, tag and difficulty. */
  groups?: readonly GroupedStandings[]
}

type Room = Pick<Terminal, 'columns' | 'colour'>

const INDENT = '  '
const MAX_MESSAGES_QUOTED = 2

const sentence = (text: string, { columns }: Room) => `${wrapText(cleanText(text), columns, INDENT)}\n`

/** Names as they appear in sentences: one that is longer than a line would be broken anywhere. */
function fitNames(models: readonly string[], { columns }: Room): NameModel {
  const cleaned = models.map(cleanText)
  const short = shortenNames(cleaned, Math.max(MIN_NAME_WIDTH, columns - 8))
  const names = new Map(models.map((modelId, index) => [modelId, short[index]!]))
  return (modelId) => names.get(modelId) ?? cleanText(modelId)
}

/** What was run, how long it took and what it cost: `Prices · 12 cases × 3 models · 1 s · $0.0015`. */
function drawHeader(report: ReportSummary, terminal: Room): string {
  const title = cleanText(report.title)
  const heading = wrapText([title, ...describeRunFacts(report)].join(' · '), terminal.columns, INDENT)
  return heading.startsWith(title) ? styleFor(terminal)('bold', title) + heading.slice(title.length) : heading
}

/** The verdict in one sentence. A single model has none. */
function drawVerdict({ rows, comparisons }: ReportSummary, terminal: Room, nameOf: NameModel): string {
  const scored = rows.filter(({ score }) => score)
  if (scored.length === 1 && scored[0]!.score!.mean > 0) return ''
  const failed = countOnlyErrors(rows)
  if (failed > 0)
    return styleFor(terminal)('bold', wrapText(describeEverythingErrors(failed), terminal.columns, INDENT))
  // Runs without a case in common.
  if (scored.length === 0 && rows.every(({ unscored, notRun, errors }) => unscored + notRun + errors === 0))
    return styleFor(terminal)('bold', NOTHING_COMPARED)
  const outcome = describeOutcome(
    rows.map((row) => ({ ...row, modelId: nameOf(row.modelId) })),
    comparisons.map(({ comparison }) => ({
      ...comparison,
      modelA: nameOf(comparison.modelA),
      modelB: nameOf(comparison.modelB),
    })),
  )
  return styleFor(terminal)('bold', wrapText(outcome, terminal.columns, INDENT))
}

/** The most frequent messages, one per line. */
function quoteMessages(messages: readonly { text: string; times: number }[]): string[] {
  const lines = messages
    .slice(0, MAX_MESSAGES_QUOTED)
    .map(({ text, times }) => `${formatCount(times)} × ${cleanText(text).replace(/\s+/g, ' ').trim()}`)
  const others =
    messages.length > MAX_MESSAGES_QUOTED
      ? [`and ${formatCount(messages.length - MAX_MESSAGES_QUOTED, 'other message')}`]
      : []
  return [...lines, ...others]
}

/** Why models lack scores, with the original messages. How many they lack is in the leaderboard, and its notes say the rest. */
function drawMissing(report: ReportSummary, terminal: Room, nameOf: NameModel): string {
  const { rows, decisions, unfinished } = report
  const noted = new Set(rows.flatMap(({ modelId, own, score }) => (own || !score ? [modelId] : [])))
  return listGaps(report, { isDeciding: decisions !== undefined })
    .map((summary) => {
      const { modelId, errors, unscored } = summary
      const messages = quoteMessages(report.messages.get(modelId) ?? [])
      // That they were not run is said of the whole run.
      if (errors + unscored === 0 && (noted.has(modelId) || unfinished.length > 0)) return ''
      const isSaid = noted.has(modelId) && messages.length > 0 && summary.reasons[NO_SCORING] === undefined
      const why = isSaid ? messages.shift()! : cleanText(describeMissing(summary))
      const line = `${nameOf(modelId)}: ${why}`
      const first = isSaid ? cutEnd(line, terminal.columns - 2) : wrapText(line, terminal.columns - 2, '    ')
      const others = messages.map((text) => `    ${cutEnd(text, Math.max(30, terminal.columns - 4))}\n`)
      return `${INDENT}${first}\n${others.join('')}`
    })
    .join('')
}

/** In a run that ended early: what was only not run could have scored anything, so that bounds would say nothing. */
function omitNotRun(rows: readonly ReportRow[], { unfinished }: ReportSummary): ReportRow[] {
  return rows.map(({ own, ...row }) => {
    const isOnlyNotRun = unfinished.length > 0 && row.unscored + row.errors === 0 && !row.isLeftOut
    return { ...row, ...(own && { own: isOnlyNotRun ? { ...own, lacks: 0 } : own }) }
  })
}

/** What the scores leave out: runs that ended early, cases that not all models have, cells without a score. */
function drawLeftOut(
  report: ReportSummary,
  terminal: Room,
  { nameOf, reasons }: { nameOf: NameModel; reasons: BrokenReasons | undefined },
): string {
  const { rows, leader, shared, unfinished, runIds } = report
  const stops = unfinished.map(({ runId, sentence: why }) => (runIds.length > 1 ? `${runId}: ${why}.` : `${why}.`))
  const saysMore = reasons?.reasons.some(({ kind }) => kind === 'says-more') ?? false
  const notes = describeLeaderboard({
    rows: omitNotRun(rows, report).map(({ readings, ...row }) => ({
      ...row,
      modelId: nameOf(row.modelId),
      // The likely reasons say it.
      ...(readings && !saysMore && { readings }),
    })),
    ...(shared && { shared }),
    ...(leader && { leader: { ...leader, modelId: nameOf(leader.modelId) } }),
  })
  const yellow = (text: string) => styleFor(terminal)('yellow', text)
  return [
    ...stops.map((text) => yellow(sentence(text, terminal))),
    // The verdict above says it.
    ...notes.map((text) => sentence(text.replace(`${NOTHING_SHARED} `, ''), terminal)),
    // The likely reasons have the messages.
    reasons && isExplained(reasons) ? '' : drawMissing(report, terminal, nameOf),
  ].join('')
}

/** What the verdict rests on, a line each. */
function drawConditions(report: ReportSummary, terminal: Room, nameOf: NameModel): string {
  const { rows, comparisons, agreement, judging, decisions, templates, judgeNotes } = report
  const costs = report.costs && renameCosts(report.costs, nameOf)
  const pairs = comparisons.map(({ comparison }) => comparison)
  const flaky = describeFlakyModels(listRepeated(report))
  const cache = describeCache(rows)
  const unknown = describeUnknownCosts(rows)
  const disagreement = describeDisagreement(agreement, judging.splits)
  const yellow = (text: string) => styleFor(terminal)('yellow', text)
  const lines = [
    ...(decisions?.sentences ?? []),
    ...listConditions(findVerdictPair(rows, pairs)),
    ...[describeGoodEnough(costs), describeStillOpen(costs), flaky, cache, unknown].flatMap((text) => text ?? []),
    ...describeByHistory(report.byHistory),
    ...describeWordings(report.wordings),
    ...describeHosts(report.hosts),
    ...describeSending(withoutShares(report)),
  ].map((text) => sentence(text, terminal))
  const warnings = [
    ...(disagreement === undefined ? [] : [disagreement]),
    ...describeJudgeNotes(judgeNotes),
    ...(templates ? [templates.sentence] : []),
  ].map((text) => yellow(sentence(text, terminal)))
  return [...lines, ...warnings].join('')
}

/** Who served a model by several hosts is said with their figures. */
function withoutShares({ rows, hosts }: ReportSummary): readonly ReportRow[] {
  const said = new Set(hosts?.shares.map(({ modelId }) => modelId))
  return rows.map(({ hosts: own, ...row }) => (said.has(row.modelId) || !own ? row : { ...row, hosts: own }))
}

function drawNext(report: ReportSummary, terminal: Room): string {
  // What is not run yet comes before any other data.
  if (report.unfinished.length > 0) return ''
  const next = describeNext(report)
  return next === undefined ? '' : sentence(next.replace(CHOOSE_THE_GAP, `${CHOOSE_THE_GAP} (--same-within)`), terminal)
}

/** Sections with an empty line between them; those without text are left out. */
const joinSections = (sections: readonly string[]) =>
  sections
    .map((text) => text.replace(/^\n+|\n+$/g, ''))
    .filter((text) => text !== '')
    .map((text) => `${text}\n`)
    .join('\n')

/** The report as a person reads it in a terminal. */
export function drawResults(report: ReportSummary, terminal: Terminal, options: ResultsTextOptions = {}): string {
  const {
    output = 'normal',
    pairs = false,
    failures = [],
    reasons,
    styleControl = false,
    groups = [],
    hasBaseline = false,
  } = options
  const nameOf = fitNames(
    report.rows.map(({ modelId }) => modelId),
    terminal,
  )
  const verdict = drawVerdict(report, terminal, nameOf)
  if (output === 'quiet') return verdict === '' ? '' : `${verdict}\n`
  const isFull = output === 'full'
  return joinSections([
    drawHeader(report, terminal),
    verdict,
    drawLeaderboard(report, terminal),
    drawLeftOut(report, terminal, { nameOf, reasons }),
    drawConditions(report, terminal, nameOf),
    pairs || isFull ? drawPairs(report, terminal, { areAllShown: isFull }) : '',
    drawPeople(report, terminal, nameOf),
    drawJudging(report, terminal, { isFull, styleControl }),
    isFull ? drawDetails(report, terminal, { nameOf, groups }) : '',
    reasons ? drawReasons(reasons, terminal) : '',
    reasons && isExplained(reasons) && !isFull ? '' : drawFailures(failures, terminal),
    hasBaseline && report.rows.length === 1 ? '' : drawNext(report, terminal),
  ])
}

/** What needs the texts of a report. */
export function listSections(report: Report): Pick<ResultsTextOptions, 'groups' | 'failures' | 'reasons'> {
  const reasons = explainReport(report)
  return { groups: listGroups(report), failures: listReportFailures(report), ...(reasons && { reasons }) }
}

/** Prints the tables to stdout; with `--json` the document goes there and the tables to stderr. */
export function printResults(
  report: Report,
  { json = false, ...options }: { json?: boolean } & ResultsTextOptions,
  terminal: Terminal,
): void {
  if (json) printDocument(writeReport(report, { format: 'json' }), terminal)
  const drawn = { ...listSections(report), ...options }
  printForPeople((room) => drawResults(report, room, drawn), { json }, terminal)
}
