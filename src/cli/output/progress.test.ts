import { expect, it } from 'vitest'
import type { RunEvent } from '../../services/index.ts'
import { createProgress } from './progress.ts'
import { guardTerminal } from './terminal.ts'

const started = (cells: number, open: number): RunEvent => ({
  type: 'run-started',
  runId: 'r',
  run: { id: 'r', models: [], results: [] },
  runNumber: 1,
  runsPlanned: 3,
  cells,
  open,
  spentBefore: 0,
  spent: { known: 0, unknown: 0 },
})

const cell = { runId: 'r', testCaseId: 'c', modelId: 'm' }

function startProgress(progress: boolean) {
  let printed = ''
  let time = 0
  let draw = () => {}
  const sink = { write: (text: string) => (printed += text) }
  const { onEvent } = createProgress(
    guardTerminal({ stdout: sink, stderr: sink, colour: false, columns: 120, progress }),
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
  onEvent({ type: 'cell-failed', cell, error: 'x' })
  onEvent({ type: 'attempt-failed', cell, reason: 'HTTP 429', retryInMs: 100 })
  expect(drawAt(2000)).toContain(
    'run 1 of 3 ████████████░░░░░░░░░░░░ 5/10 · 2.5/s · 2 s left · $0.04 · 1 retried · 1 unscored · 1 error',
  )
})
it('says that a cost is unknown, and how many costs are missing from the sum', () => {
  const { onEvent, drawAt } = startProgress(true)
  onEvent(started(10, 10))
  onEvent({ type: 'attempt-ended', attempt: cell, end: { endedAt: 1, outcome: 'ok' } })
  onEvent({ type: 'attempt-ended', attempt: cell, end: { endedAt: 1, outcome: 'cancelled' } })
  expect(drawAt(1000)).toContain(' · cost unknown · ')
  onEvent({ type: 'attempt-ended', attempt: cell, end: { endedAt: 1, outcome: 'ok', cost: 0.01 } })
  expect(drawAt(2000)).toContain(' · $0.01, plus 1 unpriced request · ')
})
it('a resumed run starts where it stopped', () => {
  const { onEvent, drawAt } = startProgress(true)
  onEvent(started(10, 4))
  expect(drawAt(1000)).toContain('6/10')
})
it('prints nothing without a terminal', () => {
  const { onEvent, printed } = startProgress(false)
  onEvent(started(1, 1))
  onEvent({ type: 'run-finished', runId: 'r', status: 'completed' })
  expect(printed()).toBe('')
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
