import type { Fault, FaultCause, FaultRule, GradedModel, TrajectoryGrade } from '../../../scoring/tool-calls/index.ts'
import { formatCount } from '../numbers.ts'

const causes: Readonly<Record<FaultCause, string>> = {
  agent: 'agent',
  user: 'simulated user',
  key: 'key',
  'key or user': 'key or simulated user',
  file: 'file',
  harness: 'harness',
}

export const nameCause = (cause: FaultCause): string => causes[cause]

const rules: Readonly<Record<FaultRule, string>> = {
  H1: 'The infrastructure ended the run.',
  H3: 'The task in the file is another one than it was judged by.',
  U1: 'The user left its script.',
  U3: 'The user confirmed and ended in one message.',
  U4: 'The user said a value that is neither in its instructions nor in a reply.',
  K1: 'The tool refuses the expected call.',
  K4: 'The expected call changes nothing.',
  K5: 'The user said a value that its instructions leave open.',
  K6: 'Three models or more fail in the same way.',
}

/** Why something is not the agent’s fault; undefined if nothing shows that. */
export const describeFault = ({ rule }: Fault): string | undefined => (rule === null ? undefined : rules[rule])

/** The cause of a failure in a word or two, for a table. */
export function nameMainCause({ fault, losses }: TrajectoryGrade): string {
  const found = fault ?? losses.find((loss) => loss.fault.cause !== 'agent')?.fault
  return found ? `${nameCause(found.cause)} (${found.rule})` : nameCause('agent')
}

export const formatWithoutExcused = ({ withoutExcused: { passed, graded } }: GradedModel): string =>
  `${passed}/${graded}`

/** Why some failures are not the agents’, over all models. */
export function describeExcused(models: readonly GradedModel[]): string {
  const counts = new Map<string, number>()
  for (const { excused } of models)
    for (const [cause, name] of Object.entries(causes)) {
      const count = Object.entries(excused).find(([key]) => key === cause)?.[1] ?? 0
      if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count)
    }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (total === 0) return 'Without excused: the same. Nothing shows that a failure was not the agent’s.'
  const parts = [...counts].map(([name, count]) => `${name} ${formatCount(count)}`).join(', ')
  return `Without excused: ${formatCount(total, 'run')} not counted, because the agent did not cause the failure (${parts}).`
}
