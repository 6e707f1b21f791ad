import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { navigate, useQuery as useAddress } from '../router.tsx'
import { Button } from '../ui/Button.tsx'
import { SelectField, TextArea } from '../ui/Field.tsx'
import { FailureNotice, Loading } from '../ui/Notice.tsx'
import { Page, Panel, Section } from '../ui/Page.tsx'
import { isSimulated } from '../ui/simulated.ts'
import { Agreement } from './Agreement.tsx'
import { AuditSection } from './audit/AuditSection.tsx'
import { CalibrationHistory } from './CalibrationHistory.tsx'
import { describeRun } from './describe-run.ts'
import { readSamples } from './read-samples.ts'

const sources = [
  { name: 'built-in', label: 'The 8 built-in samples' },
  { name: 'run', label: 'Rated cells of a run' },
  { name: 'own', label: 'Your own samples' },
] as const

type Source = (typeof sources)[number]['name']

const SAMPLE_HINT =
  'A JSON list of { id, prompt, response, expectedOutput, expectedScore, tolerance }, as in a file for benchmaker calibrate: an expectedScore of 0.8 is 80 of 100'

/** Calibrates judge models on samples with known scores. */
export function Judges() {
  const queries = useQueryClient()
  const [address] = useAddress()
  const app = useQuery({ queryKey: ['app'], queryFn: () => readReply(api.app.$get()) })
  const models = useQuery({ queryKey: ['models'], queryFn: () => readReply(api.models.$get({ query: {} })) })
  const runs = useQuery({
    queryKey: ['runs', 'rated'],
    queryFn: () => readReply(api.runs.$get({ query: { limit: '50' } })),
  })
  const history = useQuery({ queryKey: ['calibrations'], queryFn: () => readReply(api.calibrations.$get()) })
  const [chosen, setChosen] = useState(address.get('judge') ?? '')
  const [source, setSource] = useState<Source>('built-in')
  const [samplesText, setSamplesText] = useState('')
  const [runId, setRunId] = useState('')
  const judge = chosen || (app.data?.defaultJudge ?? '')
  const samples = source === 'own' ? readSamples(samplesText) : undefined

  const calibrate = useMutation({
    mutationFn: () =>
      readReply(
        api.calibrations.$post({
          json: {
            judgeModelId: judge,
            ...(source === 'run' && { runId }),
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
    (source === 'built-in' || (source === 'run' ? runId !== '' : samples !== undefined && 'samples' in samples))

  return (
    <Page
      title="Judges"
      subtitle="A judge scores answers to questions without a single right answer. Before you rely on it, calibrate it on samples with known scores."
    >
      <Section title="Calibrate a judge">
        <Panel className="flex flex-col gap-3 p-3">
          <div className="grid gap-3 sm:grid-cols-2 lg:max-w-3xl">
            <SelectField label="Judge model" value={judge} onChange={(event) => setChosen(event.target.value)}>
              {judge !== '' && !models.data?.models.some(({ id }) => id === judge) && (
                <option value={judge}>{judge}</option>
              )}
              {models.data?.models.map(({ id }) => (
                <option key={id} value={id}>
                  {id}
                </option>
              ))}
            </SelectField>
            <SelectField
              label="Samples"
              value={source}
              onChange={({ target }) => setSource(sources.find(({ name }) => name === target.value)?.name ?? source)}
            >
              {sources.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </SelectField>
          </div>
          {source === 'run' && (
            <SelectField
              label="Run with ratings"
              className="lg:max-w-3xl"
              value={runId}
              onChange={(event) => setRunId(event.target.value)}
              hint="Rate answers under Results. Your rating is the score the judge should have given."
            >
              <option value="">Choose a run…</option>
              {runs.data?.runs.map((run) => (
                <option key={run.id} value={run.id}>
                  {describeRun(run)}
                </option>
              ))}
            </SelectField>
          )}
          {source === 'own' && (
            <TextArea
              label="Your samples"
              rows={8}
              value={samplesText}
              onChange={(event) => setSamplesText(event.target.value)}
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
                : `One request per sample.${isSimulated(judge) ? ` ${judge} is simulated.` : ''}`}
            </span>
          </div>
          {calibrate.error && <FailureNotice title="The judge was not calibrated" failure={calibrate.error} />}
        </Panel>
      </Section>
      <Section title="History">
        {history.isPending && <Loading label="Loading calibrations…" rows={3} />}
        {history.error && <FailureNotice title="The history could not be loaded" failure={history.error} />}
        {history.data && <CalibrationHistory calibrations={history.data} />}
      </Section>
      <AuditSection />
      <Agreement />
    </Page>
  )
}
