import type { ArenaView } from '../../../contract/index.ts'
import { classes } from '../../ui/classes.ts'
import { ArenaPanelView } from './ArenaPanelView.tsx'

/** Fills whole rows where possible: 2 and 4 panels in twos, others in threes. */
function gridClass(count: number): string {
  if (count === 1) return ''
  return count === 2 || count === 4 ? 'lg:grid-cols-2' : 'lg:grid-cols-2 xl:grid-cols-3'
}

interface ArenaPanelsProps {
  view: ArenaView
  /** Only this one is visible. The others stay mounted, so that their pages keep running. */
  shown: string | undefined
  width: number
}

export function ArenaPanels({ view: { runId, panels }, shown, width }: ArenaPanelsProps) {
  const isOne = shown !== undefined
  return (
    <div className={classes('grid grid-cols-[minmax(0,1fr)] items-start gap-4', !isOne && gridClass(panels.length))}>
      {panels.map((panel, index) => (
        <div key={panel.modelId} hidden={isOne && panel.modelId !== shown} className="min-w-0">
          <ArenaPanelView
            runId={runId}
            panel={panel}
            number={index + 1}
            width={width}
            height={isOne ? 'max(480px, calc(100dvh - 340px))' : '440px'}
          />
        </div>
      ))}
    </div>
  )
}
