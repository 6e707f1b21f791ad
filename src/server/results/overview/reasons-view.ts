import type { Storage } from '../../../contract/index.ts'
import { listBrokenReasons, type BrokenReason } from '../../../report/model/failures/broken-reasons.ts'
import { excerpt } from '../../../report/words/index.ts'
import { writeExpected } from '../../../scoring/index.ts'
import type { LoadedSelection } from '../selection/load-selection.ts'

/** GET /api/results/:selection/reasons: why nothing passed. */
export interface ReasonsView {
  /** That were run: what was stopped before says nothing. */
  cells: number
  reasons: BrokenReason[]
}

const MAX_TEXT = 160
/** The last runs say enough, and their texts fit into memory. */
const MAX_RUNS = 3

export async function createReasonsView({ ids, suite }: LoadedSelection, storage: Storage): Promise<ReasonsView> {
  const loaded = await Promise.all(ids.slice(-MAX_RUNS).map((id) => storage.loadRun(id)))
  const runs = loaded.filter((run) => run !== undefined)
  const expectedOf = new Map((suite?.testCases ?? []).map((testCase) => [testCase.id, writeExpected(testCase)]))
  const cut = (text: string) => excerpt(text, MAX_TEXT)
  return {
    cells: runs.reduce((sum, { results }) => sum + results.length, 0),
    reasons: listBrokenReasons(runs, expectedOf).map(({ message, example, ...reason }) => ({
      ...reason,
      ...(message !== undefined && { message: cut(message) }),
      ...(example && {
        example: {
          ...example,
          got: cut(example.got),
          ...(example.expected !== undefined && { expected: cut(example.expected) }),
        },
      }),
    })),
  }
}
