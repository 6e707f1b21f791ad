import { NO_SCORING, type PassMark, type RunResult } from '../../contract/index.ts'
import { listUnfinished } from '../../statistics/index.ts'
import {
  describeInterval,
  describeShortfall,
  excerpt,
  formatPassed,
  formatPercent,
  formatScore,
  listLabels,
} from '../words/index.ts'
import type { ReportAnswer } from '../model/cases.ts'
import type { Report } from '../model/report.ts'
import type { ReportFormat } from './report-format.ts'

const MAX_TEXT_LENGTH = 10_000
const NOT_FINISHED = 'the run was stopped before this was answered and scored'

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

function judge({ passed, unscored }: ReportAnswer): Verdict {
  if (passed === undefined) return unscored?.code === NO_SCORING ? 'skipped' : 'error'
  return passed ? 'passed' : 'failure'
}

function describe(verdict: Verdict, answer: ReportAnswer, passMark: PassMark): string {
  const { score, unscored, outcome, error, response } = answer
  if (verdict === 'passed') return ''
  if (verdict === 'skipped') return `<skipped message="${escapeXml(unscored?.message ?? '')}"/>`
  if (verdict === 'error') {
    const type = unscored?.code ?? outcome ?? 'error'
    return `<error type="${escapeXml(type)}" message="${escapeXml(unscored?.message ?? error ?? (outcome === 'cancelled' ? NOT_FINISHED : 'no score'))}"/>`
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

function attributes(name: string, lines: TestCaseLine[]): string {
  const seconds = lines.reduce((sum, line) => sum + line.seconds, 0)
  const counts = `failures="${count(lines, 'failure')}" errors="${count(lines, 'error')}" skipped="${count(lines, 'skipped')}"`
  return `name="${escapeXml(name)}" tests="${lines.length}" ${counts} time="${seconds.toFixed(3)}"`
}

/** Unfinished cells of runs in progress (or whose program was killed), by case and model. */
function listOpen(runs: RunResult[]): Map<string, ReportAnswer[]> {
  const open = runs.flatMap((run, index) =>
    run.status === 'running'
      ? listUnfinished(run).map((cell): ReportAnswer => ({
          ...cell,
          runId: run.id,
          runNumber: index + 1,
          error: 'not answered and scored yet',
        }))
      : [],
  )
  return Map.groupBy(open, ({ testCaseId, modelId }) => JSON.stringify([testCaseId, modelId]))
}

/**
 * JUnit XML: one test suite per model, one test case per cell; an answer below its pass mark is a failure. Cells without
 * a score are errors, even those a run did not reach: as skipped tests they would look harmless. Only what the suite does
 * not score is skipped.
 */
export function writeJunit({ title, cases, rows, runs }: Report): string {
  const openOf = listOpen(runs)
  const suites = rows.map(({ modelId, score }, position) => {
    const lines = cases.flatMap(({ id, passMark, cells }) =>
      [...(cells[position]?.answers ?? []), ...(openOf.get(JSON.stringify([id, modelId])) ?? [])].map(
        (answer): TestCaseLine => {
          const verdict = judge(answer)
          const seconds = (answer.latencyMs ?? 0) / 1000
          const name = runs.length > 1 ? `${id} (run ${answer.runNumber} of ${runs.length})` : id
          const open = `<testcase name="${escapeXml(name)}" classname="${escapeXml(`${title}.${modelId}`)}" time="${seconds.toFixed(3)}"`
          const inner = describe(verdict, answer, passMark)
          return { verdict, seconds, xml: inner === '' ? `    ${open}/>\n` : `    ${open}>${inner}</testcase>\n` }
        },
      ),
    )
    const figures = score && [
      ['mean', formatScore(score.mean)],
      ['interval95', describeInterval(score)],
      ['passed', formatPassed(score)],
      ['passRate', formatPercent(score.passRate)],
      ['passRateInterval95', describeInterval(score.passRateConfidence95)],
    ]
    const labels = listLabels(runs).map(([name, text]) => [name.toLowerCase(), escapeXml(text)])
    const properties = [...(figures ?? []), ...labels].map(
      ([name, value]) => `<property name="${name}" value="${value}"/>`,
    )
    const inside = `    <properties>${properties.join('')}</properties>\n${lines.map((line) => line.xml).join('')}`
    return { lines, xml: `  <testsuite ${attributes(modelId, lines)}>\n${inside}  </testsuite>\n` }
  })
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
