import type { RunChange, WorkQueue } from '../../contract/index.ts'
import type { RunEvent } from '../events.ts'
import type { PreparedRun } from '../prepare.ts'

/** One notification for everything that happens within this time: notifying commits wait for each other. */
const GATHER_MS = 150

/** Tells followers which cells of the planned cases have changed; they read the rest from storage. */
export function createChangeReporter(runId: string, prepared: PreparedRun, queue: WorkQueue) {
  const planned = new Set(prepared.cases.map(({ testCase }) => testCase.id))
  const rows = new Map<string, number>()
  for (const [row, { id }] of prepared.suite.testCases.entries()) if (planned.has(id)) rows.set(id, row)
  const columns = new Map(prepared.contestants.map(({ id }, column) => [id, column]))
  const indexOf = ({ testCaseId, modelId }: { testCaseId: string; modelId: string }) =>
    rows.get(testCaseId)! * columns.size + columns.get(modelId)!
  let gathered: Required<Omit<RunChange, 'runId' | 'hasMoved'>> | undefined
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const change = gathered
    gathered = undefined
    // Followers that miss it read everything again when the database is back.
    if (change) await queue.notify({ runId, ...change }).catch(() => undefined)
  }
  const gather = () => {
    timer ??= setTimeout(() => void flush(), GATHER_MS)
    return (gathered ??= { started: [], answered: [], seen: [], finished: [] })
  }

  return {
    onEvent(event: RunEvent): void {
      if (event.type === 'cell-started') gather().started.push(indexOf(event.cell))
      else if (event.type === 'answer-stored') gather().answered.push(indexOf(event.cell))
      else if (event.type === 'page-seen') gather().seen.push(indexOf(event.page))
      else if (event.type === 'cell-scored' || event.type === 'cell-failed') gather().finished.push(indexOf(event.cell))
    },
    flush,
  }
}
