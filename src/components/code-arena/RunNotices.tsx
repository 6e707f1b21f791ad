import { isLive, whereRunning, type ArenaView } from '../../contract/index.ts'
import { FailureNotice, Notice } from '../ui/Notice.tsx'
import { Button } from '../ui/Button.tsx'

interface RunNoticesProps {
  view: ArenaView
  areNamesShown: boolean
  isLost: boolean
  failure: unknown
  onClose: () => void
}

/** What is wrong with the run, if anything. */
export function RunNotices({ view, areNamesShown, isLost, failure, onClose }: RunNoticesProps) {
  const stopped = view.progress?.stopped ?? (isLive(view) ? undefined : view.stopped)
  const isOutOfBudget = (view.progress?.usedUpBudget ?? view.usedUpBudget) !== undefined
  return (
    <>
      {isLost && (
        <Notice kind="warning">
          The connection to Benchmaker was lost. Reconnecting… The run continues as long as Benchmaker is running.
        </Notice>
      )}
      {failure !== undefined && (
        <FailureNotice
          failure={failure}
          title="Something went wrong. Finished pages are saved."
          action={<Button onClick={onClose}>Close</Button>}
        />
      )}
      {view.workedOnBy && (
        <Notice title="Running in another process">
          The run is running {whereRunning(view.workedOnBy)}. This page shows what is stored; reload it to see more.
        </Notice>
      )}
      {view.state === 'interrupted' && (
        <Notice kind="warning" title="The run was interrupted">
          The process that was running it ended. Finished pages are saved; Resume sends only the rest.
        </Notice>
      )}
      {view.state !== 'interrupted' && stopped !== undefined && (
        // A reason other than the budget may name a model.
        <Notice kind="warning" title={areNamesShown || isOutOfBudget ? stopped : 'The run stopped early'}>
          Finished pages are saved; Resume sends only the rest{isOutOfBudget && ', with a higher budget'}.
        </Notice>
      )}
    </>
  )
}
