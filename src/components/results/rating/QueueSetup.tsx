import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ListedQueue } from '../../../server/ratings/routes.ts'
import { formatCount, joinWords } from '../../../report/words/index.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link } from '../../router.tsx'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { TextField } from '../../ui/form/Field.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { Panel, Section } from '../../ui/Page.tsx'
import { RadioGroup } from '../../ui/form/RadioGroup.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { rateAddress } from '../addresses.ts'

const scales = [
  { id: 'points', label: '0 to 100' },
  { id: 'pass-fail', label: 'Pass or fail' },
] as const

const draws = [
  { id: 'each', label: 'Drawn for each model by itself' },
  { id: 'same', label: 'The same for all models: their differences are corrected too' },
] as const

const shares = [
  { id: 'all', label: 'Everyone rates all answers' },
  { id: 'split', label: 'Everyone rates the first 30, then each answer is rated once' },
] as const

/** Enough to say how far people agree, and whether the judge is worth one of them. */
const SHARED_ITEMS = 30

/** The existing queues, to continue one. */
export function QueueList({ queues, withTitles = false }: { queues: readonly ListedQueue[]; withTitles?: boolean }) {
  return (
    <ul className="flex flex-col divide-y divide-line rounded-lg border border-line bg-surface">
      {queues.map(({ id, selection, title, drawnAt, items, rated, raters, scale }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
          <span className="min-w-0 flex-1 basis-60 break-words">
            {withTitles && <span className="font-medium">{title} · </span>}
            {formatCount(rated)} of {formatCount(items, 'answer')} rated
            {raters.length > 0 && ` by ${joinWords(raters)}`}
            <span className="text-muted">
              {' '}
              · {scale === 'points' ? '0 to 100' : 'pass or fail'} · sampled {formatLocalTime(drawnAt)}
            </span>
          </span>
          <Link to={rateAddress(selection, id)} className={buttonClass()}>
            {rated === 0 ? 'Rate' : 'Continue'}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Choice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-[13px] font-medium" aria-hidden>
        {title}
      </span>
      {children}
    </div>
  )
}

/** Draws a new queue. */
export function QueueSetup({ selection, onCreated }: { selection: string; onCreated: (queueId: string) => void }) {
  const queries = useQueryClient()
  const [scale, setScale] = useState<(typeof scales)[number]['id']>('points')
  const [share, setShare] = useState<(typeof shares)[number]['id']>('all')
  const [cases, setCases] = useState<(typeof draws)[number]['id']>('each')
  const [perModel, setPerModel] = useState('50')
  const count = Number(perModel)
  const isValid = Number.isInteger(count) && count >= 1 && count <= 10_000
  const create = useSingleMutation({
    mutationFn: () =>
      readReply(
        api.ratings.$post({
          json: {
            selection,
            scale,
            perModel: count,
            ...(cases === 'same' && { sameCases: true }),
            ...(share === 'split' && { shared: SHARED_ITEMS }),
          },
        }),
      ),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['ratingQueues'] })
      onCreated(id)
    },
  })
  return (
    <Section title="Sample answers to rate">
      <Panel className="flex flex-col gap-4 p-4">
        <p className="max-w-prose text-muted">
          Answers are sampled at random within each model and shown without model and score. From 30 rated cases of a
          model on, its score is corrected by what people gave: the more are rated, the narrower the interval.
        </p>
        <Choice title="How to rate">
          <RadioGroup label="How to rate" name="scale" options={scales} value={scale} onChange={setScale} />
        </Choice>
        <TextField
          label="Answers of each model"
          className="w-40"
          inputMode="numeric"
          value={perModel}
          error={isValid ? undefined : 'Enter a whole number from 1 to 10,000'}
          hint="You can draw more later"
          onChange={setPerModel}
        />
        <Choice title="Which cases">
          <RadioGroup label="Which cases" name="cases" options={draws} value={cases} onChange={setCases} />
        </Choice>
        <Choice title="Who rates what">
          <RadioGroup label="Who rates what" name="share" options={shares} value={share} onChange={setShare} />
        </Choice>
        <FailureNotice title="No answers were sampled" failure={create.error} />
        <div>
          <Button kind="primary" disabled={!isValid || create.isPending} onClick={() => create.mutate()}>
            {create.isPending ? 'Sampling…' : 'Sample answers'}
          </Button>
        </div>
      </Panel>
    </Section>
  )
}
