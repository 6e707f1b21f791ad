import type { PageBench } from '../contract/index.ts'
import { addScorers, codeScorers, createScoring, type Scorer, type Scoring } from '../scoring/index.ts'
import { createThreads, findObstacle } from './scoring-worker.ts'

/** Uniform on [0, 1), and hard to guess. */
export function drawRandom(): number {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2))
  return (high! * 2 ** 21 + (low! >>> 11)) / 2 ** 53
}

/** All callers share these threads, which start when first needed. */
const threads = /* @__PURE__ */ createThreads(() => pythonFolders)
export const scoreInWorker = threads?.scoreInWorker

/** Where benchmaker-previews may be installed besides here. */
const pythonFolders: string[] = []

/** Scoring wired to this machine: it uses threads and random delimiters that a response cannot guess. */
export function startScoring(
  customScorers: readonly Scorer[] = [],
  {
    allowCode = false,
    previewsCache,
    pages,
  }: { allowCode?: boolean | undefined; previewsCache?: string; pages?: PageBench | undefined } = {},
): Scoring {
  if (previewsCache !== undefined && !pythonFolders.includes(previewsCache)) pythonFolders.push(previewsCache)
  const scorers = [...addScorers(customScorers), ...(allowCode ? codeScorers : [])]
  return createScoring({
    scoreInWorker,
    random: drawRandom,
    scorers,
    runToolCode: threads?.runToolCode,
    pages,
    findObstacle: (scoringMethod, options) => findObstacle(scoringMethod, options, pythonFolders),
  })
}
