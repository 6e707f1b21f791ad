import type { JudgeAgreement } from '../../../statistics/index.ts'
import { formatCount, formatScore, formatStatistic } from '../numbers.ts'

/** Below `least`, the word of the next band applies. The last band has no lower end. */
type Bands = readonly { least: number; word: string }[]

/** The word of a statistic; undefined if it cannot be computed. NaN is null in JSON. */
function wordOf(value: number | null, bands: Bands): string | undefined {
  if (value === null || Number.isNaN(value)) return undefined
  return bands.find(({ least }) => value >= least)?.word
}

/** Krippendorff, Content Analysis (2004), chapter 11: rely on 0.8 and more; 0.667 for tentative conclusions. */
const ALPHA: Bands = [
  { least: 0.8, word: 'good' },
  { least: 0.667, word: 'tentative' },
  { least: -Infinity, word: 'too low' },
]

/** Koo and Li (2016), A guideline of selecting and reporting intraclass correlation coefficients. */
const ICC: Bands = [
  { least: 0.9, word: 'excellent' },
  { least: 0.75, word: 'good' },
  { least: 0.5, word: 'moderate' },
  { least: -Infinity, word: 'poor' },
]

/** Landis and Koch (1977), The measurement of observer agreement for categorical data. */
const KAPPA: Bands = [
  { least: 0.81, word: 'almost perfect' },
  { least: 0.61, word: 'substantial' },
  { least: 0.41, word: 'moderate' },
  { least: 0.21, word: 'fair' },
  { least: 0, word: 'slight' },
  { least: -Infinity, word: 'worse than chance' },
]

const describeWith = (bands: Bands) => (value: number | null) => {
  const word = wordOf(value, bands)
  return word === undefined ? formatStatistic(value) : `${formatStatistic(value)}, ${word}`
}

/** `0.72, tentative` */
export const describeAlpha = describeWith(ALPHA)
/** `0.72, moderate` */
export const describeIcc = describeWith(ICC)
/** `0.72, substantial` */
export const describeKappa = describeWith(KAPPA)

/** Where the words come from, for a note below the figures. */
export const AGREEMENT_SOURCES =
  'Alpha: good from 0.8, tentative from 0.667 (Krippendorff 2004). ICC: excellent from 0.9, good from 0.75, moderate from 0.5 (Koo and Li 2016). Kappa: almost perfect from 0.81, substantial from 0.61, moderate from 0.41, fair from 0.21 (Landis and Koch 1977).'

/** Whether to rely on scores that several judges gave, by Krippendorff's thresholds. */
export function describeAgreement({ alpha }: Pick<JudgeAgreement, 'alpha'>): string {
  const word = wordOf(alpha, ALPHA)
  if (word === undefined) return 'Agreement cannot be computed: the grades do not vary.'
  if (word === 'good') return 'The judges agree well.'
  return word === 'tentative'
    ? 'The judges agree enough for tentative conclusions.'
    : 'The judges disagree: read their reasons before relying on these scores.'
}

/** The figures, one per line: overall, each pair of judges, then the mean score of each judge. */
export function listAgreement({ judges, answers, alpha, icc, pairs, means }: JudgeAgreement): string[] {
  const overall = `Krippendorff's alpha ${describeAlpha(alpha)}; ICC(2,1) ${describeIcc(icc)}`
  return [
    `${formatCount(judges.length, 'judge')} on ${formatCount(answers, 'answer')}: ${overall}`,
    ...pairs.map(({ judgeA, judgeB, kappa }) => `${judgeA} and ${judgeB}: weighted kappa ${describeKappa(kappa)}`),
    `mean grades: ${means.map(({ judge, mean }) => `${judge} ${formatScore(mean)}`).join(', ')}`,
  ]
}
