import {
  Check,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  Equal,
  EqualApproximately,
  Hourglass,
  LoaderCircle,
  Square,
  TriangleAlert,
  Unplug,
  X,
  type LucideIcon,
} from 'lucide-react'
import { whereRunning, type RunOwner, type RunState } from '../../contract/index.ts'
import { describeRunState, runStates, type StateLook } from '../../report/words/index.ts'
import { Badge } from './Badge.tsx'

export const stateIcons: Record<StateLook['icon'], LucideIcon> = {
  dashed: CircleDashed,
  loader: LoaderCircle,
  hourglass: Hourglass,
  unplug: Unplug,
  square: Square,
  cross: X,
  check: Check,
  question: CircleHelp,
  skip: CircleSlash,
  equal: Equal,
  approximate: EqualApproximately,
  alert: TriangleAlert,
}

interface RunStateBadgeProps {
  run: { state: RunState; waiting?: string; workedOnBy?: RunOwner }
}

/** The state of a run. Its title says what the run waits for, or which process has it. */
export function RunStateBadge({ run }: RunStateBadgeProps) {
  const { icon, tone } = runStates[run.state]
  const Icon = stateIcons[icon]
  const title = run.waiting ?? (run.workedOnBy && whereRunning(run.workedOnBy))
  return (
    <Badge kind={tone} {...(title !== undefined && { title })}>
      <Icon size={12} aria-hidden />
      {describeRunState(run)}
    </Badge>
  )
}
