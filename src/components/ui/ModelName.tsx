import { Badge } from './Badge.tsx'
import { isSimulated } from './simulated.ts'

/** A model's name, truncated to fit, with the full name in its title and a badge if it is simulated. */
export function ModelName({ id, withBadge = true }: { id: string; withBadge?: boolean }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      <span className="truncate" title={id}>
        {id}
      </span>
      {withBadge && isSimulated(id) && (
        <Badge title="Answers come from the built-in simulation, not a real model">simulated</Badge>
      )}
    </span>
  )
}
