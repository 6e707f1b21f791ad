import { expect, it } from 'vitest'
import type { RunEvent } from '../../services/index.ts'
import { createProgress } from './progress.ts'
import { guardTerminal } from './terminal.ts'

const started = (cells: number, open: number, runNumber = 1, runId = 'r'): RunEvent => ({
  type: 'run-started',
  runId,
  run: { id: runId, models: ['m'], results: [] },
  runNumber,
  runsPlanned: 3,
  cells,
  open,
  spentBefore: 0,
  spent: { known: 0, unknown: 0 },
})

const cell = { runId: 'r', testCaseId: 'c', modelId: 'm' }

function startProgress(progress: boolean, { progressLines = false, columns = 120 } = {}) {
  let printed = ''
  let time = 0
  let draw = () => {}
  const sink = { write: (text: string) => (printed += text) }
  const { onEvent } = createProgress(
    guardTerminal({ stdout: sink, stderr: sink, colour: false, columns, progress, progressLines }),
    {
      now: () => time,
      setInterval: (redraw) => {
        draw = redraw
        return () => {}
      },
    },
  )
  return {
    onEvent,
    drawAt: (milliseconds: number) => {
      time = milliseconds
      draw()
      return printed.split('\r').at(-1)!
    },
    printed: () => printed,
  }
}

it('shows progress, rate, time left, cost and errors', () => {
  const { onEvent, drawAt } = startProgress(true)
  onEvent(started(10, 10))
  for (let index = 0; index < 4; index++) {
    onEvent({ type: 'attempt-ended', attempt: cell, end: { endedAt: 1, outcome: 'ok', cost: 0.01 } })
    onEvent({ type: 'cell-scored', cell, score: index === 0 ? { unscored: { code: 'x', message: '' } } : { score: 1 } })
  }
  // It was refused: that cost nothing.
  onEvent({
    type: 'attempt-ended',
    attempt: cell,
    end: { endedAt: 1, outcome: 'error', promptTokens: 0, completionTokens: 0 },
  })
  onEvent({ type: 'cell-failed', cell, error: 'x' })
  onEvent({ type: 'attempt-failed', cell, reason: 'HTTP 429', retryInMs: 100 })
  expect(drawAt(2000)).toContain(
    'run 1/3 ████░░░░░░░░░░░░░░░░░░░░ 5/30 · 10 s left · $0.04 of about $0.24 · 1 error · 1 retried · 1 unscored',
  )
})
it('says that a cost is unknown, and how many costs are missing from the sum', () => {
  const { onEvent, drawAt } = startProgress(true)
  onEvent(started(10, 10))
  onEvent({ type: 'attempt-ended', attempt: cell, end: { endedAt: 1, outcome: 'ok' } })
  onEvent({ type: 'attempt-ended', attempt: cell, end: { endedAt: 1, outcome: 'cancelled' } })
  expect(drawAt(1000)).toContain(' · cost unknown')
  onEvent({ type: 'attempt-ended', attempt: cell, end: { endedAt: 1, outcome: 'ok', cost: 0.01 } })
  expect(drawAt(2000)).toContain(' · over $0.01')
})
it('a resumed run starts where it stopped', () => {
  const { onEvent, drawAt } = startProgress(true)
  onEvent(started(10, 4))
  expect(drawAt(1000)).toContain('6/30')
})
it('prints nothing where nobody reads it', () => {
  const { onEvent, printed } = startProgress(false)
  onEvent(started(1, 1))
  onEvent({ type: 'run-finished', runId: 'r', status: 'completed' })
  expect(printed()).toBe('')
})

it('counts the whole series, with the runs that are finished', () => {
  const { onEvent, drawAt } = startProgress(true)
  onEvent(started(180, 180))
  for (let index = 0; index < 180; index++) onEvent({ type: 'cell-scored', cell, score: { score: 1 } })
  onEvent({ type: 'run-finished', runId: 'r', status: 'completed' })
  onEvent(started(180, 180, 2, 's'))
  expect(drawAt(60_000)).toContain('run 2/3 ████████░░░░░░░░░░░░░░░░ 180/540 · 2 min 0 s left')
  const resumed = startProgress(true)
  resumed.onEvent(started(180, 170, 3, 't'))
  expect(resumed.drawAt(1000)).toContain('run 3/3 ████████████████░░░░░░░░ 370/540')
})
it('shows errors also at 80 columns, and leaves out less important counts', () => {
  const { onEvent, drawAt } = startProgress(true, { columns: 80 })
  onEvent(started(1000, 1000))
  for (let index = 0; index < 1000; index++) onEvent({ type: 'cell-failed', cell, error: 'x' })
  onEvent({ type: 'attempt-ended', attempt: cell, end: { endedAt: 1, outcome: 'ok', cost: 1.23 } })
  onEvent({ type: 'attempt-failed', cell, reason: 'HTTP 429', retryInMs: 100 })
  const line = drawAt(7_000_000).replace('\u001b[K', '')
  expect(line.length).toBeLessThan(80)
  expect(line).toContain(' · 1,000 errors')
})
it('writes plain lines to a log: at the start, now and then, at the end', () => {
  const { onEvent, drawAt, printed } = startProgress(false, { progressLines: true, columns: Infinity })
  onEvent(started(4, 4))
  onEvent({ type: 'cell-scored', cell, score: { score: 1 } })
  onEvent({ type: 'attempt-ended', attempt: cell, end: { endedAt: 1, outcome: 'ok', cost: 0.01 } })
  drawAt(10_000)
  onEvent({ type: 'cell-failed', cell, error: 'x' })
  drawAt(65_000)
  onEvent({ type: 'attempt-failed', cell, reason: 'HTTP 429', retryInMs: 100 })
  onEvent({ type: 'run-finished', runId: 'r', status: 'completed' })
  onEvent(started(4, 4, 2, 's'))
  onEvent({ type: 'run-finished', runId: 's', status: 'cancelled' })
  expect(printed()).toBe(
    [
      '12 answers, 1 model, 3 runs',
      '[0:10] 1/12 · 1 min 50 s left · $0.01 of about $0.12',
      `! ${cell.modelId}: x`,
      '[1:05] 2/12 · 5 min 25 s left · $0.01 of about $0.06 · 1 error',
      '[1:05] 2/12 · $0.01 · 1 error after 1 retry',
      '',
    ].join('\n'),
  )
})

it.each([true, false])('says once what goes wrong with a model, in a terminal or a log: %s', (isTerminal) => {
  const { onEvent, printed } = startProgress(isTerminal, { progressLines: !isTerminal, columns: 60 })
  onEvent(started(10, 10))
  const reason = '127.0.0.1 refused the connection: is the server running?\u001B[2J'
  for (let attempt = 0; attempt < 4; attempt++) onEvent({ type: 'attempt-failed', cell, reason, retryInMs: 1 })
  expect(printed()).not.toContain('refused')
  for (let attempt = 0; attempt < 9; attempt++) onEvent({ type: 'attempt-failed', cell, reason, retryInMs: 1 })
  onEvent({ type: 'cell-failed', cell, error: reason })
  expect(printed().match(/^.*! .*: no answer after 5 attempts, retrying \(127/gm)).toHaveLength(1)
  const slow = { ...cell, modelId: 'slow' }
  onEvent({ type: 'cell-failed', cell: slow, error: 'timeout' })
  onEvent({ type: 'cell-failed', cell: slow, error: 'timeout' })
  expect(printed().match(/! slow: timeout\n/g)).toHaveLength(1)
  expect(printed()).not.toContain('\u001B[2J')
})

it('shows what the provider says of a batch, and how to collect it later', () => {
  const { onEvent, drawAt, printed } = startProgress(true)
  onEvent(started(10, 10))
  onEvent({ type: 'batch-submitted', provider: 'openai', id: 'batch_1', requests: 10 })
  expect(printed()).toContain('openai has taken batch batch_1 with 10 requests.')
  expect(printed()).toContain('benchmaker resume latest')
  onEvent({
    type: 'batch-looked-at',
    provider: 'openai',
    id: 'batch_1',
    status: 'validating',
    done: 0,
    total: 0,
    isEnded: false,
  })
  expect(drawAt(1000)).toContain('Waiting for openai: batch batch_1 is "validating"')
})

it.each([true, false])('says once why a run waits for workers, with a terminal or without: %s', (isTerminal) => {
  const { onEvent, printed } = startProgress(isTerminal)
  onEvent(started(10, 10))
  const reason = 'Every worker refuses the run: OPENAI_API_KEY is not set\u001B[2J'
  for (const each of [reason, undefined, reason]) onEvent({ type: 'run-waiting', runId: 'r', reason: each })
  expect(printed().match(/Every worker refuses the run: OPENAI_API_KEY is not set/g)).toHaveLength(1)
  expect(printed()).not.toContain('\u001B[2J')
})

it('says why a whole run is refused once, since the result says that it stopped', () => {
  const { onEvent, printed } = startProgress(false, { progressLines: true, columns: Infinity })
  onEvent(started(10, 10))
  onEvent({ type: 'cell-failed', cell, error: 'Incorrect API key' })
  onEvent({ type: 'provider-refused', error: 'Incorrect API key' })
  expect(printed().match(/Incorrect API key|refused every request/g)).toHaveLength(1)
})
