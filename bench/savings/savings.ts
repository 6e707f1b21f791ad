/**
 * How many calls it takes to decide between models: by a fixed plan with one look, by `--until decided`, and by naive
 * peeking with an ordinary test after every case; with the share of series that call equal models different. On
 * simulated suites of 1,000 cases and on the example answers that come with the program. Run:
 * `node bench/savings/savings.ts [series]` (default 200, some minutes)
 */
import { readFileSync } from 'node:fs'
import type { Deciding } from '../../src/contract/index.ts'
import { parseAnswers } from '../../src/import/results/answers-file.ts'
import { importSuite } from '../../src/import/suite-files/recognise-suite.ts'
import { createScoring, scoreJob } from '../../src/scoring/index.ts'
import { scoreAnswers } from '../../src/services/score-answers.ts'
import { createRandom, drawOrder, pairsNeeded } from '../../src/statistics/index.ts'
import { decideAsWeDo, decideByTest, type DrawCase, type Outcome } from './plans.ts'

const SERIES = Number(process.argv[2] ?? 200)
const CASES = 1000
const all: Deciding = { question: 'all', from: 1, isOnce: false }
const best: Deciding = { ...all, question: 'best' }

type Kind = 'right or wrong' | 'graded'

/** Part of the luck is common to all models: cases are easy or hard for all. */
function createDraw(means: readonly number[], kind: Kind, random: () => number): DrawCase {
  return () => {
    const common = random()
    return means.map((mean) => {
      const luck = random() < 0.6 ? common : random()
      if (kind === 'right or wrong') return luck < mean ? 1 : 0
      return Math.min(1, Math.max(0, mean + (luck - 0.5) * 0.8))
    })
  }
}

interface Summary {
  /** The median over the series. */
  calls: number
  cases: number
  falseAlarms: number
  /** Series that answered the question: every true difference was found, or every one from the best. */
  answered: number
}

function summarise(
  outcomes: readonly Outcome[],
  means: readonly number[],
  question: Deciding['question'] = 'all',
): Summary {
  const isWrong = ([better, worse]: [number, number]) => means[better]! <= means[worse]!
  const highest = Math.max(...means)
  const worse = means.filter((mean) => mean < highest).length
  const differing = means.flatMap((mean, a) => means.slice(a + 1).filter((other) => other !== mean)).length
  const isAnswered = ({ decided }: Outcome) => {
    const right = decided.filter((pair) => !isWrong(pair))
    // A model is out as soon as any other has been found better.
    return question === 'best' ? new Set(right.map(([, loser]) => loser)).size === worse : right.length === differing
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
  const share = (isOne: (outcome: Outcome) => boolean) => outcomes.filter(isOne).length / outcomes.length
  return {
    calls: median(outcomes.map(({ calls }) => calls)),
    cases: median(outcomes.map(({ cases }) => cases)),
    falseAlarms: share(({ decided }) => decided.some(isWrong)),
    answered: share(isAnswered),
  }
}

function repeat(
  means: readonly number[],
  kind: Kind,
  decide: (draw: DrawCase) => Outcome,
  question?: Deciding['question'],
): Summary {
  const random = createRandom(`${means.join(' ')} ${kind}`)
  return summarise(
    Array.from({ length: SERIES }, () => decide(createDraw(means, kind, random))),
    means,
    question,
  )
}

/** The number of cases that finds the smallest true difference with 80 % power after Bonferroni's correction. */
function planCases(means: readonly number[], kind: Kind): number {
  const draw = createDraw(means, kind, createRandom('plan'))
  const scores = Array.from({ length: 20_000 }, draw)
  const pairs = (means.length * (means.length - 1)) / 2
  const needed = means.flatMap((_, a) =>
    means.slice(a + 1).flatMap((__, offset) => {
      const b = a + offset + 1
      if (means[a] === means[b]) return []
      const differences = scores.map((row) => row[a]! - row[b]!)
      const difference = differences.reduce((sum, one) => sum + one, 0) / differences.length
      const variance = differences.reduce((sum, one) => sum + (one - difference) ** 2, 0) / differences.length
      return [pairsNeeded({ difference: Math.abs(difference), stdDev: Math.sqrt(variance), alpha: 0.05 / pairs })]
    }),
  )
  return needed.length === 0 ? CASES : Math.min(CASES, Math.max(...needed))
}

const percent = (part: number) => `${(part * 100).toFixed(1)} %`

function printRow(name: string, { calls, cases, falseAlarms, answered }: Summary): void {
  console.log(
    `  ${name.padEnd(26)}${String(cases).padStart(7)} cases${String(calls).padStart(8)} calls${percent(falseAlarms).padStart(10)} false alarms${percent(answered).padStart(10)} answered`,
  )
}

function compare(title: string, means: readonly number[], kind: Kind): void {
  const models = means.length
  const isWhole = kind === 'right or wrong'
  const planned = planCases(means, kind)
  console.log(`\n${title}, ${kind}, means ${means.map((mean) => mean * 100).join(' ')}`)
  const byTest = (cases: number, isPeeking: boolean) => (draw: DrawCase) =>
    decideByTest(draw, { models, cases, isWhole, isPeeking })
  printRow(`fixed plan of ${planned}`, repeat(means, kind, byTest(planned, false)))
  printRow(
    '--until decided',
    repeat(means, kind, (draw) => decideAsWeDo(draw, { models, cases: CASES, deciding: all })),
  )
  if (models > 2)
    printRow(
      '--decide best',
      repeat(means, kind, (draw) => decideAsWeDo(draw, { models, cases: CASES, deciding: best }), 'best'),
    )
  printRow('naive peeking', repeat(means, kind, byTest(CASES, true)))
}

console.log(`Medians over ${SERIES} series of at most ${CASES} cases. A false alarm calls equal models different.`)
for (const kind of ['right or wrong', 'graded'] as const) {
  compare('2 models, 10 points apart', [0.8, 0.7], kind)
  compare('2 equal models', [0.7, 0.7], kind)
  compare('3 models, 10 points apart', [0.8, 0.7, 0.6], kind)
  compare('4 models, two equal leaders', [0.8, 0.8, 0.7, 0.5], kind)
  compare('6 equal models', [0.7, 0.7, 0.7, 0.7, 0.7, 0.7], kind)
  compare('6 models, one better', [0.8, 0.7, 0.7, 0.7, 0.7, 0.7], kind)
}

/** A suite is finite: its cases are drawn without putting them back. */
function checkFiniteSuite(): void {
  const random = createRandom('finite')
  const cases = 200
  // As many cases won as lost.
  const differences = Array.from({ length: cases }, (_, index) => (index < 40 ? 1 : index < 80 ? -1 : 0))
  let alarms = 0
  for (let series = 0; series < SERIES; series++) {
    const order = drawOrder(differences, String(random())).values()
    const draw = () => {
      const difference = order.next().value!
      return [(1 + difference) / 2, (1 - difference) / 2]
    }
    if (decideAsWeDo(draw, { models: 2, cases, deciding: all }).decided.length > 0) alarms++
  }
  console.log(
    `\nA suite of ${cases} cases with 40 won and 40 lost, in a drawn order: ${percent(alarms / SERIES)} false alarms`,
  )
}
checkFiniteSuite()

/** The example answers, in random orders; `copies` repeats the suite, as if it had more cases like these. */
async function compareExamples(copies: number): Promise<void> {
  const folder = new URL('../../examples/first-look/', import.meta.url)
  const { suite } = await importSuite(new URL('suite.yaml', folder).pathname, {})
  const file = new URL('answers.json', folder).pathname
  const [answers] = parseAnswers(readFileSync(file, 'utf8'), file, suite)
  const run = await scoreAnswers(answers!, suite, createScoring({ scoreInWorker: scoreJob, random: createRandom('x') }))
  const models = [...new Set(run.results.map(({ modelId }) => modelId))]
  const rows = suite.testCases.flatMap(({ id }) => {
    const scores = models.map(
      (modelId) => run.results.find((cell) => cell.testCaseId === id && cell.modelId === modelId)?.score?.score,
    )
    return scores.every((score) => score !== undefined) ? [scores] : []
  })
  const whole = Array.from({ length: copies }, () => rows).flat()
  const means = models.map((_, index) => rows.reduce((sum, row) => sum + row[index]!, 0) / rows.length)
  console.log(
    `\nThe example answers (${models.join(', ')}; means ${means.map((mean) => (mean * 100).toFixed(0)).join(' ')}), ${whole.length} cases in random orders`,
  )
  const random = createRandom('orders')
  const inOrder = (decide: (draw: DrawCase) => Outcome, question?: Deciding['question']) =>
    summarise(
      Array.from({ length: SERIES }, () => {
        const order = drawOrder(whole, String(random())).values()
        return decide(() => order.next().value!)
      }),
      means,
      question,
    )
  const size = { models: models.length, cases: whole.length }
  printRow(
    'fixed plan, whole suite',
    inOrder((draw) => decideByTest(draw, { ...size, isWhole: false, isPeeking: false })),
  )
  printRow(
    '--until decided',
    inOrder((draw) => decideAsWeDo(draw, { ...size, deciding: all })),
  )
  printRow(
    '--decide best',
    inOrder((draw) => decideAsWeDo(draw, { ...size, deciding: best }), 'best'),
  )
  printRow(
    'naive peeking',
    inOrder((draw) => decideByTest(draw, { ...size, isWhole: false, isPeeking: true })),
  )
}
await compareExamples(1)
await compareExamples(10)
