/**
 * How often a cheaper model is called good enough though it is worse than the best by just the margin, and how often the
 * interval of a cost ratio holds: on skewed scores and costs, clusters of variants and several cheap models.
 */
import type { RunResult } from '../../src/contract/index.ts'
import { createRandom } from '../../src/statistics/index.ts'
import { createModelDecisions } from '../../src/statistics/sequential/model-decisions.ts'
import { compareCostAndQuality } from '../../src/statistics/cost/good-enough.ts'
import { costRatio } from '../../src/statistics/cost/cost-interval.ts'

type Random = () => number

const drawNormal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** What a model worse by `gap` scores on a case that the best answers like this. */
interface ScoreKind {
  name: string
  draw(random: Random, gap: number): { best: number; cheap: number }
}

const rarely = (random: Random, share: number) => random() < share

export const scoreKinds: readonly ScoreKind[] = [
  {
    name: '0 or 1, right 80 % of the time',
    draw: (random, gap) => ({ best: rarely(random, 0.8) ? 1 : 0, cheap: rarely(random, 0.8 - gap) ? 1 : 0 }),
  },
  {
    name: '0 or 1, mostly the same answers',
    draw(random, gap) {
      const shared = rarely(random, 0.85)
      const best = shared || rarely(random, 0.3) ? 1 : 0
      return { best, cheap: best === 1 && rarely(random, gap / 0.895) ? 0 : best }
    },
  },
  {
    name: 'always 0.95, fails rarely and completely',
    draw: (random, gap) => ({ best: 0.95, cheap: rarely(random, gap / 0.95) ? 0 : 0.95 }),
  },
  {
    name: 'graded, skewed',
    draw(random, gap) {
      const best = 1 - 0.5 * random() ** 4
      return { best, cheap: Math.max(0, best - gap * 4 * random() ** 3) }
    },
  },
  {
    name: 'a fifth of the answers bad in all degrees',
    draw(random, gap) {
      const isBad = rarely(random, 0.2)
      return { best: 0.9, cheap: isBad ? 0.9 - 2 * (gap / 0.2) * random() : 0.9 }
    },
  },
]

interface Setting {
  kind: ScoreKind
  cases: number
  margin: number
  /** The true gap; the margin by default, where saying "good enough" is just wrong. */
  gap?: number
  /** Models that are worse by the gap, and models as good as the best. */
  cheap?: number
  good?: number
  /** Cases of a cluster, which all models answer alike. */
  clusterSize?: number
  replications: number
}

function drawRun({ kind, cases, gap = 0, cheap = 1, good = 1, clusterSize = 1 }: Setting, random: Random): RunResult {
  const models = [
    ...Array.from({ length: good }, (_, i) => `good-${i}`),
    ...Array.from({ length: cheap }, (_, i) => `cheap-${i}`),
  ]
  const results: RunResult['results'] = []
  for (let group = 0; group < cases / clusterSize; group++) {
    const drawn = models.map((modelId, i) => {
      const { best, cheap: worse } = kind.draw(random, gap)
      const isGood = i < good
      return { modelId, score: isGood ? best : worse, price: isGood ? 10 : 1 + i / 10 }
    })
    for (let i = 0; i < clusterSize; i++)
      for (const { modelId, score, price } of drawn)
        results.push({
          testCaseId: `c${group}-${i}`,
          modelId,
          score: { score },
          cost: price * Math.exp(0.5 * drawNormal(random)),
        })
  }
  return { id: 'simulated', models, results }
}

/** How often a cheap model is named as good enough. */
export function measureGoodEnough(setting: Setting): number {
  const { margin, gap = margin, cases, clusterSize = 1, replications } = setting
  const random = createRandom(`good enough ${JSON.stringify(setting)}`)
  const clusters = Array.from({ length: cases }, (_, i) => {
    const group = Math.floor(i / clusterSize)
    const id = `c${group}-${i % clusterSize}`
    return { id, ...(clusterSize > 1 && { cluster: `g${group}` }) }
  })
  let named = 0
  for (let i = 0; i < replications; i++) {
    const run = drawRun({ ...setting, gap }, random)
    const snapshot = { name: 's', testCases: clusters.map((one) => ({ ...one, prompt: '', weight: 1 })) }
    const report = compareCostAndQuality({ ...run, testSuiteSnapshot: snapshot }, { margin })
    if (report?.cheapest?.startsWith('cheap')) named++
  }
  return named / replications
}

/** How often the interval of a cost ratio holds, with lognormal costs that share what the case needs. */
export function measureCostRatio({
  cases,
  spread,
  clusterSize = 1,
  replications,
}: {
  cases: number
  spread: number
  clusterSize?: number
  replications: number
}): number {
  const random = createRandom(`cost ratio ${cases} ${spread} ${clusterSize}`)
  const truth = 0.31
  let held = 0
  for (let i = 0; i < replications; i++) {
    const [a, b, clusters]: [number[], number[], string[]] = [[], [], []]
    for (let group = 0; group < cases / clusterSize; group++) {
      const common = spread * drawNormal(random)
      const own = [spread * drawNormal(random), spread * drawNormal(random)]
      for (let j = 0; j < clusterSize; j++) {
        a.push(truth * Math.exp(common + own[0]!))
        b.push(Math.exp(common + own[1]!))
        clusters.push(`g${group}`)
      }
    }
    const { low = 0, high = Infinity } = costRatio(a, b, clusters) ?? {}
    if (low <= truth && truth <= high) held++
  }
  return held / replications
}

/** How often a run that decides calls the cheap model good enough, and after what share of its cases it stops. */
export function measureDecided({
  kind,
  cases,
  margin,
  gap = margin,
  clusterSize = 1,
  replications,
}: Pick<Setting, 'kind' | 'cases' | 'margin' | 'gap' | 'clusterSize' | 'replications'>): {
  named: number
  asked: number
} {
  const random = createRandom(`decided ${kind.name} ${cases} ${margin} ${gap}`)
  const models = ['best', 'cheap']
  let [named, asked] = [0, 0]
  for (let i = 0; i < replications; i++) {
    const decisions = createModelDecisions(models, {
      question: 'good-enough',
      from: 1,
      isOnce: false,
      sameWithin: margin,
    })
    while (decisions.cases < cases && !decisions.isSettled) {
      const { best, cheap } = kind.draw(random, gap)
      const scores = new Map([
        ['best', best],
        ['cheap', cheap],
      ])
      // Of a cluster, a bet has the weighted sum.
      decisions.addCases(Array.from({ length: clusterSize }, () => ({ scores, weight: 1 / clusterSize })))
    }
    if (decisions.goodEnough?.includes('cheap')) named++
    asked += decisions.cases / cases
  }
  return { named: named / replications, asked: asked / replications }
}
