import { isLive } from '../../../contract/index.ts'
import type { ArenaRun } from '../../../stores/liveRunStore.ts'
import { classes } from '../../ui/classes.ts'
import type { BallotPage } from '../vote/ballot.ts'
import { ArenaPanelView } from './ArenaPanelView.tsx'

/** Two get all the width; 4 are in twos, others in threes. */
function gridClass(count: number): string {
  if (count === 1) return ''
  return count === 2 || count === 4 ? 'lg:grid-cols-2' : 'lg:grid-cols-2 xl:grid-cols-3'
}

/** As large as the visible ones: a page that starts or is resized without a size may never draw again. */
function hiddenClass(shownCount: number): string {
  return classes('invisible absolute inset-y-0 left-0 w-full', shownCount === 2 && 'lg:w-[calc(50%-6px)]')
}

interface ArenaPanelsProps {
  view: ArenaRun
  pages: readonly BallotPage[]
  /** The models whose pages are visible. The others stay mounted, so that their pages keep running. */
  shown: ReadonlySet<string>
  areNamesShown: boolean
  width: number
  onPageState: (modelId: string, state: BallotPage['state']) => void
}

export function ArenaPanels({ view, pages, shown, areNamesShown, width, onPageState }: ArenaPanelsProps) {
  return (
    <div
      className={classes(
        'relative grid flex-1 auto-rows-[minmax(23rem,1fr)] grid-cols-[minmax(0,1fr)] gap-3',
        gridClass(shown.size),
      )}
    >
      {pages.map(({ modelId, letter }, index) => (
        <div
          key={modelId}
          className={classes(
            // Sized by the row alone: long code would make the panel as long.
            'flex min-w-0 [contain:size]',
            !shown.has(modelId) && hiddenClass(shown.size),
          )}
        >
          <ArenaPanelView
            runId={view.runId}
            panel={view.pages.find((panel) => panel.modelId === modelId)!}
            isLive={isLive(view)}
            letter={pages.length > 1 ? letter : ''}
            modelName={areNamesShown ? modelId : undefined}
            number={index + 1}
            width={width}
            onPageState={onPageState}
          />
        </div>
      ))}
    </div>
  )
}
