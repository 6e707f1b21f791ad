import { Loaded } from '../../ui/Loaded.tsx'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { HumanRating } from '../../../contract/index.ts'
import type { QueueView } from '../../../server/ratings/queue-view.ts'
import { formatCount, PEOPLE_TITLE } from '../../../report/words/index.ts'
import { api } from '../../api.ts'
import { readReply, apiAddress } from '../../api-request.ts'
import { Link, navigate, type ScreenProps, useAddress } from '../../router.tsx'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { TextField } from '../../ui/form/Field.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { EmptyState, FailureNotice } from '../../ui/Notice.tsx'
import { BackLink, Page, Panel, Section } from '../../ui/Page.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { rateAddress, resultsAddress } from '../addresses.ts'
import { EstimateTable } from './EstimateTable.tsx'
import { QueueList, QueueSetup } from './QueueSetup.tsx'
import { RatingControls } from './RatingControls.tsx'
import { NoSuchRun } from '../NoSuchRun.tsx'
import { Markdown } from '../../ui/markdown/Markdown.tsx'
import { TextBox, Turns } from '../case/CasePrompt.tsx'

/** Rendering much more than this as Markdown would freeze the page. */
const MAX_MARKDOWN = 50_000

type Item = NonNullable<QueueView['item']>

function AnswerBody({ item, isMarkdown }: { item: Item; isMarkdown: boolean }) {
  if (item.response === '' && !item.toolCalls) return <p className="px-3 py-2 text-muted">The answer is empty.</p>
  if (!isMarkdown) return <TextBox label="Answer" text={item.response} />
  return (
    <div className="max-h-[36rem] overflow-auto px-3 py-2" tabIndex={0} role="group" aria-label="Answer as Markdown">
      <Markdown text={item.response.slice(0, MAX_MARKDOWN)} />
    </div>
  )
}

/** The prompt, what is expected and the answer, without model and score. */
function RatingItem({ queueId, item }: { queueId: string; item: Item }) {
  const [isMarkdown, setMarkdown] = useState(false)
  const { prompt, messages, expectedOutput, response, responseLength, toolCalls, position } = item
  return (
    <div className="grid min-w-0 items-start gap-4 lg:grid-cols-[2fr_3fr]">
      <div className="flex min-w-0 flex-col gap-4">
        <Panel>
          <h2 className="border-b border-line px-3 py-1.5 text-[13px] font-medium">Prompt</h2>
          {messages ? <Turns messages={messages} /> : <TextBox label="Prompt" text={prompt} />}
        </Panel>
        {expectedOutput !== undefined && (
          <Panel>
            <h2 className="border-b border-line px-3 py-1.5 text-[13px] font-medium">Expected output</h2>
            <TextBox label="Expected output" text={expectedOutput} />
          </Panel>
        )}
      </div>
      <Panel>
        <div className="flex items-center justify-between gap-2 border-b border-line px-3 py-1">
          <h2 className="text-[13px] font-medium">Answer {formatCount(position)}</h2>
          <Button kind="quiet" aria-pressed={isMarkdown} onClick={() => setMarkdown(!isMarkdown)}>
            Markdown
          </Button>
        </div>
        <AnswerBody item={item} isMarkdown={isMarkdown} />
        {toolCalls && toolCalls.length > 0 && (
          <div className="border-t border-line">
            <h3 className="px-3 pt-1.5 text-xs text-muted">Tool calls</h3>
            <TextBox label="Tool calls" text={JSON.stringify(toolCalls, null, 2)} />
          </div>
        )}
        {responseLength > response.length && (
          <p className="px-3 py-1.5 text-[13px]">
            {formatCount(response.length)} of {formatCount(responseLength)} characters are shown.{' '}
            <a
              href={apiAddress(
                api.ratings[':id'].items[':position'].answer.$path({
                  param: { id: queueId, position: String(position) },
                }),
              )}
              className="text-accent-ink underline"
              target="_blank"
              rel="noreferrer"
            >
              Full answer
            </a>
          </p>
        )}
      </Panel>
    </div>
  )
}

const KEY = 'benchmaker-rater'

/** The name that was used last in this browser. */
function readRaterName(): string {
  try {
    return window.localStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

function keepRaterName(name: string): void {
  try {
    window.localStorage.setItem(KEY, name)
  } catch {
    // A browser that stores nothing asks again.
  }
}

const MORE = 25

/** Ratings of several people are kept apart by their names. */
function NameForm({ onName }: { onName: (name: string) => void }) {
  const [name, setName] = useState('')
  const submit = () => {
    if (name.trim() !== '') onName(name.trim())
  }
  return (
    <Panel className="p-4">
      <Form onSubmit={submit} className="flex flex-wrap items-end gap-x-3 gap-y-1">
        <TextField label="Your name" className="w-60" maxLength={80} value={name} onChange={setName} />
        <Button kind="primary" type="submit" disabled={name.trim() === ''}>
          Start rating
        </Button>
        <p className="w-full text-xs text-muted">Kept with your ratings, so that several people can rate.</p>
      </Form>
    </Panel>
  )
}

function Progress({ view, onChangeName }: { view: QueueView; onChangeName: () => void }) {
  const { progress, rater } = view
  if (!progress || rater === undefined) return null
  const { total, rated, skipped, raters } = progress
  const others = raters.filter((other) => other.rater !== rater)
  return (
    <div className="flex flex-col gap-1">
      <ProgressBar label="Answers rated" value={rated + skipped} max={total} />
      <div className="flex flex-wrap gap-x-3 text-[13px] text-muted">
        <span role="status">
          {formatCount(rated)} of {formatCount(total, 'answer')} rated
          {skipped > 0 && `, ${formatCount(skipped)} skipped`}
        </span>
        <span className="min-w-0 break-words">
          as {rater}{' '}
          <button type="button" className="text-accent-ink hover:underline" onClick={onChangeName}>
            Change
          </button>
        </span>
        {others.length > 0 && (
          <span className="min-w-0 break-words">
            {others.map((other) => `${other.rater} ${formatCount(other.rated)}`).join(', ')}
          </span>
        )}
      </div>
    </div>
  )
}

function Finished({ view, onMore, isPending }: { view: QueueView; onMore: () => void; isPending: boolean }) {
  return (
    <EmptyState
      title="You have rated every answer in this queue."
      action={
        <span className="flex flex-wrap justify-center gap-2">
          <Link to={`${resultsAddress(view.selection)}#people`} className={buttonClass('primary')}>
            See the results
          </Link>
          {!view.draw.isComplete && (
            <Button disabled={isPending} onClick={onMore}>
              Sample {MORE} more of each model
            </Button>
          )}
        </span>
      }
    />
  )
}

function BlindEstimates({ estimates: { models, agreement } }: QueueView) {
  if (models.length === 0) return null
  return (
    <Section title="So far" aside="Letters instead of names, so that you cannot tell which model you are rating">
      <EstimateTable label={PEOPLE_TITLE} models={models} />
      {agreement && (
        <p className="text-[13px] text-muted">{formatCount(agreement.answers, 'answer')} rated by several people.</p>
      )}
    </Section>
  )
}

/** One queue: rate, skip, write a note, take back. */
function Rating({ queueId }: { queueId: string }) {
  const queries = useQueryClient()
  const [name, setName] = useState(readRaterName)
  const key = ['ratingQueue', queueId, name]
  const view = useQuery({
    queryKey: key,
    queryFn: () => readReply(api.ratings[':id'].$get({ param: { id: queueId }, query: { rater: name } })),
  })
  const show = (next: QueueView) => {
    queries.setQueryData(key, next)
    for (const changed of ['results', 'cases', 'caseDetail', 'ratingQueues'])
      void queries.invalidateQueries({ queryKey: [changed] })
  }
  const rate = useMutation({
    mutationFn: ({ position, ...rating }: HumanRating & { position: number }) =>
      readReply(
        api.ratings[':id'].items[':position'].$put({
          param: { id: queueId, position: String(position) },
          json: { rater: name, ...rating },
        }),
      ),
    onSuccess: show,
  })
  const undo = useMutation({
    mutationFn: () => readReply(api.ratings[':id'].undo.$post({ param: { id: queueId }, json: { rater: name } })),
    onSuccess: show,
  })
  const more = useSingleMutation({
    mutationFn: () =>
      readReply(api.ratings[':id'].more.$post({ param: { id: queueId }, json: { perModel: MORE, rater: name } })),
    onSuccess: show,
  })
  const rename = (next: string) => {
    keepRaterName(next)
    setName(next)
  }
  const failure = rate.error ?? undo.error ?? more.error
  return (
    <Loaded
      query={view}
      what="the queue"
      rows={8}
      missing={<EmptyState title="There is no such rating queue.">Its runs may have been deleted.</EmptyState>}
    >
      {(data) => {
        const { item } = data
        return (
          <>
            <Progress view={data} onChangeName={() => rename('')} />
            {failure && <FailureNotice title="Not saved" failure={failure} />}
            {name === '' && <NameForm onName={rename} />}
            {name !== '' && !item && <Finished view={data} onMore={() => more.mutate()} isPending={more.isPending} />}
            {item && (
              <>
                <RatingItem key={item.position} queueId={queueId} item={item} />
                <RatingControls
                  key={`${item.position} ${item.own?.rating ?? ''}`}
                  place={`${queueId} ${item.position}`}
                  scale={data.scale}
                  own={item.own}
                  isSaving={rate.isPending || undo.isPending}
                  canUndo={(data.progress?.rated ?? 0) + (data.progress?.skipped ?? 0) > 0}
                  onRate={(rating) => rate.mutate({ position: item.position, ...rating })}
                  onUndo={() => undo.mutate()}
                />
              </>
            )}
            <BlindEstimates {...data} />
          </>
        )
      }}
    </Loaded>
  )
}

/** People rate answers of these results that were drawn at random, without knowing the model or the score. */
export function RateAnswers({ params }: ScreenProps) {
  const selection = params['selection'] ?? ''
  const [address] = useAddress()
  const queueId = address.get('queue') ?? undefined
  const queues = useQuery({
    queryKey: ['ratingQueues', selection],
    queryFn: () => readReply(api.ratings.$get({ query: { selection } })),
    enabled: queueId === undefined,
  })
  return (
    <Page
      title="Rate answers"
      subtitle={<BackLink to={resultsAddress(selection)}>Results</BackLink>}
      actions={
        queueId !== undefined && (
          <Link to={rateAddress(selection)} className={buttonClass()}>
            Queues
          </Link>
        )
      }
    >
      {queueId === undefined ? (
        <Loaded query={queues} what="the queues" rows={2} missing={<NoSuchRun />}>
          {(list) => (
            <>
              {list.length > 0 && (
                <Section title="Queues of these results">
                  <QueueList queues={list} />
                </Section>
              )}
              <QueueSetup selection={selection} onCreated={(id) => navigate(rateAddress(selection, id))} />
            </>
          )}
        </Loaded>
      ) : (
        <Rating key={queueId} queueId={queueId} />
      )}
    </Page>
  )
}
