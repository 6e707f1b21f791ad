import type { JudgeAgreement } from '../../statistics/index.ts'
import { wordAgreement } from './agreement-words.ts'
import { formatCount, formatScore, formatStatistic } from './numbers.ts'

/** By Krippendorff's thresholds (Content Analysis, 2004): 0.8 to rely on, 0.667 for tentative conclusions. */
export function describeAgreement({ alpha }: Pick<JudgeAgreement, 'alpha'>): string {
  const word = wordAgreement('alpha', alpha)
  if (word === undefined) return 'Agreement cannot be computed: the grades do not vary.'
  if (word === 'reliable') return 'The judges agree well.'
  return word === 'tentative'
    ? 'The judges agree enough for tentative conclusions.'
    : 'The judges disagree: read their reasons before relying on these scores.'
}

/** The figures, one per line: overall, each pair of judges, then the mean score of each judge. */
export function listAgreement({ judges, answers, alpha, icc, pairs, means }: JudgeAgreement): string[] {
  const overall = `Krippendorff's alpha ${formatStatistic(alpha)}, ICC(2,1) ${formatStatistic(icc)}`
  return [
    `${formatCount(judges.length, 'judge')} on ${formatCount(answers, 'answer')}: ${overall}`,
    ...pairs.map(({ judgeA, judgeB, kappa }) => `${judgeA} and ${judgeB}: weighted kappa ${formatStatistic(kappa)}`),
    `mean grades: ${means.map(({ judge, mean }) => `${judge} ${formatScore(mean)}`).join(', ')}`,
  ]
}
