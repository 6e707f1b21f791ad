import { Link } from '../router.tsx'
import { isSimulated } from '../ui/simulated.ts'
import { Notice } from '../ui/Notice.tsx'

/** Shown if every chosen model is simulated. */
export function SimulatedNotice({ models }: { models: readonly string[] }) {
  if (models.length === 0 || !models.every(isSimulated)) return null
  return (
    <Notice>
      The chosen models are simulated: nothing leaves this machine, nothing costs money, and the prices are made up. To
      use real models,{' '}
      <Link to="/settings" className="underline">
        add an API key in Settings
      </Link>
      .
    </Notice>
  )
}
