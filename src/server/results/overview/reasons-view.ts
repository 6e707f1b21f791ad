import type { Storage } from '../../../contract/index.ts'
import { explainBroken, LAST_RUNS, type BrokenReasons } from '../../../report/model/failures/broken-reasons.ts'
import { excerpt } from '../../../report/words/index.ts'
import type { LoadedSelection } from '../selection/load-selection.ts'

const MAX_TEXT = 160

/** GET /api/results/:selection/reasons: why nothing passed. */
export async function createReasonsView({ ids, suite }: LoadedSelection, storage: Storage): Promise<BrokenReasons> {
  const loaded = await Promise.all(ids.slice(-LAST_RUNS).map((id) => storage.loadRun(id)))
  const { cells, reasons } = explainBroken(
    loaded.filter((run) => run !== undefined),
    suite,
  )
  const cut = (text: string) => excerpt(text, MAX_TEXT)
  return {
    cells,
    reasons: reasons.map(({ message, example, ...reason }) => ({
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
