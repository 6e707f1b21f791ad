import type { ArenaPanel } from '../../../contract/index.ts'
import { Tabs } from 'radix-ui'
import { memo } from 'react'
import { useQuery } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { classes } from '../../ui/classes.ts'
import { formatScore } from '../../../report/words/index.ts'
import { ModelName } from '../../ui/ModelName.tsx'
import { scoreStyle } from '../../ui/score-colour.ts'
import { describeEffort, describeState } from '../arena-words.ts'
import { PanelCode } from './PanelCode.tsx'
import { PanelConsole } from './PanelConsole.tsx'
import { PanelFindings } from './PanelFindings.tsx'
import { PanelPreview } from './PanelPreview.tsx'
import { PanelScore } from './PanelScore.tsx'
import { useFrames } from '../preview/use-frames.ts'
import { usePreview } from '../preview/use-preview.ts'

const panelTabs = ['preview', 'code', 'console', 'findings'] as const
type PanelTab = (typeof panelTabs)[number]

function Head({ panel }: { panel: ArenaPanel }) {
  const { modelId, state, score } = panel
  const effort = describeEffort(panel)
  const isInProgress = state === 'asking' || state === 'streaming' || state === 'scoring'
  return (
    <div className="flex items-start gap-3 px-3 py-2">
      <div className="min-w-0 flex-1">
        <h2 className="font-medium">
          <ModelName id={modelId} withBadge={false} />
        </h2>
        <div
          className={classes(
            'text-[13px] break-words tabular-nums',
            state === 'error' ? 'text-danger' : isInProgress ? 'text-accent-ink' : 'text-muted',
          )}
        >
          {describeState(panel)}
          {effort.length > 0 && <span className="text-muted"> · {effort.join(' · ')}</span>}
        </div>
      </div>
      {score && (
        <span
          className="shrink-0 rounded-md px-2 py-0.5 text-base font-semibold tabular-nums"
          style={scoreStyle(score.score)}
          title="Weighted total of the four criteria, out of 100"
        >
          {formatScore(score.score)}
          <span className="sr-only"> of 100</span>
        </span>
      )}
    </div>
  )
}

function TabName({ tab, count }: { tab: PanelTab; count: number }) {
  const names: Record<PanelTab, string> = { preview: 'Preview', code: 'Code', console: 'Console', findings: 'Findings' }
  return (
    <>
      {names[tab]}
      {count > 0 && <Badge>{count}</Badge>}
    </>
  )
}

interface ArenaPanelViewProps {
  runId: string
  panel: ArenaPanel
  /** From 1; identifies the panel's open tab in the address. */
  number: number
  width: number
  /** CSS height of the tab content. */
  height: string
}

/** One model's page. Its frame stays mounted when another tab is open, so that the page keeps running. */
export const ArenaPanelView = memo(function ArenaPanelView({
  runId,
  panel,
  number,
  width,
  height,
}: ArenaPanelViewProps) {
  const [query, changeQuery] = useQuery()
  const tab = panelTabs.find((other) => other === query.get(`show${number}`)) ?? 'preview'
  const shown = usePreview(runId, panel)
  const frames = useFrames(shown.url, shown.isFinal)
  const { modelId, response, state, inspection } = panel
  const isWriting = state === 'asking' || state === 'streaming'
  const findings = inspection ? inspection.errors.length + inspection.accessibility.length : 0
  const counts: Record<PanelTab, number> = {
    preview: 0,
    code: 0,
    console: frames.messages.length,
    findings,
  }
  const choose = (value: string) => changeQuery({ [`show${number}`]: value === 'preview' ? '' : value })
  return (
    <article aria-label={modelId} className="flex min-w-0 flex-col rounded-lg border border-line bg-surface">
      <Head panel={panel} />
      <PanelScore panel={panel} />
      <Tabs.Root value={tab} onValueChange={choose} className="flex min-w-0 flex-col overflow-hidden rounded-b-lg">
        <Tabs.List
          aria-label={`Views of ${modelId}`}
          className="flex gap-1 overflow-x-auto border-y border-line px-1.5"
        >
          {panelTabs.map((value) => (
            <Tabs.Trigger
              key={value}
              value={value}
              className="-mb-px inline-flex h-8 items-center gap-1 border-b-2 border-transparent px-2 whitespace-nowrap text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
            >
              <TabName tab={value} count={counts[value]} />
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="preview" forceMount tabIndex={-1} className="min-w-0 data-[state=inactive]:hidden">
          <PanelPreview
            modelId={modelId}
            shown={shown}
            frames={frames}
            width={width}
            onWidth={(value) => changeQuery({ width: String(value) })}
            state={state}
            height={height}
          />
        </Tabs.Content>
        <Tabs.Content value="code" tabIndex={-1} className="min-w-0">
          <PanelCode
            modelId={modelId}
            response={response}
            preview={shown.preview}
            isWriting={isWriting}
            height={height}
          />
        </Tabs.Content>
        <Tabs.Content value="console" tabIndex={-1} className="min-w-0">
          <PanelConsole modelId={modelId} messages={frames.messages} preview={shown.preview} height={height} />
        </Tabs.Content>
        <Tabs.Content value="findings" tabIndex={-1} className="min-w-0">
          <PanelFindings panel={panel} height={height} />
        </Tabs.Content>
      </Tabs.Root>
    </article>
  )
})
