import type { JudgeAgreement } from '../../../statistics/index.ts'
import { formatCount, formatScore, formatStatistic } from '../../../report/words/index.ts'
import { Panel, Section } from '../../ui/Page.tsx'

/** Krippendorff's own marks (Content Analysis, 2004): 0.8 to rely on, 0.667 for tentative conclusions. */
function sayAgreement(alpha: number | null): string {
  if (alpha === null || Number.isNaN(alpha)) return 'Agreement cannot be computed: the grades do not vary.'
  if (alpha >= 0.8) return 'The judges agree well.'
  return alpha >= 0.667
    ? 'The judges agree enough for tentative conclusions.'
    : 'The judges disagree: look at their reasons before relying on these scores.'
}

/** How far the judges of a panel agree. */
export function Agreement({ agreement }: { agreement: JudgeAgreement }) {
  const { alpha, icc, answers, pairs, means } = agreement
  return (
    <Section
      title="Judge agreement"
      id="agreement"
      aside={`${formatCount(means.length, 'judge')}, ${formatCount(answers, 'answer')} that all of them graded`}
    >
      <Panel className="flex flex-col gap-3 p-4">
        <p>
          {sayAgreement(alpha)}{' '}
          <span className="text-muted tabular-nums">
            Krippendorff’s alpha {formatStatistic(alpha)}, ICC(2,1) {formatStatistic(icc)}.
          </span>
        </p>
        <div className="grid items-start gap-4 text-[13px] sm:grid-cols-2">
          <table className="w-full">
            <caption className="text-left text-muted">Mean grade: who is kind, who is strict</caption>
            <tbody>
              {means.map(({ judge, mean }) => (
                <tr key={judge} className="border-t border-line">
                  <th scope="row" className="max-w-0 truncate py-1 text-left font-normal" title={judge}>
                    {judge}
                  </th>
                  <td className="w-16 text-right">{formatScore(mean)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <table className="w-full">
            <caption className="text-left text-muted">Quadratic-weighted kappa of each pair</caption>
            <tbody>
              {pairs.map(({ judgeA, judgeB, kappa }) => (
                <tr key={`${judgeA} ${judgeB}`} className="border-t border-line">
                  <th
                    scope="row"
                    className="max-w-0 truncate py-1 text-left font-normal"
                    title={`${judgeA} and ${judgeB}`}
                  >
                    {judgeA} and {judgeB}
                  </th>
                  <td className="w-16 text-right">{formatStatistic(kappa)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Panel>
    </Section>
  )
}
