import type { EstimatedScore, HistoryReport } from '../../model/history-report.ts'
import { describeInterval, formatCount, formatScore } from '../numbers.ts'

export const BY_HISTORY_TITLE = 'Score of all cases'

/** `A plain sample this precise needs 110 cases: 50 calls saved.` */
function describeSaved({ plainNeeded, asked }: EstimatedScore): string {
  const saved = plainNeeded - asked
  return saved > 0
    ? `A plain sample as precise needs ${formatCount(plainNeeded, 'case')}: ${formatCount(saved, 'call')} saved.`
    : 'What other models scored does not help here: no calls are saved.'
}

function describeEstimate(own: EstimatedScore, { cases, drawn, otherModels }: HistoryReport): string {
  const { modelId, asked, estimate, ofSuite, overCases, plainMean, plain, isRefused } = own
  const missing =
    asked < drawn ? ` ${formatCount(drawn - asked, 'case')} without a score left out, which may be hard ones.` : ''
  if (isRefused)
    return `${modelId} scores ${formatScore(plainMean)} on the ${formatCount(asked, 'case')} asked alone (95 % CI ${describeInterval(plain)} over cases like these). What other models scored is not used: that takes 30 scores, 5 of them above and 5 below 50.${missing}`
  return `${modelId} would score ${formatScore(estimate)} on all ${formatCount(cases, 'case')} (95 % CI ${describeInterval(ofSuite)}; over cases like these ${describeInterval(overCases)}): asked ${formatCount(asked)} drawn at random, corrected by what ${formatCount(otherModels)} other models scored. ${describeSaved(own)}${missing}`
}

/** A sentence or two for each model. */
export function describeByHistory(report: HistoryReport | undefined): string[] {
  return report ? report.models.map((own) => describeEstimate(own, report)) : []
}
