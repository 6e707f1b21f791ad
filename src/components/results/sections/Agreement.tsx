import type { JudgeAgreement } from '../../../statistics/index.ts'
import {
  AGREEMENT_SOURCES,
  describeAgreement,
  describeAlpha,
  describeIcc,
  describeKappa,
  formatCount,
  formatScore,
} from '../../../report/words/index.ts'
import { CutName } from '../../ui/names/ModelName.tsx'
import { Panel, Section } from '../../ui/Page.tsx'

/** How well the judges of a panel agree. */
export function Agreement({ agreement }: { agreement: JudgeAgreement }) {
  const { alpha, icc, answers, pairs, means } = agreement
  return (
    <Section
      title="Judge agreement"
      id="agreement"
      aside={`${formatCount(means.length, 'judge')}, ${formatCount(answers, 'answer')} scored by all of them`}
    >
      <Panel className="flex flex-col gap-3 p-4">
        <p>
          {describeAgreement(agreement)}{' '}
          <span className="text-muted tabular-nums">
            Krippendorff’s alpha {describeAlpha(alpha)}; ICC(2,1) {describeIcc(icc)}.
          </span>
        </p>
        <div className="grid items-start gap-4 text-[13px] lg:grid-cols-2">
          <table className="w-full">
            <caption className="text-left text-muted">Mean score: higher is more lenient</caption>
            <tbody>
              {means.map(({ judge, mean }) => (
                <tr key={judge} className="border-t border-line">
                  <th scope="row" className="max-w-0 py-1 text-left font-normal">
                    <CutName name={judge} />
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
                  <th scope="row" className="max-w-0 py-1 text-left font-normal">
                    <CutName name={judgeA} />
                    <span className="flex min-w-0 gap-1">
                      and <CutName name={judgeB} />
                    </span>
                  </th>
                  <td className="w-40 text-right align-top">{describeKappa(kappa)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p className="text-xs text-muted">{AGREEMENT_SOURCES}</p>
      </Panel>
    </Section>
  )
}
