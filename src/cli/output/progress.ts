import { NO_SCORING } from '../../contract/index.ts'
import { makeLiveDeciding } from '../../report/model/live-deciding.ts'
import {
  describeBatches,
  describeCost,
  describeDelay,
  describeEvidenceSoFar,
  describeRefusal,
  describeSpending,
  describeSubmitted,
  type SeenBatch,
  formatCount,
  formatRate,
  formatTimeLeft,
} from '../../report/words/index.ts'
import type { RunEvent } from '../../services/index.ts'
import type { ModelDecisions } from '../../statistics/index.ts'
import { clearLine, clearToEnd, onStderr, startOfLine, type Terminal } from './terminal.ts'
import { cleanText } from './text-table.ts'

const BAR_WIDTH = 24
const NARROW = 70
const NARROW_BAR_WIDTH = 8
export const REDRAW_MS = 100

interface ProgressTools {
  now: () => number
  setInterval: (draw: () => void, milliseconds: number) => () => void
}

const systemTools: ProgressTools = {
  now: () => performance.now(),
  setInterval: (draw, milliseconds) => {
    const timer = setInterval(draw, milliseconds)
    timer.unref()
    return () => clearInterval(timer)
  },
}

interface ProgressLine {
  label: string
  done: number
  total: number
  seconds: number
  cost: number
  /** Requests whose cost is not in the sum. */
  unknownCosts?: number
  errors: number
  /** What it waits for, instead of rate and time left. */
  waiting?: string | undefined
  /** Of a run that decides, which may end before its last cell. */
  evidence?: string | undefined
  /** Between cost and errors. */
  more?: readonly string[]
  columns: number
}

/** Bar, count, rate, time left, cost and errors. */
export function drawProgress({
  label,
  done,
  total,
  seconds,
  cost,
  unknownCosts = 0,
  errors,
  waiting,
  evidence,
  more = [],
  columns,
}: ProgressLine): string {
  const barWidth = columns < NARROW ? NARROW_BAR_WIDTH : BAR_WIDTH
  const rate = done / Math.max(seconds, 0.001)
  const filled = total === 0 ? 0 : Math.floor((done / total) * barWidth)
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
  const left = done === 0 ? Infinity : (total - done) / rate
  const parts = [
    `${label}${bar} ${formatCount(done)}/${formatCount(total)}`,
    ...(evidence === undefined ? [] : [evidence]),
    ...(waiting === undefined
      ? [formatRate(rate), `${evidence === undefined ? '' : 'at most '}${formatTimeLeft(left * 1000)} left`]
      : [waiting]),
    describeCost(cost, unknownCosts),
    ...more,
    formatCount(errors, 'error'),
  ]
  return parts.join(' · ').slice(0, Math.max(20, columns - 1))
}

/** Shows bar, count, rate, time left, cost and errors on stderr; nothing if stderr is not a terminal. */
export function createProgress(terminal: Terminal, tools = systemTools) {
  const { stderr, progress, columns } = onStderr(terminal)
  let label = ''
  let total = 0
  let done = 0
  let cost = 0
  let unknownCosts = 0
  let errors = 0
  let unscored = 0
  let retries = 0
  let waiting: string | undefined
  let saidToWait: string | undefined
  const seenBatches = new Map<string, SeenBatch>()
  let startedAt = tools.now()
  let caseCount = 0
  let decisions: ModelDecisions | undefined
  let stop: (() => void) | undefined

  const describe = () =>
    drawProgress({
      label,
      done,
      total,
      seconds: (tools.now() - startedAt) / 1000,
      cost,
      unknownCosts,
      errors,
      waiting,
      evidence: decisions && describeEvidenceSoFar(makeLiveDeciding(decisions, caseCount)),
      more: [
        ...(retries > 0 ? [`${formatCount(retries)} retried`] : []),
        ...(unscored > 0 ? [`${formatCount(unscored)} unscored`] : []),
      ],
      columns,
    })
  const draw = () => stderr.write(`${startOfLine}${describe()}${clearToEnd}`)

  return {
    onEvent(event: RunEvent): void {
      if (event.type === 'run-started') {
        const { runNumber, runsPlanned } = event
        const isAlongside = event.isSideBySide === true && runNumber > 1
        if (!isAlongside) cost = unknownCosts = errors = unscored = retries = total = done = 0
        label =
          runsPlanned > 1 ? `${event.isSideBySide ? `${runsPlanned} runs` : `run ${runNumber} of ${runsPlanned}`} ` : ''
        total += event.cells
        done += event.cells - event.open
        caseCount = event.cells / Math.max(1, event.run.models.length)
        startedAt = tools.now()
        if (progress && !isAlongside) stop = tools.setInterval(draw, REDRAW_MS)
      } else if (event.type === 'cases-counted') {
        decisions = event.decisions
      } else if (event.type === 'attempt-ended') {
        cost += event.end.cost ?? 0
        if (event.end.cost === undefined && event.end.outcome !== 'cancelled') unknownCosts++
      } else if (event.type === 'attempt-failed') retries++
      else if (event.type === 'cell-failed') {
        errors++
        done++
      } else if (event.type === 'cell-scored') {
        done++
        if ('unscored' in event.score && event.score.unscored.code !== NO_SCORING) unscored++
      } else if (event.type === 'batch-submitted') {
        stderr.write(`${progress ? clearLine : ''}${cleanText(describeSubmitted(event))}\n`)
      } else if (event.type === 'batch-looked-at') {
        if (event.isEnded) seenBatches.delete(event.id)
        else seenBatches.set(event.id, event)
        waiting = seenBatches.size > 0 ? cleanText(describeBatches(seenBatches.values())) : undefined
      } else if (event.type === 'batch-delayed') {
        waiting = cleanText(describeDelay(event))
      } else if (event.type === 'run-waiting') {
        waiting = event.reason === undefined ? undefined : 'waiting for a worker'
        if (event.reason !== undefined && event.reason !== saidToWait)
          stderr.write(`${progress ? clearLine : ''}${cleanText(event.reason)}\n`)
        saidToWait = event.reason ?? saidToWait
      } else if (event.type === 'provider-refused') {
        stderr.write(`${progress ? clearLine : ''}${cleanText(`${describeRefusal(event.models)}: ${event.error}`)}\n`)
      } else if (event.type === 'budget-reached') {
        stderr.write(`${progress ? clearLine : ''}Stopped before exceeding the budget; ${describeSpending(event)}.\n`)
      } else if (event.type === 'run-finished') {
        stop?.()
        if (progress) stderr.write(clearLine)
      }
    },
  }
}
