import type { JudgeAgreement, Rating, SplitAnswer, StyleWeight } from '../../statistics/index.ts'
import type { AuditFinding, CalibrationInterpretation, CalibrationResult } from '../../scoring/index.ts'
import { auditWords, describeAuditVerdict, formatAuditFigure, formatAuditInterval } from '../words/judges/audit.ts'
import { calibrationLimits } from '../../scoring/judging/rate-calibration.ts'
import { describeCalibrationRating, type CalibrationFigure } from '../words/judges/calibration.ts'
import { describeAgreement, describeAlpha, describeIcc, describeKappa } from '../words/judges/agreement.ts'
import { describeGrades, styleWords } from '../words/judges/judging.ts'
import { capitalise } from '../words/names.ts'
import {
  formatCount,
  formatDifference,
  formatP,
  formatRating,
  formatScore,
  formatStatistic,
  formatTime,
} from '../words/numbers.ts'
import { formatRatingBounds } from '../words/verdicts/rankings.ts'
import type { Table } from './table.ts'

/** A judge against the expected scores, one row a sample. */
export const sampleTable: Table<CalibrationResult['samples'][number]> = [
  { key: 'within', label: '', text: ({ withinTolerance }) => (withinTolerance ? '✓' : '✗') },
  { key: 'sample', label: 'Sample', role: 'name', cut: 'middle', text: ({ sampleId }) => sampleId },
  {
    key: 'expected',
    label: 'Expected',
    align: 'end',
    keep: 'always',
    text: ({ expectedScore }) => formatScore(expectedScore),
  },
  { key: 'actual', label: 'Actual', align: 'end', keep: 'always', text: ({ actualScore }) => formatScore(actualScore) },
  { key: 'error', label: 'Error', align: 'end', keep: 'always', text: ({ error }) => formatDifference(error) },
  {
    key: 'reasoning',
    label: 'Reasoning',
    role: 'note',
    cut: 'end',
    isObvious: true,
    text: ({ reasoning, unscored }) => reasoning ?? unscored?.message ?? '',
  },
]

export const calibrationFigures: Table<CalibrationFigure> = [
  { key: 'figure', label: 'Figure', role: 'name', text: ({ name }) => name },
  { key: 'value', label: 'Value', align: 'end', keep: 'always', text: ({ value }) => value },
  { key: 'interval', label: '95 % CI', align: 'end', role: 'interval', text: ({ interval }) => interval },
]

/** With what each rating demands of the figure. */
export const ratedFigures: Table<CalibrationFigure> = [
  ...calibrationFigures,
  ...calibrationLimits.map(({ rating }, index) => ({
    key: rating,
    label: rating,
    align: 'end' as const,
    keep: 'always' as const,
    text: ({ limits }: CalibrationFigure) => limits?.[index] ?? '',
  })),
]

/** A calibration as the database keeps it. */
interface StoredCalibration {
  savedAt: number
  source: string
  setVersion?: string | undefined
  result: CalibrationResult
  interpretation: Pick<CalibrationInterpretation, 'rating'>
}

/** A judge that is not calibrated has no errors: those of the few grades that it gave would mislead. */
const errorOf =
  (format: (summary: CalibrationResult['summary']) => string) =>
  ({ result }: StoredCalibration) =>
    result.certainty ? format(result.summary) : '–'

/** The calibrations of judges. */
export const calibrationTable: Table<StoredCalibration> = [
  { key: 'when', label: 'When', role: 'name', text: ({ savedAt }) => formatTime(savedAt) ?? '' },
  {
    key: 'rating',
    label: 'Rating',
    keep: 'always',
    text: ({ interpretation, result }) => describeCalibrationRating(interpretation.rating, result),
  },
  { key: 'samples', label: 'Samples', cut: 'end', text: ({ setVersion, source }) => setVersion ?? source },
  { key: 'prompt', label: 'Prompt', text: ({ result }) => result.promptVersion ?? '' },
  {
    key: 'within',
    label: 'Within tolerance',
    align: 'end',
    text: ({ result: { summary } }) => `${formatCount(summary.passedSamples)}/${formatCount(summary.totalSamples)}`,
  },
  {
    key: 'meanError',
    label: 'Mean error',
    align: 'end',
    text: errorOf(({ meanAbsoluteError }) => formatScore(meanAbsoluteError)),
  },
  { key: 'bias', label: 'Bias', align: 'end', text: errorOf(({ bias }) => formatDifference(bias)) },
  {
    key: 'correlation',
    label: 'Correlation',
    align: 'end',
    text: errorOf(({ correlation }) => formatStatistic(correlation)),
  },
]

/** What an audit of a judge found. */
export const auditTable: Table<AuditFinding> = [
  { key: 'audit', label: 'Audit', role: 'name', text: ({ audit }) => auditWords[audit].title },
  { key: 'result', label: 'Result', text: describeAuditVerdict },
  { key: 'figure', label: 'Figure', align: 'end', text: ({ figure }) => (figure ? formatAuditFigure(figure) : '–') },
  {
    key: 'interval',
    label: '95 % CI',
    align: 'end',
    role: 'interval',
    text: ({ figure }) => (figure ? formatAuditInterval(figure) : '–'),
  },
  {
    key: 'meaning',
    label: 'What it is',
    role: 'note',
    cut: 'end',
    isObvious: true,
    text: ({ figure }) => figure?.name ?? '',
  },
  {
    key: 'p',
    label: 'Corrected p',
    align: 'end',
    text: ({ adjustedP }) => (adjustedP === undefined ? '–' : formatP(adjustedP)),
    isIn: (findings) => findings.some(({ adjustedP }) => adjustedP !== undefined),
  },
]

/** Models by the comparisons of their answers. */
export const comparedTable: Table<Rating> = [
  { key: 'model', label: 'Model', role: 'name', text: ({ id }) => id },
  { key: 'rating', label: 'Rating', align: 'end', role: 'main', text: ({ rating }) => formatRating(rating) },
  { key: 'interval', label: '95 % CI', align: 'end', role: 'interval', keep: 'always', text: formatRatingBounds },
]

/** What the style of an answer is worth to judges. */
export const styleTable: Table<StyleWeight> = [
  { key: 'feature', label: 'Style', role: 'name', text: ({ feature }) => capitalise(styleWords[feature]) },
  { key: 'points', label: 'Rating points', align: 'end', role: 'main', text: ({ points }) => formatRating(points) },
  { key: 'interval', label: '95 % CI', align: 'end', role: 'interval', keep: 'always', text: formatRatingBounds },
]

/** Answers that the judges of a panel grade very differently. */
export const splitTable: Table<SplitAnswer> = [
  { key: 'case', label: 'Case', role: 'name', text: ({ testCaseId }) => testCaseId },
  { key: 'model', label: 'Model', keep: 'always', text: ({ modelId }) => modelId },
  { key: 'spread', label: 'Points apart', align: 'end', role: 'main', text: ({ spread }) => formatScore(spread) },
  { key: 'grades', label: 'Grades', keep: 'always', text: describeGrades },
]

/** How lenient each judge is. */
export const leniencyTable: Table<JudgeAgreement['means'][number]> = [
  { key: 'judge', label: 'Judge', role: 'name', text: ({ judge }) => judge },
  { key: 'mean', label: 'Mean score', align: 'end', role: 'main', text: ({ mean }) => formatScore(mean) },
]

/** How far each two judges agree. */
export const kappaTable: Table<JudgeAgreement['pairs'][number]> = [
  { key: 'judges', label: 'Judges', role: 'name', text: ({ judgeA, judgeB }) => `${judgeA} and ${judgeB}` },
  {
    key: 'kappa',
    label: 'Quadratic-weighted kappa',
    align: 'end',
    role: 'main',
    text: ({ kappa }) => describeKappa(kappa),
  },
]

/** How far the judges of each panel agree, over the runs that they judged together. */
export const panelTable: Table<{ agreement: JudgeAgreement; runs: number }> = [
  {
    key: 'judges',
    label: 'Judges and their mean scores',
    role: 'name',
    text: ({ agreement }) => agreement.means.map(({ judge, mean }) => `${judge} ${formatScore(mean)}`).join(', '),
  },
  {
    key: 'answers',
    label: 'Answers',
    align: 'end',
    keep: 'always',
    text: ({ agreement }) => formatCount(agreement.answers),
  },
  { key: 'agreement', label: 'Agreement', keep: 'always', text: ({ agreement }) => describeAgreement(agreement) },
  {
    key: 'alpha',
    label: 'Krippendorff’s alpha',
    keep: 'always',
    text: ({ agreement }) => describeAlpha(agreement.alpha),
  },
  { key: 'icc', label: 'ICC(2,1)', keep: 'always', text: ({ agreement }) => describeIcc(agreement.icc) },
  {
    key: 'kappa',
    label: 'Weighted kappa by pair',
    role: 'note',
    keep: 'always',
    text: ({ agreement }) =>
      agreement.pairs.map(({ judgeA, judgeB, kappa }) => `${judgeA} · ${judgeB} ${describeKappa(kappa)}`).join('; '),
  },
]
