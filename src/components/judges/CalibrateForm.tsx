import { useApp, useJudgeSamples, useModels } from '../queries.ts'
import { forRunners } from '../access/for-runners.tsx'
import type { SampleChoices } from '../../server/judges/samples.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount, joinWords } from '../../report/words/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { navigate, useAddress } from '../router.tsx'
import { useSingleMutation } from '../use-single-mutation.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField, TextArea } from '../ui/Field.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Page.tsx'
import { formatLocalTime } from '../ui/local-time.ts'
import { isSimulated } from '../ui/names/simulated.ts'
import { readSamples } from './read-samples.ts'

const DEFAULT = 'default'
const RATED = 'rated answers'
const OWN = 'own samples'

const SAMPLE_HINT =
  'A JSON list of { id, prompt, response, expectedOutput, expectedScore, tolerance }, with scores in points: an expectedScore of 80 is 80 of 100. (Files for benchmaker calibrate use 0 to 1.)'

/** For people: no one knows a run by its id. */
function describeRun({ suite = 'Suite', models, startedAt, ratings }: SampleChoices['ratedRuns'][number]): string {
  const names = models.length > 2 ? formatCount(models.length, 'model') : joinWords(models)
  return `${suite} · ${names} · ${formatLocalTime(startedAt)} · ${formatCount(ratings, 'rating')}`
}

/** Chooses a judge, what it grades and by which criteria, and calibrates it. */
function CalibrateFormForRunners() {
  const queries = useQueryClient()
  const [address] = useAddress()
  const app = useApp()
  const models = useModels()
  const choices = useJudgeSamples()
  const [chosen, setChosen] = useState(address.get('judge') ?? '')
  const [preset, setPreset] = useState(address.get('preset') ?? '')
  const [source, setSource] = useState<string>()
  const [samplesText, setSamplesText] = useState('')
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
          label="Criteria"
          hint={criteria ? criteria.summary : 'What the judge is told: the rubric, or a preset as in your suite'}
          value={preset}
          onChange={({ target }) => setPreset(target.value)}
        >
          <option value="">Default rubric</option>
          {choices.data?.presets.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Samples"
          hint={set?.summary ?? (used === DEFAULT ? 'A quick look: too few to be sure of a rating' : undefined)}
          value={used}
          onChange={({ target }) => setSource(target.value)}
        >
          <option value={DEFAULT}>8 samples of several kinds</option>
          {choices.data?.sets.map(({ name, title, count }) => (
            <option key={name} value={name}>
              {title}: {count} samples
            </option>
          ))}
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
          onChange={(event) => setRunId(event.target.value)}
          hint="Each rating is the score that the judge should have given."
        >
          <option value="">Choose a run…</option>
          {ratedRuns.map((run) => (
            <option key={run.runId} value={run.runId}>
              {describeRun(run)}
            </option>
          ))}
        </SelectField>
      )}
      {used === OWN && (
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
            : `${set ? formatCount(set.count, 'request') : 'One request per sample'}.${isSimulated(judge) ? ` ${judge} is simulated.` : ''}`}
        </span>
      </div>
      <FailureNotice title="The samples could not be listed" failure={choices.error} onRetry={choices.refetch} />
      <FailureNotice title="The judge was not calibrated" failure={calibrate.error} />
    </Panel>
  )
}

export const CalibrateForm = forRunners(CalibrateFormForRunners)
