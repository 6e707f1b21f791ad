import { Badge } from '../Badge.tsx'
import { classes } from '../classes.ts'
import { isSimulated } from '../../../report/words/models.ts'
import { splitName } from './split-name.ts'

/**
 * A name cut in the middle to fit, with the full name in its title. The parts that are shown are for the eye: screen
 * readers, the clipboard and searches in the page get the whole name. Where even the tail does not fit, its end is shown:
 * that is what tells versions apart.
 */
export function CutName({ name, className }: { name: string; className?: string }) {
  const { head, tail } = splitName(name)
  if (tail === '')
    return (
      <span className={classes('block min-w-0 truncate', className)} title={name}>
        {name}
      </span>
    )
  return (
    <span
      className={classes('relative flex min-w-0 justify-end overflow-hidden whitespace-pre', className)}
      title={name}
    >
      <span className="sr-only">{name}</span>
      <span
        aria-hidden
        className="min-w-[1.5em] overflow-hidden text-ellipsis before:content-[attr(data-part)]"
        data-part={head}
      />
      <span aria-hidden className="mr-auto shrink-0 before:content-[attr(data-part)]" data-part={tail} />
    </span>
  )
}

/** A model's name, cut to fit, with a badge if it is simulated. */
export function ModelName({ id, withBadge = true }: { id: string; withBadge?: boolean }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      <CutName name={id} />
      {withBadge && isSimulated(id) && (
        <Badge title="Answers come from the built-in simulation, not a real model">simulated</Badge>
      )}
    </span>
  )
}
