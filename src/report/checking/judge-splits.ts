import { measureJudgeAgreement } from '../../statistics/index.ts'
import { formatCount, formatPoints, formatStatistic } from '../words/numbers.ts'
import type { SuiteEvidence } from './case-evidence.ts'
import type { Finding } from './finding.ts'

/** Below this the judges hardly agree on anything (Krippendorff 2004 draws no conclusions below .667). */
const AGREEMENT_FROM = 0.4
const FEWEST_ANSWERS = 10
/** On a case where judges split, every answer is graded this far apart. */
const SPLIT_FROM = 0.4
const MEAN_SPLIT_FROM = 0.5
const FEWEST_ANSWERS_A_CASE = 2

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Judges that disagree on the whole suite, or on single cases where they agree elsewhere. */
export function findJudgeSplits({ cases, runs }: SuiteEvidence): Finding[] {
  const agreement = measureJudgeAgreement(runs)
  if (!agreement) return []
  const { judges, alpha, answers, means } = agreement
  const ranges = cases.flatMap(({ judgeRanges }) => judgeRanges)
  const apart = meanOf(ranges)
  if (answers >= FEWEST_ANSWERS && alpha < AGREEMENT_FROM && apart >= SPLIT_FROM / 2)
    return [
      {
        kind: 'judges-split',
        caseIds: [],
        sentence: `The judges hardly agree on this suite: their grades are ${formatPoints(apart)} apart on average (Krippendorff's alpha ${formatStatistic(alpha)}). Say more clearly what a good answer is.`,
        evidence: [
          `${formatCount(answers, 'answer')} graded by ${judges.length} judges.`,
          ...means.map(({ judge, mean }) => `${judge}: ${formatPoints(mean)} on average`),
        ],
      },
    ]
  return cases.flatMap(({ testCase: { id }, judgeRanges }): Finding[] => {
    if (judgeRanges.length < FEWEST_ANSWERS_A_CASE || Math.min(...judgeRanges) < SPLIT_FROM) return []
    if (meanOf(judgeRanges) < MEAN_SPLIT_FROM) return []
    return [
      {
        kind: 'judges-split',
        caseIds: [id],
        sentence: `The judges split on ${id}: their grades are ${formatPoints(meanOf(judgeRanges))} apart on average, and ${formatPoints(apart)} over all cases. Say more clearly what a good answer is.`,
        evidence: [
          `${formatCount(judgeRanges.length, 'answer')}, graded ${judgeRanges.map(formatPoints).join(', ')} apart.`,
        ],
      },
    ]
  })
}
