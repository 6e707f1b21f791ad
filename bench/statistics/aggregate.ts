/**
 * Aggregates a million scores with intervals, compared with a bare loop that sums them. Run:
 * `node bench/statistics/aggregate.ts`
 */
import { createRandom } from '../../src/statistics/index.ts'
import { createRunStore } from '../../src/stores/index.ts'
import { compareTimes, formatTime } from '../measure.ts'

const random = createRandom('bench')
const models = Array.from({ length: 10 }, (_, index) => `model-${index}`)
const results = models.flatMap((modelId) =>
  Array.from({ length: 100_000 }, (_, index) => ({ testCaseId: `case-${index}`, modelId, score: { score: random() } })),
)
const store = createRunStore([{ id: 'run', models, results }])

function sumByModel(): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { modelId, score } of results) sums.set(modelId, (sums.get(modelId) ?? 0) + score.score)
  return sums
}

const { ours, bare, ratio } = await compareTimes(() => store.getDetailedAggregateScores('run'), sumByModel)
console.log(`1,000,000 scores, 10 models: ${formatTime(ours)}, bare sum ${formatTime(bare)} (${ratio.toFixed(1)} ×)`)
