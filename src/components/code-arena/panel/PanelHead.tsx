import type { ShownPage } from '../../../stores/liveRunStore.ts'
import { Maximize2, Minimize2, OctagonX, RotateCw } from 'lucide-react'
import { Tabs } from 'radix-ui'
import { IconButton } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { ModelName } from '../../ui/names/ModelName.tsx'
import {
  describeBlindPage,
  describeEffort,
  describePageState,
  describeViewport,
} from '../../../report/words/code-arena.ts'
import { type FittedViewport } from '../preview/fit-viewport.ts'
import type { PreviewFrames } from '../preview/use-frames.ts'
import { ViewportSwitch } from '../preview/ViewportSwitch.tsx'

export type PanelTab = 'preview' | 'code' | 'console' | 'findings'

const all: readonly PanelTab[] = ['preview', 'code', 'console', 'findings']

/** Before the vote there are no findings: they are part of the grade, and their pictures have the model in their address. */
export function listPanelTabs(isBlind: boolean): readonly PanelTab[] {
  return isBlind ? all.filter((tab) => tab !== 'findings') : all
}

export function readPanelTab(text: string | null, tabs: readonly PanelTab[]): PanelTab {
  return tabs.find((tab) => tab === text) ?? 'preview'
}

const tabNames: Record<PanelTab, string> = {
  preview: 'Preview',
  code: 'Code',
  console: 'Console',
  findings: 'Findings',
}

interface PanelHeadProps {
  panel: ShownPage
  name: string
  letter: string
  isBlind: boolean
  isLive: boolean
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

type TitleProps = Pick<PanelHeadProps, 'panel' | 'name' | 'letter' | 'isBlind' | 'isLive'>

function Title({ panel, name, letter, isBlind, isLive }: TitleProps) {
  const { state, step } = panel
  const isInProgress = state === 'running' && !(step === 'scoring' && isBlind)
  // A judged page has a row of its own for this.
  const words = isBlind
    ? [describeBlindPage(panel, { isLive })]
    : panel.page?.score
      ? []
      : [describePageState(panel, { isLive }), ...describeEffort(panel)]
  return (
    <div className={classes('flex min-h-9 min-w-0 flex-1 items-center gap-2', isBlind ? 'basis-14' : 'basis-36')}>
      <h2 className="flex min-w-0 items-center gap-2 font-medium">
        {isBlind ? (
          <span className="whitespace-nowrap">{name}</span>
        ) : (
          <>
            {letter !== '' && <span className="font-semibold text-muted">{letter}</span>}
            <ModelName id={name} withBadge={false} />
          </>
        )}
      </h2>
      {isBlind && isInProgress && (
        <span
          role="img"
          aria-label={words.join()}
          title={words.join()}
          className="size-2 shrink-0 rounded-full bg-accent motion-safe:animate-pulse @md:hidden"
        />
      )}
      {words.length > 0 && (
        <span
          className={classes(
            'min-w-0 flex-1 truncate text-[13px] tabular-nums',
            // In one row with the views, whatever the state: a second row would resize the page.
            isBlind && '@max-md:hidden',
            state === 'error' ? 'text-danger' : isInProgress ? 'text-accent-ink' : 'text-muted',
          )}
          title={words.join(' · ')}
        >
          {words.join(' · ')}
        </span>
      )}
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
      <div className="flex max-w-full min-w-0 grow items-center gap-1 @2xl:grow-0">
        <Tabs.List aria-label={`Views of ${title.name}`} className="-ml-1.5 flex min-w-0 overflow-x-auto">
          {tabs.map((tab) => (
            <Tabs.Trigger
              key={tab}
              value={tab}
              className="-mb-px inline-flex h-9 items-center gap-1 border-b-2 border-transparent px-1.5 @max-sm:px-1 @max-sm:text-[13px] whitespace-nowrap text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-ink"
            >
              {tabNames[tab]}
              {(counts[tab] ?? 0) > 0 && <span className="text-xs font-normal text-muted">{counts[tab]}</span>}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <span className="min-w-0 flex-1 truncate px-1 text-right text-xs text-muted tabular-nums @max-3xl:hidden">
          {fitted && describeViewport(fitted)}
          {frames.isLoading && !frames.isLate && ' · loading…'}
        </span>
        {isFull && <ViewportSwitch width={width} onChange={onWidth} />}
        <div className="ml-auto flex shrink-0 items-center">
          {hasPage && !frames.isStopped && (
            <IconButton label="Stop this preview" className="size-7!" onClick={frames.stop}>
              <OctagonX size={14} aria-hidden />
            </IconButton>
          )}
          <IconButton
            label="Reload the page"
            className="size-7!"
            disabled={!hasPage || frames.isStopped}
            onClick={frames.reload}
          >
            <RotateCw size={14} aria-hidden />
          </IconButton>
          <IconButton
            label={isFull ? 'Exit full screen' : 'Full screen'}
            className="size-7!"
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
