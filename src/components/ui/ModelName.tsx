import { Badge } from './Badge.tsx'
import { isSimulated } from './simulated.ts'

/** A model's name, cut where there is no room and whole in its title; simulated ones say so. */
export function ModelName({ id, withBadge = true }: { id: string; withBadge?: boolean }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      <span className="truncate" title={id}>
        {id}
      </span>
      {withBadge && isSimulated(id) && (
        <Badge title="Answers come from the built-in simulation, not from a real model">simulated</Badge>
      )}
    </span>
  )
}
