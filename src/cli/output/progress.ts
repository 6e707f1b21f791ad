import { isCostUnknown, NO_SCORING, type RunStatus } from '../../contract/index.ts'
import { makeLiveDeciding } from '../../report/model/verdict/live-deciding.ts'
import {
  describeBatches,
  describeCost,
  formatCost,
  formatLeastCost,
  describeDelay,
  describeEvidenceSoFar,
  describeRefusal,
  describeSpending,
  describeSubmitted,
  type SeenBatch,
  formatCount,
  formatTimeLeft,
} from '../../report/words/index.ts'
import type { RunEvent } from '../../services/index.ts'
import type { ModelDecisions } from '../../statistics/index.ts'
import { createSeriesCount } from './series-count.ts'
import { clearLine, clearToEnd, onStderr, startOfLine, type Terminal } from './terminal.ts'
import { cleanText, cutEnd } from './text-table.ts'

const BAR_WIDTH = 24
const NARROW_BAR_WIDTH = 8
export const REDRAW_MS = 100
/** Where no terminal is redrawn, as in CI: a log should grow slowly. */
const LINE_MS = 10_000

/** So many failed attempts without any answer are more than a busy provider. */
const MANY_ATTEMPTS = 5

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
  /** What the whole series will have cost, by what it cost so far. */
  expectedCost?: number | undefined
  /** Requests whose cost is not in the sum. */
  unknownCosts?: number
  errors: number
  /** What it waits for, instead of rate and time left. */
  waiting?: string | undefined
  /** Of a run that decides, which may end before its last cell. */
  evidence?: string | undefined
  /** After the errors; left out where the line is narrow. */
  more?: readonly string[]
}

function listParts({
  done,
  total,
  seconds,
  cost,
  expectedCost,
  unknownCosts = 0,
  errors,
  waiting,
  evidence,
  more = [],
}: Omit<ProgressLine, 'label'>): string[] {
  const left = ((total - done) / done) * seconds
  const timeLeft = done === 0 ? [] : [`${evidence === undefined ? '' : 'at most '}${formatTimeLeft(left * 1000)} left`]
  const expected = expectedCost === undefined ? '' : ` of about ${formatCost(expectedCost)}`
  return [
    `${formatCount(done)}/${formatCount(total)}`,
    ...(evidence === undefined ? [] : [evidence]),
    ...(waiting === undefined ? timeLeft : [waiting]),
    `${cost === 0 && unknownCosts > 0 ? describeCost(cost, unknownCosts) : formatLeastCost(cost, unknownCosts)}${expected}`,
    ...(errors > 0 ? [formatCount(errors, 'error')] : []),
    ...more,
  ]
}

/** Bar, count, time left, cost and errors; a narrow line has a short bar and leaves out what comes after the errors. */
export function drawProgress({ label, columns, ...line }: ProgressLine & { columns: number }): string {
  const most = Math.max(20, columns - 1)
  const { more = [], done, total } = line
  const write = (width: number, shown: Partial<ProgressLine>) => {
    const filled = total === 0 ? 0 : Math.floor((done / total) * width)
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
    return `${label}${bar} ${listParts({ ...line, ...shown }).join(' · ')}`
  }
  const candidates = [
    write(BAR_WIDTH, {}),
    write(NARROW_BAR_WIDTH, {}),
    ...more.map((_, index) => write(NARROW_BAR_WIDTH, { more: more.slice(0, more.length - 1 - index) })),
    write(NARROW_BAR_WIDTH, { more: [], expectedCost: undefined }),
    write(0, { more: [], expectedCost: undefined }),
  ]
  return (candidates.find(({ length }) => length <= most) ?? candidates.at(-1)!).slice(0, most)
}

/** `[1:05]` */
function writeElapsed(seconds: number): string {
  const whole = Math.floor(seconds)
  return `[${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}]`
}

/**
 * Shows on stderr how far a run or series is: in a terminal one line that is redrawn, in a log (CI) a line now and then,
 * elsewhere nothing.
 */
export function createProgress(terminal: Terminal, tools = systemTools) {
  const { stderr, progress, progressLines = false, columns } = onStderr(terminal)
  const series = createSeriesCount()
  let caseCount = 0
  let cost = 0
  let unknownCosts = 0
  let errors = 0
  let unscored = 0
  let retries = 0
  let doneBefore = 0
  let waiting: string | undefined
  let saidToWait: string | undefined
  const seenBatches = new Map<string, SeenBatch>()
  let startedAt = tools.now()
  let decisions: ModelDecisions | undefined
  let stop: (() => void) | undefined

  const attempts = new Map<string, number>()
  const answered = new Set<string>()
  const saidOf = new Set<string>()

  /** What goes wrong is said once of each model, while it goes on: all of it is in the result. */
  function sayTrouble(modelId: string, text: string): void {
    if (saidOf.has(modelId) || !(progress || progressLines)) return
    saidOf.add(modelId)
    const line = `! ${cleanText(modelId)}: ${cleanText(text)}`
    stderr.write(`${progress ? `${clearLine}${cutEnd(line, columns - 1)}` : line}\n`)
  }

  function describe(): ProgressLine {
    const { runNumber, runsPlanned, done, total } = series.count()!
    // What an earlier process did took none of this one's time and money.
    const [doneNow, totalNow] = [done - doneBefore, total - doneBefore]
    const seconds = (tools.now() - startedAt) / 1000
    const isPredictable = unknownCosts === 0 && cost > 0 && doneNow > 0 && doneNow < totalNow
    return {
      label: runsPlanned > 1 ? `run ${runNumber}/${runsPlanned} ` : '',
      done,
      total,
      seconds: doneNow === 0 ? Infinity : (seconds / doneNow) * done,
      cost,
      expectedCost: isPredictable ? (cost / doneNow) * totalNow : undefined,
      unknownCosts,
      errors,
      waiting,
      evidence: decisions && describeEvidenceSoFar(makeLiveDeciding(decisions, caseCount)),
      more: [
        ...(retries > 0 ? [`${formatCount(retries)} retried`] : []),
        ...(unscored > 0 ? [`${formatCount(unscored)} unscored`] : []),
      ],
    }
  }
  const draw = () => stderr.write(`${startOfLine}${drawProgress({ ...describe(), columns })}${clearToEnd}`)
  const elapsed = () => writeElapsed((tools.now() - startedAt) / 1000)
  const writeLine = () =>
    stderr.write(`${[`${elapsed()} ${listParts(describe())[0]}`, ...listParts(describe()).slice(1)].join(' · ')}\n`)

  function start({ run, runsPlanned }: Extract<RunEvent, { type: 'run-started' }>): void {
    cost = unknownCosts = errors = unscored = retries = 0
    startedAt = tools.now()
    const { done, total } = series.count()!
    doneBefore = done
    stop?.()
    if (progress) stop = tools.setInterval(draw, REDRAW_MS)
    else if (progressLines) {
      const name = run.testSuiteSnapshot?.name
      const size = [
        formatCount(total - done, 'answer'),
        formatCount(run.models.length, 'model'),
        ...(runsPlanned > 1 ? [formatCount(runsPlanned, 'run')] : []),
      ]
      stderr.write(`${name === undefined ? '' : `${cleanText(name)}: `}${size.join(', ')}\n`)
      stop = tools.setInterval(writeLine, LINE_MS)
    }
  }

  function end(status: RunStatus): void {
    const { runNumber, runsPlanned, done, total, haveEnded } = series.count()!
    if (progress) stderr.write(clearLine)
    if (!haveEnded || (status === 'completed' && runNumber < runsPlanned)) return
    stop?.()
    stop = undefined
    if (!progressLines || progress) return
    const failed = formatCount(errors, 'error')
    const after = retries > 0 ? ` after ${formatCount(retries, 'retry', 'retries')}` : ''
    stderr.write(
      `${elapsed()} ${formatCount(done)}/${formatCount(total)} · ${describeCost(cost, unknownCosts)} · ${failed}${after}\n`,
    )
  }

  return {
    onEvent(event: RunEvent): void {
      const isNewSeries = series.onEvent(event)
      if (event.type === 'run-started') {
        caseCount = event.cells / Math.max(1, event.run.models.length)
        if (isNewSeries) start(event)
      } else if (event.type === 'cases-counted') {
        decisions = event.decisions
      } else if (event.type === 'attempt-ended') {
        cost += event.end.cost ?? 0
        if (isCostUnknown(event.end) && event.end.outcome !== 'cancelled') unknownCosts++
      } else if (event.type === 'answer-stored') {
        answered.add(event.cell.modelId)
      } else if (event.type === 'attempt-failed') {
        retries++
        const { modelId } = event.cell
        attempts.set(modelId, (attempts.get(modelId) ?? 0) + 1)
        if (attempts.get(modelId) === MANY_ATTEMPTS && !answered.has(modelId))
          sayTrouble(modelId, `no answer after ${MANY_ATTEMPTS} attempts, retrying (${event.reason})`)
      } else if (event.type === 'cell-failed') {
        errors++
        sayTrouble(event.cell.modelId, event.error)
      } else if (event.type === 'cell-scored') {
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
        const isSaid = event.models?.every((modelId) => saidOf.has(modelId)) ?? saidOf.size > 0
        // Of a run that is refused as a whole, the result says that it stopped.
        if (event.models === undefined && isSaid) return
        const why = isSaid ? '.' : `: ${event.error}`
        stderr.write(`${progress ? clearLine : ''}${cleanText(`${describeRefusal(event.models)}${why}`)}\n`)
      } else if (event.type === 'budget-reached') {
        stderr.write(`${progress ? clearLine : ''}Stopped before exceeding the budget; ${describeSpending(event)}.\n`)
      } else if (event.type === 'run-finished') {
        end(event.status)
      }
    },
  }
}
