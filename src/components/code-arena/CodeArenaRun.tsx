import type { ArenaView } from '../../contract/index.ts'
import { useEffect, useState } from 'react'
import { ApiFailure } from '../api-request.ts'
import { describePace, describeSpent } from '../arena/live/run-words.ts'
import { SeriesLinks } from '../arena/live/SeriesLinks.tsx'
import { Link, navigate, useQuery, type ScreenProps } from '../router.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { SelectField } from '../ui/Field.tsx'
import { formatCount } from '../../report/words/index.ts'
import { formatLocalTime } from '../ui/local-time.ts'
import { FailureNotice, Loading, Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { countDone, describeCost, describeStatus, nameOfPrompt } from './arena-words.ts'
import { ArenaPanels } from './panel/ArenaPanels.tsx'
import { ArenaRunActions } from './ArenaRunActions.tsx'
import { defaultViewportWidth, readViewportWidth } from './preview/fit-viewport.ts'
import { Segments } from './preview/Segments.tsx'
import { useArenaRun } from './use-arena-run.ts'
import { ViewportSwitch } from './preview/ViewportSwitch.tsx'

const addressOf = (runId: string) => `/code-arena/${encodeURIComponent(runId)}`

function Progress({ view }: { view: ArenaView }) {
  const { done, total, errors } = countDone(view)
  const status = describeStatus(view)
  const words = [
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
      <div className="text-muted tabular-nums">{words.join(' · ')}</div>
      <div className="sr-only" aria-live="polite">
        {words.slice(0, 2).join(', ')}
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
  if (judgeModel === undefined || judgeModel === '') return 'nobody judges'
  return `judged by ${judgeModel}${isQuickJudge ? ' from the code alone' : ''}`
}

/** A run of the Code Arena: the pages of all models, as they appear and afterwards. */
export function CodeArenaRun({ params }: ScreenProps) {
  const runId = params['runId']!
  const { view, kind, failure: refusal, reopen } = useArenaRun(runId)
  const [query, changeQuery] = useQuery()
  const [failure, setFailure] = useState<unknown>()
  const followed = view?.runId
  useEffect(() => {
    // The series went on to its next run: so does this page.
    if (followed !== undefined && followed !== runId) navigate(addressOf(followed), { replace: true })
  }, [followed, runId])

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
          <Loading label="Getting the pages …" rows={10} />
        )}
      </Page>
    )
  }

  const models = view.panels.map(({ modelId }) => modelId)
  const isOne = models.length === 1 || query.get('view') === 'one'
  const wanted = query.get('model')
  const chosen = models.includes(wanted ?? '') ? wanted! : (models[0] ?? '')
  const width = readViewportWidth(
    query.get('width'),
    isOne && window.innerWidth >= 1024 ? 1440 : defaultViewportWidth(window.innerWidth),
  )
  return (
    <Page
      title={nameOfPrompt(view.prompt)}
      subtitle={`${formatCount(models.length, 'model')} · ${describeJudge(view)} · begun ${formatLocalTime(view.startedAt)}`}
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
          The connection to Benchmaker was lost. Trying again; the run goes on without this page as long as its program
          does.
        </Notice>
      )}
      {failure !== undefined && (
        <FailureNotice
          failure={failure}
          title="That did not work. What is done is kept."
          action={<Button onClick={() => setFailure(undefined)}>Close</Button>}
        />
      )}
      {view.isInterrupted && (
        <Notice kind="warning" title="The run was interrupted">
          The program that worked on it was ended. Everything it had finished is kept; Resume asks only what is left.
        </Notice>
      )}
      {!view.isInterrupted && view.progress?.stopped !== undefined && (
        <Notice kind="warning" title="Stopped before its end">
          {view.progress.stopped} What is done is kept.
        </Notice>
      )}
      <Progress view={view} />
      <SeriesLinks runIds={view.seriesRuns} runId={view.runId} addressOf={addressOf} />
      <Prompts view={view} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {models.length > 1 && (
          <Segments
            label="How pages are laid out"
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
