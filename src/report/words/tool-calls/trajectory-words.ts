import type { TrajectoryCounts } from '../../../scoring/tool-calls/index.ts'
import { formatCount, formatStatistic } from '../numbers.ts'

const formatNames: Readonly<Record<string, string>> = {
  'adk-eval-set': 'Google ADK evaluation set',
  'adk-results': 'Google ADK results',
  'anthropic-messages': 'Anthropic messages',
  atif: 'ATIF',
  'bfcl-multi-turn': 'BFCL multi-turn',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  inspect: 'Inspect',
  langfuse: 'Langfuse',
  langsmith: 'LangSmith',
  'openai-chat': 'OpenAI chat',
  'openai-responses': 'OpenAI Responses',
  'otel-spans (any-agent)': 'OpenTelemetry spans',
  'otlp-json': 'OpenTelemetry',
  'swe-agent': 'SWE-agent',
  'tau-bench': 'tau-bench',
  tau2: 'tau2-bench',
}

/** The name of a format for a reader. */
export const nameTrajectoryFormat = (format: string): string => formatNames[format] ?? format

const sessions = new Set(['claude-code', 'codex'])

/** What one of them is called where all are of these formats. */
export function nounOfTrajectories(formats: readonly string[]): 'session' | 'trajectory' {
  return formats.length > 0 && formats.every((format) => sessions.has(format)) ? 'session' : 'trajectory'
}

export function countTrajectories(count: number, noun: 'session' | 'trajectory'): string {
  return noun === 'session' ? formatCount(count, 'session') : formatCount(count, 'trajectory', 'trajectories')
}

const UUID = /^([0-9a-f]{8}-[0-9a-f]{4})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A name for a row: its task and trial, or else its file. */
export function nameTrajectory({ file, task, trial }: Pick<TrajectoryCounts, 'file' | 'task' | 'trial'>): string {
  if (task !== null) return trial === null ? task : `${task} #${trial}`
  const name = file.replaceAll('\\', '/').split('/').at(-1) ?? file
  const bare = name.replace(/\.(jsonl?|ndjson|traj|eval)$/i, '')
  return UUID.test(bare) ? `${bare.slice(0, 13)}…` : bare
}

/** A model's name without the date of its release. */
export const shortenModel = (model: string | null): string =>
  model?.replace(/-(?:20\d{6}|20\d\d-\d\d-\d\d)$/, '') ?? '–'

/** Users' and assistant's turns. */
export function formatTurns({
  userTurns,
  assistantTurns,
}: Pick<TrajectoryCounts, 'userTurns' | 'assistantTurns'>): string {
  return `${userTurns === null ? '–' : formatCount(userTurns)}/${formatCount(assistantTurns)}`
}

export const TURNS_NOTE = 'Turns: user/assistant.'
export const SUBAGENT_NOTE = 'A sub-agent’s calls are its own, not its parent’s.'

/** What these files do not say. */
export function describeGaps(trajectories: readonly TrajectoryCounts[]): string | undefined {
  const hasTask = trajectories.some(({ task }) => task !== null)
  const hasVerdict = trajectories.some(({ reward }) => reward !== null)
  if (hasTask && hasVerdict) return undefined
  const missing = [...(hasTask ? [] : ['no task']), ...(hasVerdict ? [] : ['no verdict'])].join(' and ')
  return `${trajectories.length === 1 ? 'This file names' : 'These files name'} ${missing}.`
}

/** Parts of the files that nobody could read. */
export function describeUnknownParts(trajectories: readonly TrajectoryCounts[]): string | undefined {
  const counts = new Map<string, number>()
  const add = ({ unknown, subagents }: TrajectoryCounts): void => {
    for (const [kind, count] of Object.entries(unknown)) counts.set(kind, (counts.get(kind) ?? 0) + count)
    subagents.forEach(add)
  }
  trajectories.forEach(add)
  if (counts.size === 0) return undefined
  return `Not read: ${[...counts].map(([kind, count]) => `${formatCount(count)} × ${kind}`).join(', ')}.`
}

/** What a benchmark gave a recorded task: a share only where it gave neither all nor nothing. */
export function describeReward(reward: number | undefined): string {
  if (reward === undefined) return '–'
  if (reward > 0.9) return 'succeeded'
  return reward < 0.1 ? 'failed' : formatStatistic(reward)
}
