import { Loaded } from '../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import { RunnersOnly } from '../access/for-runners.tsx'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Page, Section } from '../ui/Page.tsx'
import { RatingQueues } from '../results/rating/RatingQueues.tsx'
import { Agreement } from './Agreement.tsx'
import { AuditSection } from './audit/AuditSection.tsx'
import { CalibrateForm } from './CalibrateForm.tsx'
import { CalibrationHistory } from './CalibrationHistory.tsx'

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
