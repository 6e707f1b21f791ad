import type { ArenaCriterion } from '../../../contract/index.ts'
import type { ShownPage } from '../../../stores/liveRunStore.ts'
import { Tabs } from 'radix-ui'
import { memo, useEffect } from 'react'
import { useAddress } from '../../router.tsx'
import type { BallotPage } from '../vote/ballot.ts'
import { fitViewport } from '../preview/fit-viewport.ts'
import { useBox } from '../preview/use-box.ts'
import { useFrames } from '../preview/use-frames.ts'
import { usePreview, type ShownPreview } from '../preview/use-preview.ts'
import { editAddressOf } from '../fork/forked-answer.ts'
import { PanelCode } from './PanelCode.tsx'
import { PanelFindings } from './PanelFindings.tsx'
import { listPanelTabs, PanelHead, readPanelTab } from './PanelHead.tsx'
import { PanelPreview } from './PanelPreview.tsx'
import { useFullScreen } from './use-full-screen.ts'
import type { PreviewView } from '../../../server/code-arena/preview-page.ts'
import { SelectField, SelectOptions } from '../../ui/form/Field.tsx'
import { classes } from '../../ui/classes.ts'
import { MAX_MESSAGES, type NumberedMessage, type PreviewMessage } from '../preview/preview-messages.ts'
import { formatScore } from '../../../report/words/index.ts'
import { scoreStyle } from '../../ui/charts/score-colour.ts'
import { describeEffort, describePageState } from '../../../report/words/code-arena.ts'

function Criterion({ criterion: { label, weight, score, reason } }: { criterion: ArenaCriterion }) {
  return (
    <li className="flex flex-col gap-0.5">
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(48px,96px)_auto] items-center gap-2">
        <span className="min-w-0 truncate">
          {label} <span className="text-xs text-muted">{Math.round(weight * 100)} %</span>
        </span>
        <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunken">
          {score !== undefined && (
            <span className="block h-full rounded-full bg-accent" style={{ width: `${score * 100}%` }} />
          )}
        </span>
        <span className="min-w-10 text-right tabular-nums">
          {score === undefined ? <span className="text-xs text-muted">not seen</span> : formatScore(score)}
        </span>
      </div>
      <p className="text-[13px] break-words text-muted">{reason}</p>
    </li>
  )
}

/** The scores of the four criteria; expanding shows the reasons. */
function PanelScore({ panel }: { panel: ShownPage }) {
  const { page: { score } = {}, modelId } = panel
  if (!score) return null
  const { criteria = [], judges = [], notes = '' } = score
  // For a judged page the first line of the notes repeats the criteria; the rest are warnings.
  const remarks = judges.length > 0 && criteria.length > 0 ? notes.split('\n').slice(1).join('\n') : notes
  const isPanel = judges.length > 1
  const effort = describeEffort(panel).join(' · ')
  return (
    <details className="group relative border-b border-line">
      <summary
        aria-label={`Why ${modelId} got ${formatScore(score.score)}`}
        className="flex min-h-8 list-none items-center gap-x-3 px-3 py-1 hover:bg-hover [&::-webkit-details-marker]:hidden"
      >
        <span
          className="rounded px-1.5 font-semibold tabular-nums"
          style={scoreStyle(score.score)}
          title="Weighted total of the four criteria, out of 100"
        >
          {formatScore(score.score)}
        </span>
        {criteria.map(({ name, label, score: points }) => (
          <span
            key={name}
            title={label}
            className="inline-flex shrink-0 items-baseline @max-xl:hidden gap-1 text-xs text-muted"
          >
            {label.split(' ')[0]}{' '}
            <span className={classes('tabular-nums', points !== undefined && 'font-medium text-ink')}>
              {points === undefined ? 'not seen' : Math.round(points * 100)}
            </span>
          </span>
        ))}
        <span className="min-w-0 truncate text-xs text-muted tabular-nums">
          {describePageState(panel, { isLive: true })}
          <span className="hidden @3xl:inline"> · {effort}</span>
        </span>
        <span className="ml-auto shrink-0 text-xs text-accent-ink underline decoration-dotted">
          <span className="group-open:hidden">Why?</span>
          <span className="hidden group-open:inline">Less</span>
        </span>
      </summary>
      <div
        tabIndex={0}
        role="region"
        aria-label={`Reasons for the score of ${modelId}`}
        // Over the page, so that it does not move.
        className="absolute inset-x-0 top-full z-10 flex max-h-72 flex-col gap-3 overflow-auto border-y border-line bg-surface px-3 pt-2 pb-3 shadow-lg"
      >
        <p className="text-[13px] text-muted tabular-nums">{effort}</p>
        <ul className="flex flex-col gap-2">
          {criteria.map((criterion) => (
            <Criterion key={criterion.name} criterion={criterion} />
          ))}
        </ul>
        {isPanel && (
          <ul aria-label="Judges of the panel" className="flex flex-col gap-1">
            {judges.map(({ judgeModelId, score: points }) => (
              <li key={judgeModelId} className="flex gap-2">
                <span className="min-w-0 flex-1 truncate" title={judgeModelId}>
                  {judgeModelId}
                </span>
                <span className="tabular-nums">{formatScore(points)}</span>
              </li>
            ))}
          </ul>
        )}
        {remarks !== '' && <p className="text-[13px] break-words whitespace-pre-line text-warning">{remarks}</p>}
      </div>
    </details>
  )
}

const tints: Partial<Record<PreviewMessage['level'], string>> = { error: 'text-danger', warn: 'text-warning' }

function labelOf({ kind, level }: PreviewMessage): string {
  if (kind === 'blocked') return 'blocked'
  return kind === 'error' ? 'error' : level
}

interface PanelConsoleProps {
  name: string
  messages: readonly NumberedMessage[]
  preview: PreviewView | undefined
}

/** The page's console, and what it was not allowed to load. */
function PanelConsole({ name, messages, preview }: PanelConsoleProps) {
  const { blocked = [], notes = [] } = preview ?? {}
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={`Console of ${name}`}
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3"
    >
      {messages.length === 0 && blocked.length === 0 && notes.length === 0 && (
        <div className="text-muted">No messages, and nothing was blocked.</div>
      )}
      {messages.length > 0 && (
        <ol aria-label="Messages" className="flex flex-col divide-y divide-line font-mono text-[13px]">
          {messages.map((message) => (
            <li key={message.number} className="flex gap-2 py-1">
              <span className={classes('w-14 shrink-0 text-xs leading-5', tints[message.level] ?? 'text-muted')}>
                {labelOf(message)}
              </span>
              <span className="min-w-0 flex-1 break-words whitespace-pre-wrap">{message.text}</span>
            </li>
          ))}
        </ol>
      )}
      {messages.length >= MAX_MESSAGES && (
        <div className="text-muted">Only the first {MAX_MESSAGES} messages are shown.</div>
      )}
      {blocked.length > 0 && (
        <section aria-label="Not loaded">
          <h3 className="font-medium">Not loaded</h3>
          <p className="text-xs text-muted">Pages have no network access. They requested:</p>
          <ul className="mt-1 flex flex-col gap-1">
            {blocked.map(({ url, why }) => (
              <li key={url} className="min-w-0">
                <code className="text-xs break-all">{url}</code>
                <div className="text-xs text-muted">{why}</div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {notes.length > 0 && (
        <section aria-label="Page assembly">
          <h3 className="font-medium">Page assembly</h3>
          <ul className="list-disc pl-4">
            {notes.map((note) => (
              <li key={note} className="break-words">
                {note}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** Whether there is a page to vote on. */
function pageState({ state, response }: ShownPage, shown: ShownPreview, isLive: boolean): BallotPage['state'] {
  // What a failed request wrote is not stored, so no vote can refer to it.
  if (state === 'error') return 'none'
  if (shown.isFinal) return shown.url === undefined ? 'none' : 'works'
  return !isLive && response === '' ? 'none' : 'writing'
}

interface ArenaPanelViewProps {
  runId: string
  panel: ShownPage
  isLive: boolean
  letter: string
  /** Undefined before the vote: then nothing here may tell which model it is. */
  modelName: string | undefined
  /** From 1; identifies the panel's open tab in the address. */
  number: number
  width: number
  onPageState: (modelId: string, state: BallotPage['state']) => void
}

const content = 'flex min-h-0 min-w-0 flex-1 flex-col'

/** Keeps its size behind another tab: a page that starts without one may never draw. */
const previewContent = `${content} relative data-[state=inactive]:invisible data-[state=inactive]:absolute data-[state=inactive]:inset-0`

/** One model's page. Its frame stays mounted when another tab is open, so that the page keeps running. */
export const ArenaPanelView = memo(function ArenaPanelView({
  runId,
  panel,
  isLive,
  letter,
  modelName,
  number,
  width,
  onPageState,
}: ArenaPanelViewProps) {
  const [query, changeQuery] = useAddress()
  const shown = usePreview(runId, panel)
  const frames = useFrames(shown.url, shown.isFinal)
  const [stage, box] = useBox<HTMLDivElement>()
  const { container, isFull, toggle } = useFullScreen<HTMLElement>()
  const isBlind = modelName === undefined
  const name = modelName ?? `Page ${letter}`
  const tabs = listPanelTabs(isBlind)
  const tab = readPanelTab(query.get(`show${number}`), tabs)
  const { modelId, response, state, step, page: { inspection } = {} } = panel
  const found = pageState(panel, shown, isLive)
  useEffect(() => onPageState(modelId, found), [onPageState, modelId, found])
  const fitted = fitViewport(width, box)
  return (
    <Tabs.Root
      asChild
      value={tab}
      onValueChange={(value) => changeQuery({ [`show${number}`]: value === 'preview' ? '' : value })}
    >
      <article
        ref={container}
        aria-label={name}
        className="@container flex min-h-0 min-w-0 flex-1 flex-col overflow-hidden rounded-lg border border-line bg-surface"
      >
        <PanelHead
          panel={panel}
          name={name}
          letter={letter}
          isBlind={isBlind}
          isLive={isLive}
          tabs={tabs}
          counts={{
            console: frames.messages.length,
            findings: inspection ? inspection.errors.length + inspection.accessibility.length : 0,
          }}
          frames={frames}
          fitted={tab === 'preview' && frames.frames.length > 0 ? fitted : undefined}
          fullScreen={{ isFull, toggle }}
          width={width}
          onWidth={(value) => changeQuery({ width: String(value) })}
          hasPage={shown.url !== undefined}
        />
        {!isBlind && <PanelScore panel={panel} />}
        {shown.isFinal && shown.preview?.alternatives && (
          <div className="border-b border-line px-3 py-1.5">
            <SelectField
              label="Alternatives in this answer"
              isLabelHidden
              value={shown.preview.alternative}
              onChange={(value) => shown.choose(Number(value))}
            >
              <SelectOptions of={shown.preview.alternatives.map((title, index) => [index, title] as const)} />
            </SelectField>
          </div>
        )}
        <div className="relative flex min-h-0 flex-1 flex-col">
          <Tabs.Content value="preview" forceMount tabIndex={-1} className={previewContent}>
            <PanelPreview
              title={isBlind ? name : `Page by ${name}`}
              shown={shown}
              frames={frames}
              stage={stage}
              fitted={fitted}
              state={step ?? state}
              isLive={isLive}
            />
          </Tabs.Content>
          <Tabs.Content value="code" tabIndex={-1} className={content}>
            <PanelCode
              name={name}
              isBlind={isBlind}
              response={response}
              preview={shown.preview}
              isWriting={step === 'sent' || step === 'streaming'}
              editAddress={isBlind || state === 'error' ? undefined : editAddressOf(runId, modelId)}
            />
          </Tabs.Content>
          <Tabs.Content value="console" tabIndex={-1} className={content}>
            <PanelConsole name={name} messages={frames.messages} preview={shown.preview} />
          </Tabs.Content>
          {!isBlind && (
            <Tabs.Content value="findings" tabIndex={-1} className={content}>
              <PanelFindings panel={panel} />
            </Tabs.Content>
          )}
        </div>
      </article>
    </Tabs.Root>
  )
})
