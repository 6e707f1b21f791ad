/** Kinds of scores that two models may get on the same cases, each with a known difference of their means. */

type Random = () => number

export interface Kind {
  name: string
  /** Scores of A and B on a new case. The mean of A is `gap` above that of B. */
  draw(random: Random, gap: number): [number, number]
  /** The mean of A. */
  mean: number
  /** The weight of a new case; default 1. */
  weigh?(random: Random): number
}

/** Cases are hard or easy for both models: half of the time one number decides for both. */
function drawTwice(random: Random): [number, number] {
  const first = random()
  return [first, random() < 0.5 ? first : random()]
}

/** Beta(a, b) with whole a and b: the a-th smallest of a + b − 1 uniform numbers. */
function drawBeta(a: number, b: number, random: Random): number {
  return Float64Array.from({ length: a + b - 1 }, random).sort()[a - 1]!
}

const passFail = (rate: number): Kind => ({
  name: `0 or 1, right ${rate * 100} %`,
  mean: rate,
  draw: (random, gap) => {
    const [first, second] = drawTwice(random)
    return [first < rate ? 1 : 0, second < rate - gap ? 1 : 0]
  },
})

/** Scores that fail with the chance `gap`, so that the mean is lower by that much. */
function failing(score: number, mean: number, gap: number, random: Random): number {
  return random() < gap / mean ? 0 : score
}

const graded = (name: string, mean: number, draw: (random: Random) => number): Kind => ({
  name,
  mean,
  draw: (random, gap) => [draw(random), failing(draw(random), mean, gap, random)],
})

export const kinds: Kind[] = [
  passFail(0.5),
  passFail(0.9),
  passFail(0.99),
  graded('uniform', 0.5, (random) => random()),
  graded('Beta(2, 2)', 0.5, (random) => drawBeta(2, 2, random)),
  graded('Beta(8, 2)', 0.8, (random) => drawBeta(8, 2, random)),
  graded('Beta(1, 5)', 1 / 6, (random) => drawBeta(1, 5, random)),
  {
    name: 'judge: 0 to 10 by difficulty',
    mean: 0.5,
    draw: (random, gap) => {
      const difficulty = Math.floor(random() * 7)
      const grade = () => (difficulty + Math.floor(random() * 5)) / 10
      return [grade(), failing(grade(), 0.5, gap, random)]
    },
  },
  {
    name: 'A always .95, B right 95 %',
    mean: 0.95,
    draw: (random, gap) => [0.95, random() < 0.95 - gap ? 1 : 0],
  },
  {
    name: 'A always .9, B .94 or rarely 0',
    mean: 0.9,
    draw: (random, gap) => [0.9, random() < (0.9 - gap) / 0.94 ? 0.94 : 0],
  },
  graded('.95 nine times in ten, else 0', 0.855, (random) => (random() < 0.9 ? 0.95 : 0)),
  graded('exact match: 1 / .95 / 0 at 85 / 10 / 5 %', 0.945, (random) => {
    const draw = random()
    return draw < 0.85 ? 1 : draw < 0.95 ? 0.95 : 0
  }),
  {
    name: 'the same on 9 cases in 10',
    mean: 0.5,
    draw: (random, gap) => {
      const same = random()
      const isSame = random() < 0.9
      return [same, failing(isSame ? same : random(), 0.5, gap, random)]
    },
  },
  {
    ...graded('uniform, weights of 1 to 20', 0.5, (random) => random()),
    weigh: (random) => Math.exp(random() * 3),
  },
]

/** The score of a kind alone, for the intervals of one model. */
export function drawScore({ draw }: Kind, random: Random): number {
  return draw(random, 0)[0]
}
