import type { StateLook } from '../../../report/words/index.ts'
import { classes } from '../../ui/classes.ts'
import { toneFill } from '../../ui/Badge.tsx'
import { stateIcons } from '../../ui/RunStateBadge.tsx'

/** What can be said about the run, in a word. */
export function StateChip({ look: { word, icon, tone } }: { look: StateLook }) {
  const Icon = stateIcons[icon]
  return (
    <span
      className={classes(
        'inline-flex h-6 items-center gap-1.5 rounded-full pr-3 pl-2 text-xs font-semibold whitespace-nowrap',
        tone === 'plain' ? 'bg-sunken text-ink' : toneFill[tone],
      )}
    >
      <Icon size={14} strokeWidth={2.25} aria-hidden />
      {word}
    </span>
  )
}
