import { Link } from '../router.tsx'
import { isSimulated } from '../ui/simulated.ts'
import { Notice } from '../ui/Notice.tsx'

/** Says so where no real model was chosen. */
export function SimulatedNotice({ models }: { models: readonly string[] }) {
  if (models.length === 0 || !models.every(isSimulated)) return null
  return (
    <Notice>
      The chosen models are simulated: nothing leaves this machine and nothing is paid, their prices are made up. To ask
      real ones,{' '}
      <Link to="/settings" className="underline">
        add a key in Settings
      </Link>
      .
    </Notice>
  )
}
