import type { ArenaPanel } from '../../../contract/index.ts'
import { Maximize2, Minimize2, OctagonX, RotateCw } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { formatScore } from '../../../report/words/index.ts'
import { IconButton } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { ModelName } from '../../ui/ModelName.tsx'
import { scoreStyle } from '../../ui/score-colour.ts'
import { describeBlindState, describeEffort, describeState } from '../arena-words.ts'
import { describeViewport, type FittedViewport } from '../preview/fit-viewport.ts'
import type { PreviewFrames } from '../preview/use-frames.ts'
import { ViewportSwitch } from '../preview/ViewportSwitch.tsx'
import type { PanelTab } from './panel-tabs.ts'

const tabNames: Record<PanelTab, string> = {
  preview: 'Preview',
  code: 'Code',
  console: 'Console',
  findings: 'Findings',
}

interface PanelHeadProps {
  panel: ArenaPanel
  name: string
  letter: string
  isBlind: boolean
  tabs: readonly PanelTab[]
  counts: Partial<Record<PanelTab, number>>
  frames: PreviewFrames
  /** The size of the page, if it is visible. */
  fitted: FittedViewport | undefined
  fullScreen: { isFull: boolean; toggle: () => void }
  width: number
  onWidth: (width: number) => void
  hasPage: boolean
}

function Title({ panel, name, letter, isBlind }: Pick<PanelHeadProps, 'panel' | 'name' | 'letter' | 'isBlind'>) {
  const { state, score } = panel
  const isInProgress = state === 'asking' || state === 'streaming' || (state === 'scoring' && !isBlind)
  const words = isBlind ? [describeBlindState(panel)] : [describeState(panel), ...describeEffort(panel)]
  return (
    <div className="flex min-h-9 min-w-0 flex-1 basis-52 items-center gap-2">
      <h2 className="flex max-w-[60%] min-w-0 shrink-0 items-center gap-2 font-medium">
        {isBlind ? (
          name
        ) : (
          <>
            {letter !== '' && <span className="font-semibold text-muted">{letter}</span>}
            <ModelName id={name} withBadge={false} />
          </>
        )}
      </h2>
      {score && !isBlind && (
        <span
          className="shrink-0 rounded px-1.5 font-semibold tabular-nums"
          style={scoreStyle(score.score)}
          title="Weighted total of the four criteria, out of 100"
        >
          {formatScore(score.score)}
          <span className="sr-only"> of 100</span>
        </span>
      )}
      <span
        className={classes(
          'min-w-0 truncate text-[13px] tabular-nums',
          state === 'error' ? 'text-danger' : isInProgress ? 'text-accent-ink' : 'text-muted',
        )}
        title={words.join(' · ')}
      >
        {words.join(' · ')}
      </span>
    </div>
  )
}

/** One row above the page: what it is, its views, and what to do with it. In a narrow panel it takes two. */
export function PanelHead({
  tabs,
  counts,
  frames,
  fitted,
  fullScreen: { isFull, toggle },
  width,
  onWidth,
  hasPage,
  ...title
}: PanelHeadProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 border-b border-line pr-1.5 pl-3">
      <Title {...title} />
      <div className="flex min-w-0 flex-1 items-center gap-1 @3xl:flex-none">
        <Tabs.List aria-label={`Views of ${title.name}`} className="-ml-2 flex min-w-0 overflow-x-auto">
          {tabs.map((tab) => (
            <Tabs.Trigger
              key={tab}
              value={tab}
              className="-mb-px inline-flex h-9 items-center gap-1 border-b-2 border-transparent px-2 whitespace-nowrap text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
            >
              {tabNames[tab]}
              {(counts[tab] ?? 0) > 0 && <span className="text-xs font-normal text-muted">{counts[tab]}</span>}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <span className="min-w-0 flex-1 truncate text-right text-xs text-muted tabular-nums @max-md:hidden">
          {fitted && describeViewport(fitted)}
          {frames.isLoading && !frames.isLate && ' · loading…'}
        </span>
        {isFull && <ViewportSwitch width={width} onChange={onWidth} />}
        <div className="ml-auto flex shrink-0 items-center">
          {hasPage && !frames.isStopped && (
            <IconButton label="Stop this preview" onClick={frames.stop}>
              <OctagonX size={14} aria-hidden />
            </IconButton>
          )}
          <IconButton label="Reload the page" disabled={!hasPage || frames.isStopped} onClick={frames.reload}>
            <RotateCw size={14} aria-hidden />
          </IconButton>
          <IconButton
            label={isFull ? 'Exit full screen' : 'Full screen'}
            disabled={!hasPage && !isFull}
            onClick={toggle}
          >
            {isFull ? <Minimize2 size={14} aria-hidden /> : <Maximize2 size={14} aria-hidden />}
          </IconButton>
        </div>
      </div>
    </div>
  )
}
