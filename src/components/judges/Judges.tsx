import { Loaded } from '../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import { RunnersOnly } from '../access/for-runners.tsx'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Page, Section, TablePanel } from '../ui/Page.tsx'
import { RatingQueues } from '../results/rating/RatingQueues.tsx'
import { AuditSection } from './audit/AuditSection.tsx'
import { CalibrateForm } from './CalibrateForm.tsx'
import { CalibrationHistory } from './CalibrationHistory.tsx'
import type { PanelAgreement } from '../../server/judges/panels.ts'
import {
  AGREEMENT_SOURCES,
  describeAgreement,
  describeAlpha,
  describeIcc,
  describeKappa,
  formatCount,
  formatScore,
} from '../../report/words/index.ts'

function AgreementTable({ panels }: { panels: PanelAgreement[] }) {
  return (
    <Section
      title="Agreement between judges"
      aside="For panels that scored the same answers. 1 is perfect agreement, 0 is no better than chance."
    >
      <TablePanel label="Agreement between judges">
        <table className="w-full">
          <thead className="text-left text-xs text-muted">
            <tr className="border-b border-line">
              <th className="px-3 py-2 font-medium">Judges and their mean scores</th>
              <th className="px-3 py-2 text-right font-medium">Answers</th>
              <th className="px-3 py-2 font-medium">Agreement</th>
              <th className="px-3 py-2 font-medium">Krippendorff’s alpha</th>
              <th className="px-3 py-2 font-medium">ICC(2,1)</th>
              <th className="px-3 py-2 font-medium">Weighted kappa by pair</th>
            </tr>
          </thead>
          <tbody>
            {panels.map(({ agreement, runs }) => (
              <tr key={agreement.judges.join(', ')} className="border-b border-line align-top last:border-0">
                <td className="px-3 py-2">
                  {agreement.means.map(({ judge, mean }) => (
                    <div key={judge} className="whitespace-nowrap">
                      {judge} <span className="text-muted">{formatScore(mean)}</span>
                    </div>
                  ))}
                </td>
                <td className="px-3 py-2 text-right" title={`in ${formatCount(runs, 'run')}`}>
                  {formatCount(agreement.answers)}
                </td>
                <td className="min-w-48 px-3 py-2">{describeAgreement(agreement)}</td>
                <td className="px-3 py-2 whitespace-nowrap">{describeAlpha(agreement.alpha)}</td>
                <td className="px-3 py-2 whitespace-nowrap">{describeIcc(agreement.icc)}</td>
                <td className="min-w-48 px-3 py-2">
                  {agreement.pairs.map(({ judgeA, judgeB, kappa }) => (
                    <div key={`${judgeA} ${judgeB}`}>
                      {judgeA} · {judgeB} <span className="font-medium">{describeKappa(kappa)}</span>
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablePanel>
      <p className="text-xs text-muted">{AGREEMENT_SOURCES}</p>
    </Section>
  )
}

/** How well the judges of each panel agree, over the runs they judged together. */
function Agreement() {
  const panels = useQuery({ queryKey: ['judgeAgreement'], queryFn: () => readReply(api.judges.agreement.$get()) })
  return (
    <Loaded query={panels} what="the agreement" rows={3} empty={null}>
      {(loaded) => <AgreementTable panels={loaded} />}
    </Loaded>
  )
}

/** Calibrates judge models on samples with known scores. */
export function Judges() {
  const history = useQuery({ queryKey: ['calibrations'], queryFn: () => readReply(api.calibrations.$get()) })
  return (
    <Page
      title="Judges"
      subtitle="A judge scores answers to questions without a single right answer. Before you rely on it, calibrate it on samples with known scores."
    >
      <RunnersOnly>
        <Section title="Calibrate a judge">
          <CalibrateForm />
        </Section>
      </RunnersOnly>
      <Section title="History" aside="By judge, grouped by prompt version">
        <Loaded query={history} what="the calibrations" rows={3}>
          {(calibrations) => <CalibrationHistory calibrations={calibrations} />}
        </Loaded>
      </Section>
      <AuditSection />
      <Agreement />
      <RatingQueues />
    </Page>
  )
}
