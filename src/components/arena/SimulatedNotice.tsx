import { joinWords } from '../../report/words/index.ts'
import { Link } from '../router.tsx'
import { listSimulatedJudges } from '../../contract/index.ts'
import { warnOfSimulated } from '../../report/words/judges/judge-notes.ts'
import { isSimulated } from '../../report/words/models.ts'
import { Notice } from '../ui/Notice.tsx'

interface SimulatedNoticeProps {
  models: readonly string[]
  judges: readonly string[]
  /** There are no others yet: no key and no endpoint is set. */
  isDemoOnly: boolean
}

/** The one place of the screen that says so. Shown if a chosen model is simulated. */
export function SimulatedNotice({ models, judges, isDemoOnly }: SimulatedNoticeProps) {
  const simulated = models.filter(isSimulated)
  const unfit = listSimulatedJudges(judges, models)
  if (unfit.length > 0) return <Notice kind="warning">{warnOfSimulated(unfit)}</Notice>
  if (simulated.length === 0) return null
  return (
    <Notice>
      {simulated.length === models.length
        ? 'The chosen models are'
        : `${joinWords(simulated)} ${simulated.length === 1 ? 'is' : 'are'}`}{' '}
      simulated: nothing leaves this machine, nothing costs money, and the prices are made up.
      {isDemoOnly && (
        <>
          {' '}
          To use real models,{' '}
          <Link to="/settings" className="underline">
            add an API key in Settings
          </Link>
          .
        </>
      )}
    </Notice>
  )
}
