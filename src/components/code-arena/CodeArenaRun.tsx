import { describeOwner, type ArenaView } from '../../contract/index.ts'
import { useEffect, useState } from 'react'
import { ApiFailure } from '../api-request.ts'
import { describePace, describeSpent } from '../arena/live/run-words.ts'
import { SeriesLinks } from '../arena/live/SeriesLinks.tsx'
import { Link, navigate, useQuery, type ScreenProps } from '../router.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { SelectField } from '../ui/Field.tsx'
import { describeRunState, formatCount } from '../../report/words/index.ts'
import { formatLocalTime } from '../ui/local-time.ts'
import { describeSimulated } from '../ui/simulated.ts'
import { FailureNotice, Loading, Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { countDone, describeCost, nameOfPrompt } from './arena-words.ts'
import { ArenaPanels } from './panel/ArenaPanels.tsx'
import { BrowserNotice } from './BrowserNotice.tsx'
import { ArenaRunActions } from './ArenaRunActions.tsx'
import { defaultViewportWidth, readViewportWidth } from './preview/fit-viewport.ts'
import { Segments } from './preview/Segments.tsx'
import { useArenaRun } from './use-arena-run.ts'
import { ViewportSwitch } from './preview/ViewportSwitch.tsx'

const addressOf = (runId: string) => `/code-arena/${encodeURIComponent(runId)}`

function Progress({ view }: { view: ArenaView }) {
  const { done, total, errors } = countDone(view)
  const status = describeRunState(view)
  const facts = [
    `${status.charAt(0).toUpperCase()}${status.slice(1)}`,
    `${done} of ${formatCount(total, 'page')} done`,
    ...(view.progress
      ? [...describePace(view.progress, view.isLive ? 'running' : 'completed'), describeSpent(view.progress)]
      : describeCost(view)),
    ...(errors > 0 ? [formatCount(errors, 'error')] : []),
  ]
  return (
    <div className="flex flex-col gap-1.5">
      {done < total && <ProgressBar label={`${done} of ${formatCount(total, 'page')} done`} value={done} max={total} />}
      <div className="text-muted tabular-nums">{facts.join(' · ')}</div>
      <div className="sr-only" aria-live="polite">
        {facts.slice(0, 2).join(', ')}
      </div>
    </div>
  )
}

function Prompts({ view }: { view: ArenaView }) {
  return (
    <details className="rounded-md border border-line bg-surface">
      <summary className="px-3 py-1.5 font-medium hover:bg-hover">Prompt</summary>
      <div
        tabIndex={0}
        role="region"
        aria-label="Prompt and system prompt"
        className="flex max-h-72 flex-col gap-3 overflow-auto border-t border-line px-3 py-2"
      >
        <p className="break-words whitespace-pre-wrap">{view.prompt}</p>
        <div>
          <div className="text-xs text-muted">System prompt</div>
          <p className="text-[13px] break-words whitespace-pre-wrap">
            {view.systemPrompt === '' ? 'None.' : view.systemPrompt}
          </p>
        </div>
      </div>
    </details>
  )
}

function describeJudge({ judgeModel, isQuickJudge }: ArenaView): string {
  if (judgeModel === undefined || judgeModel === '') return 'no judge'
  return `judged by ${judgeModel}${isQuickJudge ? ' from the code alone' : ''}`
}

/** A Code Arena run: the pages of all models, live or stored. */
export function CodeArenaRun({ params }: ScreenProps) {
  const runId = params['runId']!
  const { view, kind, failure: refusal, reopen } = useArenaRun(runId)
  const [query, changeQuery] = useQuery()
  const [failure, setFailure] = useState<unknown>()
  const liveRunId = view?.runId
  useEffect(() => {
    // The series started its next run, so this page follows it.
    if (liveRunId !== undefined && liveRunId !== runId) navigate(addressOf(liveRunId), { replace: true })
  }, [liveRunId, runId])

  if (!view) {
    return (
      <Page title="Code Arena">
        {kind === 'refused' ? (
          <FailureNotice
            title={
              refusal instanceof ApiFailure && refusal.status === 404
                ? 'There is no such run'
                : 'The run cannot be shown'
            }
            failure={refusal}
            action={
              <Link to="/code-arena?tab=history" className={buttonClass()}>
                All runs
              </Link>
            }
          />
        ) : (
          <Loading label="Loading the pages…" rows={10} />
        )}
      </Page>
    )
  }

  const models = view.panels.map(({ modelId }) => modelId)
  const isOne = models.length === 1 || query.get('view') === 'one'
  const requested = query.get('model')
  const chosen = models.includes(requested ?? '') ? requested! : (models[0] ?? '')
  const width = readViewportWidth(
    query.get('width'),
    isOne && window.innerWidth >= 1024 ? 1440 : defaultViewportWidth(window.innerWidth),
  )
  return (
    <Page
      title={nameOfPrompt(view.prompt)}
      subtitle={`${formatCount(models.length, 'model')}${describeSimulated(models)} · ${describeJudge(view)} · started ${formatLocalTime(view.startedAt)}`}
      actions={
        <ArenaRunActions
          view={view}
          onFailure={setFailure}
          onResumed={() => {
            setFailure(undefined)
            reopen()
          }}
        />
      }
    >
      {kind === 'lost' && (
        <Notice kind="warning">
          The connection to Benchmaker was lost. Reconnecting… The run continues as long as Benchmaker is running.
        </Notice>
      )}
      {failure !== undefined && (
        <FailureNotice
          failure={failure}
          title="Something went wrong. Finished pages are saved."
          action={<Button onClick={() => setFailure(undefined)}>Close</Button>}
        />
      )}
      {view.workedOnBy && (
        <Notice title="Another process is working on this run">
          It is {describeOwner(view.workedOnBy)}. This page shows what is stored; reload it to see more.
        </Notice>
      )}
      {view.isInterrupted && (
        <Notice kind="warning" title="The run was interrupted">
          The process that was running it ended. Finished pages are saved; Resume runs only the remaining ones.
        </Notice>
      )}
      {!view.isInterrupted && view.progress?.stopped !== undefined && (
        <Notice kind="warning" title={view.progress.stopped}>
          Finished pages are saved; Resume asks only for the remaining ones.
        </Notice>
      )}
      <BrowserNotice />
      <Progress view={view} />
      <SeriesLinks runIds={view.seriesRuns} runId={view.runId} addressOf={addressOf} />
      <Prompts view={view} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {models.length > 1 && (
          <Segments
            label="Page layout"
            value={isOne ? 'one' : 'all'}
            options={[
              { value: 'all', label: 'Side by side' },
              { value: 'one', label: 'One at a time' },
            ]}
            onChange={(value) =>
              changeQuery({ view: value === 'one' ? 'one' : '', ...(value === 'one' && { model: chosen }) })
            }
          />
        )}
        {isOne && models.length > 1 && (
          <SelectField
            label="Model shown"
            isLabelHidden
            className="w-56 max-w-full"
            value={chosen}
            onChange={({ target }) => changeQuery({ model: target.value })}
          >
            {models.map((model) => (
              <option key={model}>{model}</option>
            ))}
          </SelectField>
        )}
        <div className="sm:ml-auto">
          <ViewportSwitch width={width} onChange={(value) => changeQuery({ width: String(value) })} />
        </div>
      </div>
      <ArenaPanels view={view} shown={isOne ? chosen : undefined} width={width} />
    </Page>
  )
}
