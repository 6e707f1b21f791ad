import { describeParameters, describeRequest, formatTime } from '../words/index.ts'
import { describeCalibrations } from '../words/judges/judge-notes.ts'
import { describeCases } from '../words/verdicts/verdicts.ts'
import { listJudges } from './verdict/judge-notes.ts'
import type { Report } from './report.ts'
import { hashSuite } from './suite-hash.ts'

/** SHA-256 of the suite as it was asked; several if runs had different ones, undefined if none is stored. */
export function findSuiteHash({ runs }: Pick<Report, 'runs'>): string | undefined {
  const kept = runs.flatMap(({ versions }) => versions?.['suiteHash'] ?? [])
  // A series shares one suite, which is hashed once.
  const suites = new Set(
    runs.flatMap(({ versions, testSuiteSnapshot: suite }) => (suite && !versions?.['suiteHash'] ? [suite] : [])),
  )
  const found = new Set([...kept, ...Array.from(suites, hashSuite)])
  return found.size === 0 ? undefined : [...found].join(', ')
}

/** Each text once, in order. */
function listOnce(texts: readonly (string | undefined)[]): string {
  return [...new Set(texts.filter((text) => text !== undefined && text !== ''))].join('; ')
}

const HIDDEN = new Set(['benchmaker', 'judgePrompt', 'suiteHash', 'leftOut'])

/** Everything that is needed to repeat the runs, by name. */
export function listRepeatingFacts(report: Report): [name: string, value: string][] {
  const { runs, suite, caseCount, clusterCount, rows, calibrations } = report
  const judges = listJudges(runs)
  const methods = new Set(
    (suite?.testCases ?? []).flatMap(({ scoringMethod, checks = [] }) => [
      ...(scoringMethod === undefined ? [] : [scoringMethod]),
      ...checks.map((check) => check.scoringMethod),
    ]),
  )
  const combined = listOnce(runs.map(({ request }) => (judges.length > 1 ? request?.combineJudges : undefined)))
  const facts: [string, string | undefined][] = [
    ['Left out', listOnce(runs.map(({ versions }) => versions?.['leftOut']))],
    ['Suite', suite?.name],
    ['Suite SHA-256', findSuiteHash(report)],
    ['Cases', describeCases({ n: caseCount, clusters: clusterCount })],
    ['Scoring', [...methods].join(', ')],
    ['Models', rows.map(({ modelId }) => modelId).join(', ')],
    ['Parameters', listOnce(runs.map(({ parameters }) => parameters && describeParameters(parameters)))],
    ['Requests', listOnce(runs.map(({ request }) => request && describeRequest(request)))],
    ['Judges', judges.length > 0 ? `${judges.join(', ')}${combined === '' ? '' : ` (${combined})`}` : 'none'],
    ['Judge prompts', listOnce(runs.map(({ versions }) => versions?.['judgePrompt']))],
    ['Calibration', calibrations && judges.length > 0 ? describeCalibrations(judges, calibrations) : undefined],
    ['Started', listOnce(runs.map(({ startedAt }) => (startedAt === undefined ? undefined : formatTime(startedAt))))],
    [
      'Completed',
      listOnce(runs.map(({ completedAt }) => (completedAt === undefined ? undefined : formatTime(completedAt)))),
    ],
    ['Benchmaker', listOnce(runs.map(({ versions }) => versions?.['benchmaker']))],
    [
      'Other versions',
      listOnce(
        runs.flatMap(({ versions = {} }) =>
          Object.entries(versions).flatMap(([key, value]) => (HIDDEN.has(key) ? [] : [`${key} ${value}`])),
        ),
      ),
    ],
    ['Runs', runs.map(({ id }) => id).join(', ')],
    ['System prompt', suite?.systemPrompt],
    ['Judge instructions', suite?.judgeSystemPrompt],
  ]
  return facts.flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, value]],
  )
}
