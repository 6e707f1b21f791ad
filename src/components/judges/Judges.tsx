import { Loaded } from '../ui/Loaded.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RunnersOnly, forRunners } from '../access/for-runners.tsx'
import { api } from '../api.ts'
import { ApiFailure, readReply } from '../api-request.ts'
import { Page, Section, Panel } from '../ui/Page.tsx'
import { panelTable } from '../../report/tables/judges.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import { CutName } from '../ui/names/ModelName.tsx'
import { RatingQueues } from '../results/rating/RatingQueues.tsx'
import { AuditSection } from './audit/AuditSection.tsx'
import { CalibrationHistory } from './CalibrationHistory.tsx'
import type { PanelAgreement } from '../../server/judges/panels.ts'
import { AGREEMENT_SOURCES, describeKappa, formatCount, formatScore } from '../../report/words/index.ts'
import { useApp, useJudgeSamples } from '../queries.ts'
import { useState } from 'react'
import { navigate, useAddress } from '../router.tsx'
import { useSingleMutation } from '../use-single-mutation.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField, SelectOptions, TextArea } from '../ui/form/Field.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
import { ModelSelect } from '../ui/names/ModelSelect.tsx'
import { describeRun } from './describe-run.ts'
import { readSamples } from './read-samples.ts'
import { useKeptText } from '../ui/use-kept.ts'

const DEFAULT = 'default'
const RATED = 'rated answers'
const OWN = 'own samples'

const SAMPLE_HINT =
  'A JSON list of { id, prompt, response, expectedOutput, expectedScore, tolerance }, with scores in points: an expectedScore of 80 is 80 of 100. (Files for benchmaker calibrate use 0 to 1.)'

/** Chooses a judge, what it grades and by which criteria, and calibrates it. */
function CalibrateFormForRunners() {
  const queries = useQueryClient()
  const [address] = useAddress()
  const app = useApp()
  const choices = useJudgeSamples()
  const [chosen, setChosen] = useState(address.get('judge') ?? '')
  const [preset, setPreset] = useState(address.get('preset') ?? '')
  const [source, setSource] = useState<string>()
  const [samplesText, setSamplesText] = useKeptText('judge-samples')
  const [runId, setRunId] = useState('')
  const judge = chosen || (app.data?.defaultJudge ?? '')
  const criteria = choices.data?.presets.find(({ name }) => name === preset)
  const used = source ?? criteria?.set ?? DEFAULT
  const set = choices.data?.sets.find(({ name }) => name === used)
  const samples = used === OWN ? readSamples(samplesText) : undefined

  const calibrate = useSingleMutation({
    mutationFn: () =>
      readReply(
        api.calibrations.$post({
          json: {
            judgeModelId: judge,
            ...(preset !== '' && { preset }),
            ...(used === RATED ? { runId } : used === OWN ? {} : { set: used }),
            ...(samples && 'samples' in samples && { samples: samples.samples }),
          },
        }),
      ),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['calibrations'] })
      navigate(`/judges/${encodeURIComponent(id)}`)
    },
  })
  const isReady =
    judge !== '' &&
    (used === RATED ? runId !== '' : used === OWN ? samples !== undefined && 'samples' in samples : true)
  const ratedRuns = choices.data?.ratedRuns ?? []

  return (
    <Panel className="flex flex-col gap-3 p-3">
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        <ModelSelect label="Judge model" value={judge} onChange={setChosen} />
        <SelectField
          label="Criteria"
          hint={criteria ? criteria.summary : 'What the judge is told: the rubric, or a preset as in your suite'}
          value={preset}
          onChange={setPreset}
        >
          <option value="">Default rubric</option>
          <SelectOptions of={choices.data?.presets.map(({ name, title }) => [name, title])} />
        </SelectField>
        <SelectField
          label="Samples"
          hint={set?.summary ?? (used === DEFAULT ? 'A quick look: too few to be sure of a rating' : undefined)}
          value={used}
          onChange={setSource}
        >
          <option value={DEFAULT}>8 samples of several kinds</option>
          <SelectOptions
            of={choices.data?.sets.map(({ name, title, count }) => [name, `${title}: ${count} samples`])}
          />
          <option value={RATED}>Answers that people rated</option>
          <option value={OWN}>Your own samples</option>
        </SelectField>
      </div>
      {used === RATED && ratedRuns.length === 0 && choices.data && (
        <p className="text-muted">No run has ratings yet. Rate answers under Results, including bad ones.</p>
      )}
      {used === RATED && ratedRuns.length > 0 && (
        <SelectField
          label="Run with ratings"
          className="lg:max-w-3xl"
          value={runId}
          onChange={setRunId}
          hint="Each rating is the score that the judge should have given."
        >
          <option value="">Choose a run…</option>
          <SelectOptions
            of={ratedRuns.map((run) => [run.runId, `${describeRun(run)} · ${formatCount(run.ratings, 'rating')}`])}
          />
        </SelectField>
      )}
      {used === OWN && (
        <TextArea
          label="Your samples"
          rows={8}
          value={samplesText}
          onChange={setSamplesText}
          hint={SAMPLE_HINT}
          error={samplesText.trim() !== '' && samples && 'problem' in samples ? samples.problem : undefined}
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button kind="primary" disabled={!isReady || calibrate.isPending} onClick={() => calibrate.mutate()}>
          Calibrate
        </Button>
        <span role="status" className="text-muted">
          {calibrate.isPending
            ? `${judge} is scoring the samples…`
            : `${set ? formatCount(set.count, 'request') : 'One request per sample'}.`}
        </span>
      </div>
      <FailureNotice title="The samples could not be listed" failure={choices.error} onRetry={choices.refetch} />
      <FailureNotice title="The judge was not calibrated" failure={calibrate.error} />
    </Panel>
  )
}

const CalibrateForm = forRunners(CalibrateFormForRunners)

function AgreementTable({ panels }: { panels: PanelAgreement[] }) {
  return (
    <Section
      title="Agreement between judges"
      aside="For panels that scored the same answers. 1 is perfect agreement, 0 is no better than chance."
    >
      <DataTable
        label="Agreement of panels"
        columns={panelTable}
        rows={panels}
        keyOf={({ agreement }) => agreement.judges.join(', ')}
        hints={{ answers: ({ runs }) => `in ${formatCount(runs, 'run')}` }}
        draw={{
          judges: ({ agreement }) =>
            agreement.means.map(({ judge, mean }) => (
              <div key={judge} className="flex gap-1.5 font-normal">
                <CutName name={judge} /> <span className="text-muted">{formatScore(mean)}</span>
              </div>
            )),
          kappa: ({ agreement }) =>
            agreement.pairs.map(({ judgeA, judgeB, kappa }) => (
              <div key={`${judgeA} ${judgeB}`}>
                {judgeA} · {judgeB} <span className="font-medium text-ink">{describeKappa(kappa)}</span>
              </div>
            )),
        }}
      />
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

const isGone = (failure: unknown) => failure instanceof ApiFailure && failure.status === 0

/** Calibrates judge models on samples with known scores. */
export function Judges() {
  const history = useQuery({ queryKey: ['calibrations'], queryFn: () => readReply(api.calibrations.$get()) })
  const page = {
    title: 'Judges',
    subtitle: 'Judges score answers to questions without a single right answer. Calibrate one before you rely on it.',
  }
  // Else every section would say the same.
  if (history.data === undefined && isGone(history.error))
    return (
      <Page {...page}>
        <FailureNotice title="This screen could not be loaded" failure={history.error} onRetry={history.refetch} />
      </Page>
    )
  return (
    <Page {...page}>
      <Section title="Calibrations" aside="How far each judge is off, by prompt version">
        <Loaded query={history} what="the calibrations" rows={3}>
          {(calibrations) => <CalibrationHistory calibrations={calibrations} />}
        </Loaded>
      </Section>
      <RunnersOnly>
        <Section title="Calibrate a judge">
          <CalibrateForm />
        </Section>
      </RunnersOnly>
      <AuditSection />
      <Agreement />
      <RatingQueues />
    </Page>
  )
}
