import { useMemo } from 'react'
import type { ArenaView } from '../../server/api-code-arena.ts'
import { useQuery } from '../router.tsx'
import { classes } from '../ui/classes.ts'
import { ArenaPanelView, panelTabs, type PanelTab } from './ArenaPanelView.tsx'

/** Whole rows where that is possible: 2 and 4 by twos, 3, 5 and 6 by threes. */
function gridOf(count: number): string {
  if (count === 1) return ''
  return count === 2 || count === 4 ? 'lg:grid-cols-2' : 'lg:grid-cols-2 xl:grid-cols-3'
}

interface ArenaPanelsProps {
  view: ArenaView
  /** Only this one is seen. The others stay, so that their pages go on. */
  shown: string | undefined
  width: number
  onWidth: (width: number) => void
}

export function ArenaPanels({ view: { runId, panels }, shown, width, onWidth }: ArenaPanelsProps) {
  const [query, changeQuery] = useQuery()
  const choosers = useMemo(() => panels.map((_panel, index) => (tab: PanelTab) => changeQuery({ [`show${index + 1}`]: tab === 'preview' ? '' : tab })), [panels.length])
  const isOne = shown !== undefined
  return (
    <div className={classes('grid grid-cols-[minmax(0,1fr)] items-start gap-4', !isOne && gridOf(panels.length))}>
      {panels.map((panel, index) => (
        <div key={panel.modelId} hidden={isOne && panel.modelId !== shown} className="min-w-0">
          <ArenaPanelView
            runId={runId}
            panel={panel}
            tab={panelTabs.find((tab) => tab === query.get(`show${index + 1}`)) ?? 'preview'}
            onTab={choosers[index]!}
            width={width}
            onWidth={onWidth}
            height={isOne ? 'max(480px, calc(100dvh - 340px))' : '440px'}
          />
        </div>
      ))}
    </div>
  )
}
