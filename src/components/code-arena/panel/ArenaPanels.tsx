import type { ArenaView } from '../../../contract/index.ts'
import { classes } from '../../ui/classes.ts'
import { ArenaPanelView } from './ArenaPanelView.tsx'

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
}

export function ArenaPanels({ view: { runId, panels }, shown, width }: ArenaPanelsProps) {
  const isOne = shown !== undefined
  return (
    <div className={classes('grid grid-cols-[minmax(0,1fr)] items-start gap-4', !isOne && gridOf(panels.length))}>
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
