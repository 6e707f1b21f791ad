import Papa from 'papaparse'
import { cellStateOf, type RaterRating, type ScoringResult } from '../../contract/index.ts'
import { escapeFormula } from '../../contract/files/csv-formulas.ts'
import type { ReportAnswer, ReportCase } from '../model/cases.ts'
import type { Report } from '../model/report.ts'
import type { DataValue } from '../tables/table.ts'
import { cellStates } from '../words/index.ts'
import type { ReportFormat } from './report-format.ts'

/** `ann: 0.8`, `bob: skipped` */
function writeRating({ rater, rating, note }: RaterRating): string {
  return `${rater}: ${rating ?? 'skipped'}${note === undefined ? '' : ` (${note})`}`
}

/** What people would give the model: the same in all of its rows. */
function findEstimate({ people }: Report, modelId: string) {
  return people?.models.find((model) => model.modelId === modelId)?.estimate
}

const COLUMNS: [name: string, value: (answer: ReportAnswer, testCase: ReportCase, report: Report) => DataValue][] = [
  ['run', ({ runId }) => runId],
  ['suite', (_answer, _case, { title }) => title],
  ['testCaseId', (_answer, { id }) => id],
  ['category', (_answer, { category }) => category],
  ['difficulty', (_answer, { difficulty }) => difficulty],
  ['tags', (_answer, { tags }) => tags.join('; ')],
  ['scoringMethod', (_answer, { methods }) => methods.join('; ')],
  ['weight', (_answer, { weight }) => weight],
  ['modelId', ({ modelId }) => modelId],
  ['outcome', ({ outcome }) => outcome],
  ['score', ({ score }) => score?.score],
  ['passed', ({ passed }) => passed],
  ['notes', ({ score }) => score?.notes],
  ['unscoredCode', ({ unscored }) => unscored?.code],
  ['unscoredMessage', ({ unscored }) => unscored?.message],
  ['error', ({ error }) => error],
  ['latencyMs', ({ latencyMs }) => latencyMs],
  ['firstTokenMs', ({ firstTokenMs }) => firstTokenMs],
  ['promptTokens', ({ promptTokens }) => promptTokens],
  ['completionTokens', ({ completionTokens }) => completionTokens],
  ['cost', ({ cost }) => cost],
  ['attempts', ({ attempts }) => attempts],
  ['prompt', (_answer, { prompt }) => prompt],
  ['expectedOutput', (_answer, { expectedOutput }) => expectedOutput],
  ['response', ({ response }) => response],
  ['toolCalls', ({ toolCalls }) => (toolCalls ? JSON.stringify(toolCalls) : undefined)],
  // New columns go here, at the end: people read the earlier ones by position.
  ['state', (answer) => cellStates[cellStateOf(answer)].word],
  ['humanRating', ({ rating }) => rating?.rating],
  ['humanNote', ({ rating }) => rating?.note],
  ['runStopped', ({ runId }, _case, { unfinished }) => unfinished.find((run) => run.runId === runId)?.sentence],
  ['runName', ({ runId }, _case, { runs }) => runs.find(({ id }) => id === runId)?.label?.name],
  ['runTags', ({ runId }, _case, { runs }) => runs.find(({ id }) => id === runId)?.label?.tags?.join('; ')],
  ['raterRatings', ({ ratings }) => ratings?.map(writeRating).join('; ')],
  ['modelCorrected', ({ modelId }, _case, report) => findEstimate(report, modelId)?.mean],
  ['modelCorrectedLow', ({ modelId }, _case, report) => findEstimate(report, modelId)?.low],
  ['modelCorrectedHigh', ({ modelId }, _case, report) => findEstimate(report, modelId)?.high],
  ['judges', ({ score }) => describeJudges(score?.judges)],
  ['checks', ({ score }) => describeChecks(score?.checks)],
  ['comparisons', ({ score }) => describeComparisons(score?.comparisons)],
  ['cachedAt', ({ cachedAt }) => (cachedAt === undefined ? undefined : new Date(cachedAt).toISOString())],
  ['cachedPromptTokens', ({ tokenDetails }) => tokenDetails?.cachedPrompt],
  ['reasoningTokens', ({ tokenDetails }) => tokenDetails?.reasoning],
  ['cluster', (_answer, { cluster }) => cluster],
]

/** The first line names the columns. */
export function writeRows(rows: readonly DataValue[][]): string {
  const escape = (value: DataValue) => (typeof value === 'string' ? escapeFormula(value) : (value ?? ''))
  return `${Papa.unparse(
    rows.map((row) => row.map(escape)),
    { newline: '\r\n' },
  )}\r\n`
}

/** `a 0.8; b 0.5` */
const describeJudges = (judges: ScoringResult['judges']) =>
  judges?.map(({ judgeModelId, score }) => `${judgeModelId} ${score}`).join('; ')

/** `Names the rent 1; Is short 0.5` */
const describeChecks = (checks: ScoringResult['checks']) =>
  checks?.map(({ name, scoringMethod, score }) => `${name ?? scoringMethod} ${score}`).join('; ')

/** `b 1; c 0.5`: against whom, and what this answer got. */
const describeComparisons = (comparisons: ScoringResult['comparisons']) =>
  comparisons?.map(({ opponentId, score }) => `${opponentId} ${score}`).join('; ')

/** One row per cell: run × case × model. */
export function writeCsv(report: Report): string {
  const rows = report.cases.flatMap((testCase) =>
    testCase.cells.flatMap(({ answers }) =>
      answers.map((answer) => COLUMNS.map(([, read]) => read(answer, testCase, report))),
    ),
  )
  return writeRows([COLUMNS.map(([name]) => name), ...rows])
}

export const csvFormat: ReportFormat = {
  name: 'csv',
  label: 'CSV',
  extension: '.csv',
  mediaType: 'text/csv',
  write: writeCsv,
}
