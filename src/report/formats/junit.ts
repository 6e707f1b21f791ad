import { isSkipped, NO_SCORING, type PassMark } from '../../contract/index.ts'
import {
  describeEstimate,
  describeInterval,
  describeMissing,
  describeNoScore,
  describeRating,
  describeShortfall,
  excerpt,
  formatCached,
  formatPassed,
  formatPercent,
  formatScore,
  listLabels,
  cellStates,
} from '../words/index.ts'
import type { ReportAnswer } from '../model/cases.ts'
import type { Report } from '../model/report.ts'
import type { ReportFormat } from './report-format.ts'

const MAX_TEXT_LENGTH = 10_000

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

/** Removes characters that XML 1.0 does not allow even as entities. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"'\n\r\t]/g, (character) => ENTITIES[character]!)
}

type Verdict = 'passed' | 'failure' | 'error' | 'skipped'

/** A cell that was not run is skipped if its run is an error itself or left it out by decision. */
function verdictOf(answer: ReportAnswer, stopped: ReadonlySet<string>): Verdict {
  const { passed, unscored, runId } = answer
  if (isSkipped(answer) && stopped.has(runId)) return 'skipped'
  if (passed === undefined) return unscored?.code === NO_SCORING ? 'skipped' : 'error'
  return passed ? 'passed' : 'failure'
}

function writeResult(verdict: Verdict, answer: ReportAnswer, passMark: PassMark): string {
  const { score, unscored, outcome, error, response } = answer
  if (verdict === 'passed') return ''
  if (verdict === 'skipped')
    return `<skipped message="${escapeXml(unscored?.message ?? error ?? cellStates.skipped.word)}"/>`
  if (verdict === 'error') {
    const type = unscored?.code ?? outcome ?? 'error'
    return `<error type="${escapeXml(type)}" message="${escapeXml(unscored?.message ?? error ?? describeNoScore(answer))}"/>`
  }
  const notes = score!.notes === undefined ? '' : `: ${excerpt(score!.notes, 300)}`
  const message = `${describeShortfall(score!, passMark)}${notes}`
  return `<failure type="score" message="${escapeXml(message)}">${escapeXml((response ?? '').slice(0, MAX_TEXT_LENGTH))}</failure>`
}

interface TestCaseLine {
  verdict: Verdict
  seconds: number
  xml: string
}

function count(lines: TestCaseLine[], verdict: Verdict): number {
  return lines.filter((line) => line.verdict === verdict).length
}

/** JUnit's own format of a time. */
function timeAttribute(seconds: number): string {
  // oxlint-disable-next-line house/no-number-format -- Read by CI systems.
  return `time="${seconds.toFixed(3)}"`
}

function attributes(name: string, lines: TestCaseLine[]): string {
  const seconds = lines.reduce((sum, line) => sum + line.seconds, 0)
  const counts = `failures="${count(lines, 'failure')}" errors="${count(lines, 'error')}" skipped="${count(lines, 'skipped')}"`
  return `name="${escapeXml(name)}" tests="${lines.length}" ${counts} ${timeAttribute(seconds)}`
}

/** What a person said about the answer, where every CI system shows it. */
function writeRatings({ rating, ratings = [] }: ReportAnswer): string {
  const lines = [
    ...(rating ? [describeRating(rating)] : []),
    ...ratings.map(({ rater, ...own }) => describeRating(own, rater)),
  ].filter((line) => line !== undefined)
  return lines.length === 0 ? '' : `<system-out>${escapeXml(lines.join('\n'))}</system-out>`
}

/**
 * One error per run that did not finish, so that a stopped run never looks like a pass: the cells that it did not reach
 * are only skipped.
 */
function writeUnfinished({ title, unfinished }: Report): { lines: TestCaseLine[]; xml: string } {
  if (unfinished.length === 0) return { lines: [], xml: '' }
  const lines = unfinished.map(({ runId, state, sentence }): TestCaseLine => {
    const error = `<error type="${state}" message="${escapeXml(sentence)}"/>`
    const open = `<testcase name="${escapeXml(`run ${runId} is complete`)}" classname="${escapeXml(title)}" time="0.000"`
    return { verdict: 'error', seconds: 0, xml: `    ${open}>${error}</testcase>\n` }
  })
  const inside = lines.map((line) => line.xml).join('')
  return { lines, xml: `  <testsuite ${attributes('unfinished runs', lines)}>\n${inside}  </testsuite>\n` }
}

/**
 * JUnit XML: one test suite per model, one test case per cell; an answer below its pass mark is a failure, a cell
 * without a score an error. What the suite does not score and what a stopped run did not ask is skipped; such a run is
 * itself one error.
 */
export function writeJunit(report: Report): string {
  const { title, cases, rows, runs, unfinished, people } = report
  const decided = runs.filter(({ stopReason }) => stopReason === 'decided')
  const stopped = new Set([...unfinished.map(({ runId }) => runId), ...decided.map(({ id }) => id)])
  const suites = rows.map(({ modelId, score, cached, missing }, position) => {
    const lines = cases.flatMap(({ id, passMark, cells }) =>
      (cells[position]?.answers ?? []).map((answer): TestCaseLine => {
        const verdict = verdictOf(answer, stopped)
        // A cached answer took no time now.
        const seconds = answer.cachedAt === undefined ? (answer.latencyMs ?? 0) / 1000 : 0
        const name = runs.length > 1 ? `${id} (run ${answer.runNumber} of ${runs.length})` : id
        const open = `<testcase name="${escapeXml(name)}" classname="${escapeXml(`${title}.${modelId}`)}" ${timeAttribute(seconds)}`
        const inner = writeResult(verdict, answer, passMark) + writeRatings(answer)
        return { verdict, seconds, xml: inner === '' ? `    ${open}/>\n` : `    ${open}>${inner}</testcase>\n` }
      }),
    )
    const figures = score && [
      ['mean', formatScore(score.mean)],
      ['interval95', describeInterval(score)],
      ['passed', formatPassed(score)],
      ['passRate', formatPercent(score.passRate)],
      ['passRateInterval95', describeInterval(score.passRateConfidence95)],
    ]
    const corrected = people?.models.find((model) => model.modelId === modelId)
    const byPeople = corrected ? [['correctedByRatings', escapeXml(describeEstimate(corrected))]] : []
    const fromCache = cached ? [['fromCache', formatCached({ cached })]] : []
    const gaps = missing ? [['missing', escapeXml(describeMissing(missing))]] : []
    const labels = listLabels(runs).map(([name, text]) => [name.toLowerCase(), escapeXml(text)])
    const properties = [...(figures ?? []), ...gaps, ...fromCache, ...byPeople, ...labels].map(
      ([name, value]) => `<property name="${name}" value="${value}"/>`,
    )
    const inside = `    <properties>${properties.join('')}</properties>\n${lines.map((line) => line.xml).join('')}`
    return { lines, xml: `  <testsuite ${attributes(modelId, lines)}>\n${inside}  </testsuite>\n` }
  })
  suites.push(writeUnfinished(report))
  const all = suites.flatMap(({ lines }) => lines)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes(title, all)}>\n${suites.map(({ xml }) => xml).join('')}</testsuites>\n`
}

export const junitFormat: ReportFormat = {
  name: 'junit',
  label: 'JUnit XML',
  extension: '.xml',
  mediaType: 'application/xml',
  write: writeJunit,
}
