import type { TaskKey, Trajectory, TrajectoryStep } from './trajectory.ts'

/** What a judge is shown of a whole run. */
export interface JudgedRun {
  prompt: string
  response: string
  expectedOutput?: string
}

const MOST_CHARACTERS = 60_000
const LONGEST_PART = 1500

/** A recorded run as a judge reads it: what was asked, what was said and called, and what was expected if that is known. */
export function describeForJudge(trajectory: Trajectory, key: TaskKey | undefined = trajectory.expected): JudgedRun {
  const asked = trajectory.steps.find(({ source, isInjected }) => source === 'user' && !isInjected)
  const expected = key && describeKey(key)
  return {
    prompt: [
      'An agent with tools worked on a task. Grade the whole run: whether it did what was asked, with calls that were right, and whether what it said at the end is true.',
      `The user asked first: ${cut(asked?.text ?? '(not recorded)')}`,
    ].join('\n\n'),
    response: leaveOutMiddle(trajectory.steps.map(describeStep).filter((text) => text !== '')),
    ...(expected !== undefined && expected !== '' && { expectedOutput: expected }),
  }
}

const cut = (text: string): string =>
  text.length <= LONGEST_PART ? text : `${text.slice(0, LONGEST_PART)} […${text.length - LONGEST_PART} more characters]`

const names = { user: 'User', agent: 'Agent', system: 'System' }

function describeStep({ source, text, calls, observations = [], isInjected }: TrajectoryStep): string {
  if (source === 'system' || isInjected) return ''
  const made = calls.flatMap(({ name, arguments: given, unreadableArguments, result, isError }) => [
    `Call: ${name}(${cut(unreadableArguments ?? JSON.stringify(given) ?? '')})`,
    result === undefined ? 'No reply.' : `${isError ? 'Error' : 'Reply'}: ${cut(result)}`,
  ])
  const seen = observations.map((observation) => `Reply: ${cut(observation)}`)
  return [...(text === '' ? [] : [`${names[source]}: ${cut(text)}`]), ...made, ...seen].join('\n')
}

/** The beginning and the end of a long run: what was asked, and how it ended. */
function leaveOutMiddle(parts: readonly string[]): string {
  const total = parts.reduce((sum, { length }) => sum + length + 2, 0)
  if (total <= MOST_CHARACTERS) return parts.join('\n\n')
  const [head, tail]: [string[], string[]] = [[], []]
  let room = MOST_CHARACTERS / 3
  for (const part of parts) {
    if (part.length > room) break
    room -= part.length
    head.push(part)
  }
  room = (MOST_CHARACTERS / 3) * 2
  for (const part of parts.slice(head.length).toReversed()) {
    if (part.length > room) break
    room -= part.length
    tail.unshift(part)
  }
  return [...head, `[${parts.length - head.length - tail.length} steps left out]`, ...tail].join('\n\n')
}

function describeKey({ calls, said = [], forbidden = [] }: TaskKey): string {
  return [
    ...calls.map(({ name, arguments: given }) => `Expected call: ${name}(${JSON.stringify(given) ?? ''})`),
    ...said.map((text) => `The user must be told: ${text}`),
    ...forbidden.map(({ name }) => `Must not be called: ${name}`),
  ].join('\n')
}
