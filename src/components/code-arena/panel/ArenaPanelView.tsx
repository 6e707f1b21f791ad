import type { ArenaPanel } from '../../../contract/index.ts'
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
import { PanelConsole } from './PanelConsole.tsx'
import { PanelFindings } from './PanelFindings.tsx'
import { PanelHead } from './PanelHead.tsx'
import { PanelPreview } from './PanelPreview.tsx'
import { PanelScore } from './PanelScore.tsx'
import { listPanelTabs, readPanelTab } from './panel-tabs.ts'
import { useFullScreen } from './use-full-screen.ts'

/** Whether there is a page to vote on. */
function pageState({ state, response }: ArenaPanel, shown: ShownPreview, isLive: boolean): BallotPage['state'] {
  // What a failed request wrote is not stored, so no vote can refer to it.
  if (state === 'error') return 'none'
  if (shown.isFinal) return shown.url === undefined ? 'none' : 'works'
  return !isLive && response === '' ? 'none' : 'writing'
}

interface ArenaPanelViewProps {
  runId: string
  panel: ArenaPanel
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
  const { modelId, response, state, step, inspection } = panel
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
