import { writeReport, type Report, type ReportSummary } from '../../../report/index.ts'
import { listGaps, listRepeated } from '../../../report/model/standings.ts'
import {
  advisePlans,
  describeAgreement,
  describeCache,
  describeEstimate,
  describeCorrection,
  explainSequential,
  describeEvidence,
  describeFlaky,
  describeLead,
  describeMissing,
  describePeople,
  describeRatings,
  describeRunCounts,
  describeVerdict,
  formatCount,
  formatReportLine,
  formatSpent,
  listAgreement,
  listPeopleNotes,
  PEOPLE_TITLE,
  TOO_CLOSE_GROUP,
  describeDisagreement,
  recommendNextStep,
  listJudgingSections,
} from '../../../report/words/index.ts'
import { describeJudgeNotes } from '../../../report/words/judges/judge-notes.ts'
import { drawLeaderboard, MIN_NAME_WIDTH } from './leaderboard-text.ts'
import { printDocument, printForPeople, styleFor, type Terminal } from '../terminal.ts'
import { cleanText, cutEnd, shortenNames, wrapText } from '../text-table.ts'

/** A pipe or a report has the rest. */
const MAX_LINES = 8

interface JudgingTextOptions {
  /** Also the ratings at equal length and formatting. */
  styleControl?: boolean
}

/** Before any number: that the judges disagree. */
function drawDisagreement({ agreement, judging }: ReportSummary, terminal: Terminal): string {
  const text = describeDisagreement(agreement, judging.splits)
  if (text === undefined) return ''
  return `${styleFor(terminal)('yellow', wrapText(cleanText(text), terminal.columns, '  '))}\n\n`
}

function drawSection(title: string, lines: readonly string[], terminal: Terminal): string {
  const shown = Number.isFinite(terminal.columns) ? lines.slice(0, MAX_LINES) : lines
  const rest = lines.length - shown.length
  const all = [...shown, ...(rest > 0 ? [`… and ${formatCount(rest)} more: pipe this output, or write a report`] : [])]
  return `\n${title}\n${all.map((line) => `  ${wrapText(cleanText(line), terminal.columns, '    ')}\n`).join('')}`
}

/** What is known about the judges and what they judged by, and what to buy next. */
function drawJudging(
  report: ReportSummary,
  terminal: Terminal,
  { styleControl = false }: JudgingTextOptions = {},
): string {
  const { judging, runIds } = report
  const sections = listJudgingSections(judging, { isSeries: runIds.length > 1 })
    .filter(({ isOptional = false }) => styleControl || !isOptional)
    .map(({ title, lines }) => drawSection(title, lines, terminal))
  const nextStep = recommendNextStep(report)
  return sections.join('') + (nextStep === undefined ? '' : `\n${wrapText(nextStep, terminal.columns, '  ')}\n`)
}

const MAX_FLAKY_NAMED = 5
const MAX_MESSAGES_QUOTED = 2

/** More pairs are unreadable in a terminal; pipes and reports have them all. */
const MAX_PAIRS_SHOWN = 12
/** The total cost, if judges or failed requests add to the costs of the answers. */
function drawTotalCost(report: ReportSummary, { columns }: Terminal): string {
  const { cost, answersCost } = report
  if (cost.total === answersCost.total && cost.unknown === answersCost.unknown) return ''
  return `${wrapText(`Total cost, including judges and failed requests: ${formatSpent(report)}`, columns, '  ')}\n`
}

/** Indents a paragraph and wraps it. */
function paragraph(text: string, { columns }: Pick<Terminal, 'columns'>, { mark = '  ', indent = '  ' } = {}): string {
  return `${mark}${wrapText(text, columns, indent)}\n`
}

function drawCache({ rows }: ReportSummary, terminal: Terminal): string {
  const sentence = describeCache(rows)
  return sentence === undefined ? '' : `\n${paragraph(sentence, terminal)}`
}

/** Names as they appear in sentences: one that is longer than a line would be broken anywhere. */
function nameModels(models: readonly string[], { columns }: Terminal): (modelId: string) => string {
  const cleaned = models.map(cleanText)
  const short = shortenNames(cleaned, Math.max(MIN_NAME_WIDTH, columns - 8))
  const names = new Map(models.map((modelId, index) => [modelId, short[index]!]))
  return (modelId) => names.get(modelId) ?? cleanText(modelId)
}

type NameModel = (modelId: string) => string

function drawComparisons({ comparisons, groups }: ReportSummary, terminal: Terminal, nameOf: NameModel): string {
  if (comparisons.length === 0) return ''
  const style = styleFor(terminal)
  const indent = '    '
  const shown = Number.isFinite(terminal.columns) ? comparisons.slice(0, MAX_PAIRS_SHOWN) : comparisons
  const rest = comparisons.length - shown.length
  const more = `… and ${formatCount(rest, 'more pair')}: pipe this output, or write a report with --out report.html`
  const lines = shown.map(({ comparison }) => {
    const { modelA, modelB, paired } = comparison
    const mark = paired?.isSignificant ? style('green', '  ≠ ') : style('yellow', '  ≈ ')
    const sentence = describeVerdict({ ...comparison, modelA: nameOf(modelA), modelB: nameOf(modelB) })
    const figures = paired && describeEvidence(paired)
    return [
      paragraph(sentence, terminal, { mark, indent }),
      ...(figures === undefined ? [] : [`${indent}${style('dim', wrapText(figures, terminal.columns, indent))}\n`]),
    ].join('')
  })
  const tests = comparisons.flatMap(({ comparison: { paired } }) => paired?.verdictTest ?? [])
  const corrected = comparisons.length > 1 ? `, ${describeCorrection(tests)}` : ''
  const notes = [advisePlans(comparisons.map(({ comparison }) => comparison)), explainSequential(tests)]
  const title = `Which differences are real (paired by case${corrected})`
  const together = groups.map((group) =>
    paragraph(`${TOO_CLOSE_GROUP} ${group.map(nameOf).join(', ')}`, terminal, { indent }),
  )
  return [
    '\n',
    paragraph(title, terminal, { mark: '' }),
    ...lines,
    ...(rest > 0 ? [paragraph(more, terminal, { indent })] : []),
    ...together,
    ...notes.flatMap((note) => (note === undefined ? [] : [paragraph(note, terminal)])),
  ].join('')
}

function drawSeries(report: ReportSummary, terminal: Terminal, nameOf: NameModel): string {
  const repeated = listRepeated(report)
  if (repeated.length === 0) return ''
  const indent = '    '
  const lines = repeated.map(({ repeats: { flaky }, ...stats }) => {
    const same = stats.method === 'identical-runs' ? ', all runs identical' : ''
    const flakyCases =
      flaky.length === 0
        ? ''
        : paragraph(cleanText(describeFlaky(flaky, MAX_FLAKY_NAMED)), terminal, { mark: indent, indent })
    return paragraph(`${formatReportLine(nameOf(stats.modelId), stats)}${same}`, terminal, { indent }) + flakyCases
  })
  const title = `Over ${describeRunCounts(repeated)} of the same cases (mean ± SD over runs, interval for more such runs)`
  return `\n${paragraph(title, terminal, { mark: '' })}${lines.join('')}`
}

/** The most frequent messages, one per line. */
function quoteMessages(messages: readonly { text: string; times: number }[], { columns }: Terminal): string {
  const lines = messages
    .slice(0, MAX_MESSAGES_QUOTED)
    .map(({ text, times }) => `${formatCount(times)} × ${cleanText(text).replace(/\s+/g, ' ').trim()}`)
  const others =
    messages.length > MAX_MESSAGES_QUOTED
      ? [`and ${formatCount(messages.length - MAX_MESSAGES_QUOTED, 'other message')}`]
      : []
  return [...lines, ...others].map((line) => `    ${cutEnd(line, Math.max(30, columns - 4))}\n`).join('')
}

/** Why cells have no score, with the original messages, and the means in the worst and best case. */
function drawMissing(report: ReportSummary, terminal: Terminal, nameOf: NameModel): string {
  const { messages, decisions } = report
  const lines = listGaps(report, { isDeciding: decisions !== undefined }).map((summary) => {
    const { modelId } = summary
    const why = paragraph(`${nameOf(modelId)}: ${cleanText(describeMissing(summary))}`, terminal, { indent: '    ' })
    return why + quoteMessages(messages.get(modelId) ?? [], terminal)
  })
  return lines.length > 0 ? `\n${styleFor(terminal)('yellow', 'Without a score')}\n${lines.join('')}` : ''
}

function drawRatings({ ratings }: ReportSummary, terminal: Terminal, nameOf: NameModel): string {
  if (ratings.length === 0) return ''
  const lines = ratings.map((model) =>
    paragraph(`${nameOf(model.modelId)}: ${describeRatings(model)}`, terminal, { indent: '    ' }),
  )
  return `\nRated by people\n${lines.join('')}`
}

function drawPeople({ people, ratingQueues }: ReportSummary, terminal: Terminal, nameOf: NameModel): string {
  if (!people) return ''
  const lines = people.models.map((model) =>
    paragraph(`${nameOf(model.modelId)}: ${describeEstimate(model)}`, terminal, { indent: '    ' }),
  )
  const notes = listPeopleNotes(people, ratingQueues).map((note) =>
    paragraph(cleanText(note), terminal, { indent: '    ' }),
  )
  return `\n${PEOPLE_TITLE}\n${paragraph(cleanText(describePeople(people)), terminal)}${lines.join('')}${notes.join('')}`
}

function drawAgreement({ agreement }: ReportSummary, terminal: Terminal): string {
  if (!agreement) return ''
  const lines = [describeAgreement(agreement), ...listAgreement(agreement)]
  return `\nHow far the judges agree\n${lines.map((line) => paragraph(cleanText(line), terminal, { indent: '    ' })).join('')}`
}

/** The outcome in one sentence, if there is anything to compare. */
function drawLead({ rows, comparisons }: ReportSummary, terminal: Terminal, nameOf: NameModel): string {
  if (rows.length < 3) return ''
  const lead = describeLead(
    rows.map((row) => ({ ...row, modelId: nameOf(row.modelId) })),
    comparisons.map(({ comparison }) => ({
      ...comparison,
      modelA: nameOf(comparison.modelA),
      modelB: nameOf(comparison.modelB),
    })),
  )
  return `${wrapText(lead, terminal.columns, '  ')}\n\n`
}

/** What to doubt about the judges, beside the verdict. */
function drawJudgeNotes({ judgeNotes }: ReportSummary, terminal: Terminal): string {
  const lines = describeJudgeNotes(judgeNotes).map((sentence) =>
    styleFor(terminal)('yellow', wrapText(cleanText(sentence), terminal.columns, '  ')),
  )
  return lines.length > 0 ? `${lines.join('\n')}\n\n` : ''
}

/** That and why runs ended early; each names its run if there are several. */
function drawStops({ unfinished, runIds }: ReportSummary, terminal: Terminal): string {
  const lines = unfinished.map(({ runId, sentence }) => {
    const whose = runIds.length > 1 ? `${cleanText(runId)}: ` : ''
    return styleFor(terminal)('yellow', wrapText(`${whose}${sentence}.`, terminal.columns, '  '))
  })
  return lines.length > 0 ? `${lines.join('\n')}\n\n` : ''
}

/** How runs that decide came to their decision, and what that saved. */
function drawDecisions({ decisions }: ReportSummary, terminal: Terminal): string {
  if (!decisions) return ''
  const lines = decisions.sentences.map((sentence) => `${wrapText(cleanText(sentence), terminal.columns, '  ')}\n`)
  return `${lines.join('')}\n`
}

/** The report as a person reads it in a terminal. */
export function drawResults(report: ReportSummary, terminal: Terminal, options: JudgingTextOptions = {}): string {
  const { title, runIds, rows, caseCount } = report
  const runCount = runIds.length === 1 ? '' : ` × ${formatCount(runIds.length, 'run')}`
  const size = `${formatCount(caseCount, 'case')} × ${formatCount(rows.length, 'model')}${runCount}`
  const nameOf = nameModels(
    rows.map(({ modelId }) => modelId),
    terminal,
  )
  // Foreign text never begins a line: it could look like one of ours.
  const heading = wrapText(`${cleanText(title)} · ${size}`, terminal.columns, '  ')
  const shownTitle = cleanText(title)
  return [
    `${heading.startsWith(shownTitle) ? styleFor(terminal)('bold', shownTitle) + heading.slice(shownTitle.length) : heading}\n\n`,
    drawStops(report, terminal),
    drawDisagreement(report, terminal),
    drawDecisions(report, terminal),
    drawLead(report, terminal, nameOf),
    drawJudgeNotes(report, terminal),
    drawLeaderboard(report, terminal),
    drawCache(report, terminal),
    drawTotalCost(report, terminal),
    drawComparisons(report, terminal, nameOf),
    drawSeries(report, terminal, nameOf),
    drawAgreement(report, terminal),
    drawPeople(report, terminal, nameOf),
    drawJudging(report, terminal, options),
    drawRatings(report, terminal, nameOf),
    drawMissing(report, terminal, nameOf),
  ].join('')
}

/** Prints the tables to stdout; with `--json` the document goes there and the tables to stderr. */
export function printResults(report: Report, { json = false }: { json?: boolean }, terminal: Terminal): void {
  if (json) printDocument(writeReport(report, { format: 'json' }), terminal)
  printForPeople((room) => drawResults(report, room), { json }, terminal)
}
