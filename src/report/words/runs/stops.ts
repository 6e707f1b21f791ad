import { isInProgress, type RunState, type StopReason } from '../../../contract/index.ts'
import { capitalise, joinWords } from '../names.ts'
import { formatCost, formatCount } from '../numbers.ts'
import { cellStates, describeRunState } from './states.ts'

/** What is known about how a run ended, or that it has not. */
export interface RunEnd {
  state: RunState
  stopReason?: StopReason | undefined
  /** The budget of the run or its series, in US dollars. */
  maxCost?: number | undefined
  /** The models whose every request the provider refused, if others were answered. */
  refusedModels?: readonly string[] | undefined
}

/** `Stopped sending to x because the provider refused every request to it`; without names, it refused all of the run. */
export function describeRefusal(models: readonly string[] = []): string {
  if (models.length === 0) return 'Stopped because the provider refused every request'
  return `Stopped sending to ${joinWords(models)} because the provider refused every request to ${models.length === 1 ? 'it' : 'them'}`
}

/**
 * Why a run ended before its last cell: a few words for lists and a sentence for pages. Undefined if it completed or
 * has not ended. `detail` is what only the running process knows, such as the provider's message.
 */
export function explainStop(run: RunEnd, detail?: string): { short: string; sentence: string } | undefined {
  const { state, stopReason, maxCost, refusedModels } = run
  // A resumed run still has the reason of its last stop.
  if (state === 'pending' || isInProgress(state)) return undefined
  if (state === 'interrupted')
    return { short: 'process ended', sentence: 'Interrupted: the process that ran it ended.' }
  if (stopReason === 'budget') {
    const budget = maxCost === undefined ? 'its budget' : `its budget of ${formatCost(maxCost)}`
    const why = detail === undefined ? '' : ` (${detail})`
    return {
      short: 'budget reached',
      sentence: `Stopped at ${budget}: the next request could have exceeded it${why}.`,
    }
  }
  if (stopReason === 'decided')
    return { short: 'decided', sentence: 'Stopped when decided: more answers could not have changed the decision.' }
  if (stopReason === 'provider')
    return {
      short: 'provider refused',
      sentence: `${describeRefusal(refusedModels)}${detail === undefined ? '.' : `: ${detail}`}`,
    }
  if (state === 'stopped') return { short: 'by a user', sentence: 'Stopped before it finished.' }
  if (state === 'failed')
    return {
      short: 'unexpected error',
      sentence: `Failed because of an unexpected error${detail === undefined ? '.' : `: ${detail}`}`,
    }
  return undefined
}

/** What is known about a run that may have ended early. */
export interface StopFacts extends RunEnd {
  /** All cells of the run. */
  cells: number
  /** Those that were not run. */
  notRun: number
  /** Of a series that ended with this run. */
  runsNotStarted?: number | undefined
}

function isOpen({ state }: StopFacts): boolean {
  return state === 'pending' || isInProgress(state)
}

function explainState(run: StopFacts): string | undefined {
  if (run.state === 'done') return undefined
  return explainStop(run)?.sentence.replace(/\.$/, '') ?? capitalise(describeRunState(run))
}

function countOpen(run: StopFacts): string | undefined {
  const { cells, notRun } = run
  if (notRun === 0) return undefined
  const open = `${formatCount(notRun)} of ${formatCount(cells, 'cell')}`
  // Some of them are running right now.
  if (isOpen(run)) return `${open} not finished yet`
  return notRun >= cells ? `none of its ${formatCount(cells, 'cell')} was run` : `${open} ${cellStates.skipped.word}`
}

function countRuns({ runsNotStarted = 0 }: StopFacts): string | undefined {
  return runsNotStarted > 0 ? `${formatCount(runsNotStarted, 'more run')} of its series not started` : undefined
}

/**
 * That and why a run ended early, and how much of it was not run: `Stopped at its budget of $0.50: the next request
 * could have exceeded it; 70 of 90 cells not run`. Undefined for a completed run.
 */
export function describeStop(run: StopFacts): string | undefined {
  const state = explainState(run)
  if (state === undefined) return undefined
  const counts = [countOpen(run), countRuns(run)].filter((part) => part !== undefined).join('; ')
  if (counts === '') return state
  return isOpen(run) ? `${state}: ${counts}` : `${state}; ${counts}`
}

/** What a resume did with the cells of a run; `asked` includes those `retried` and `repeated`. */
interface ResumedCells {
  kept: number
  asked: number
  retried: number
  repeated: number
  scored: number
}

/** `Kept 15, retried 9.`, `Kept 6, sent 13 (2 of them were in flight), retried 1, scored 3 stored answers.` */
export function describeResumed({ kept, asked, retried, repeated, scored }: ResumedCells): string {
  const sent = asked - retried
  const inFlight =
    repeated > 0 ? ` (${formatCount(repeated)} of them ${repeated === 1 ? 'was' : 'were'} in flight)` : ''
  const parts = [
    `Kept ${formatCount(kept)}`,
    ...(sent > 0 ? [`sent ${formatCount(sent)}${inFlight}`] : []),
    ...(retried > 0 ? [`retried ${formatCount(retried)}`] : []),
    ...(scored > 0 ? [`scored ${formatCount(scored, 'stored answer')}`] : []),
  ]
  return `${parts.join(', ')}.`
}

/** How many cells a stopped run or series left, and the command that finishes it. */
export function describeRest(left: number, { runId, isAtBudget }: { runId: string; isAtBudget: boolean }): string {
  const budget = isAtBudget ? ' --max-cost <usd>, with a larger budget' : ''
  return `Stopped with ${formatCount(left, 'cell')} ${cellStates.skipped.word}. Next: benchmaker resume ${runId}${budget}`
}

/** What the button does: `Resume (240 cells left)`, `Retry the 7 failed requests`, or both. */
export function describeResume({ notRun, errors }: { notRun: number; errors: number }): string {
  if (notRun === 0) return errors === 0 ? 'Resume' : `Retry the ${formatCount(errors, 'failed request')}`
  return `Resume (${formatCount(notRun, 'cell')} left)`
}

/** Before the same is sent once more: `5 models answer the same cases with the same settings, 3 times: 900 answers. This result cost $4.43.` */
export function describeRunAgain({
  models,
  repeat,
  cells,
  cost,
}: {
  models: number
  repeat: number
  cells: number
  cost: string
}): string {
  const times = repeat > 1 ? `, ${formatCount(repeat, 'time')}` : ''
  const spent = cost === 'unknown' ? 'What this result cost is unknown.' : `This result cost ${cost}.`
  return `${formatCount(models, 'model answers', 'models answer')} the same cases with the same settings${times}: ${formatCount(cells, 'answer')}. ${spent}`
}
