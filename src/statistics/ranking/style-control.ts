import { toScoreTable, type AnswerStyle, type Scores } from '../../contract/index.ts'
import { normalQuantile, tQuantile } from '../numbers/distributions.ts'
import { gatherGames, type Game } from './bradley-terry-games.ts'
import { type Rating, winChance, logWinChance } from './bradley-terry.ts'
import { listComparedPairs, playComparedPairs } from './pairwise-games.ts'
import { factorCholesky, solveCholesky } from './symmetric-matrix.ts'

/** What style control holds constant. */
const styleFeatures = ['length', 'headers', 'listItems', 'bold', 'codeBlocks'] as const
export type StyleFeature = (typeof styleFeatures)[number]

/** A game with how much more of each feature a's answer has than b's, −1 to 1. */
export interface StyledGame extends Game {
  lead: Partial<Record<StyleFeature, number>>
}

/** What a feature is worth to an answer that has more of it. */
export interface StyleWeight {
  feature: StyleFeature
  /** Rating points for a lead of one standard deviation. */
  points: number
  low: number
  high: number
}

export interface StyleControlledRating {
  /** What the ratings would be if all answers had the same length and formatting. Best first. */
  ratings: Rating[]
  weights: StyleWeight[]
}

const pointsPerUnit = 400 / Math.LN10
const meanRating = 1000

/** As in LMArena's style control: the difference as a share of both, so that 20 and 10 lines differ like 200 and 100. */
export function leadOf(a: AnswerStyle, b: AnswerStyle): Record<StyleFeature, number> {
  const lead = (feature: StyleFeature) => (a[feature] - b[feature]) / (a[feature] + b[feature] + 1)
  return {
    length: lead('length'),
    headers: lead('headers'),
    listItems: lead('listItems'),
    bold: lead('bold'),
    codeBlocks: lead('codeBlocks'),
  }
}

interface Row {
  first: number
  second: number
  lead: Float64Array
  scoreA: number
  weight: number
  cluster: string
}

/** Features that vary, each scaled to a root mean square of 1. There is no constant: the order of a pair is arbitrary. */
function scaleFeatures(games: readonly StyledGame[]): { feature: StyleFeature; scale: number }[] {
  return styleFeatures.flatMap((feature) => {
    const square = games.reduce((sum, { lead }) => sum + (lead[feature] ?? 0) ** 2, 0) / games.length
    return square > 1e-12 ? [{ feature, scale: Math.sqrt(square) }] : []
  })
}

/** The linear predictor of a row: the lead in strength and in style. */
function predict({ first, second, lead }: Row, parameters: Float64Array, size: number): number {
  let sum = parameters[first]! - parameters[second]!
  for (let k = 0; k < lead.length; k++) sum += parameters[size + k]! * lead[k]!
  return sum
}

/** Adds `factor` times the row's gradient of the predictor. */
function addGradient(target: Float64Array, { first, second, lead }: Row, size: number, factor: number): void {
  target[first]! += factor
  target[second]! -= factor
  for (let k = 0; k < lead.length; k++) target[size + k]! += factor * lead[k]!
}

/** Weak priors keep everything finite: half a tie for each player, and for each feature a normal one of this variance. */
const PRIOR_GAMES = 0.5
const FEATURE_VARIANCE = 25

interface Model {
  rows: Row[]
  /** Players. */
  size: number
  /** Players and features. */
  total: number
}

function measureLogLikelihood({ rows, size, total }: Model, parameters: Float64Array): number {
  let sum = 0
  for (let i = 0; i < size; i++)
    sum += (PRIOR_GAMES / 2) * (logWinChance(parameters[i]!) + logWinChance(-parameters[i]!))
  for (let k = size; k < total; k++) sum -= parameters[k]! ** 2 / (2 * FEATURE_VARIANCE)
  for (const row of rows) {
    const lead = predict(row, parameters, size)
    sum += row.weight * (row.scoreA * logWinChance(lead) + (1 - row.scoreA) * logWinChance(-lead))
  }
  return sum
}

function differentiate({ rows, size, total }: Model, parameters: Float64Array) {
  const gradient = new Float64Array(total)
  const information = new Float64Array(total * total)
  for (let i = 0; i < size; i++) {
    const chance = winChance(parameters[i]!)
    gradient[i]! += PRIOR_GAMES * (0.5 - chance)
    information[i * total + i]! += PRIOR_GAMES * chance * (1 - chance)
  }
  for (let k = size; k < total; k++) {
    gradient[k]! -= parameters[k]! / FEATURE_VARIANCE
    information[k * total + k]! += 1 / FEATURE_VARIANCE
  }
  const direction = new Float64Array(total)
  for (const row of rows) {
    const chance = winChance(predict(row, parameters, size))
    direction.fill(0)
    addGradient(direction, row, size, 1)
    addGradient(gradient, row, size, row.weight * (row.scoreA - chance))
    const curvature = row.weight * chance * (1 - chance)
    for (let i = 0; i < total; i++) {
      if (direction[i] === 0) continue
      for (let j = 0; j < total; j++) information[i * total + j]! += curvature * direction[i]! * direction[j]!
    }
  }
  return { gradient, information }
}

/** Newton's method with steps halved until the likelihood does not fall. */
function maximise(model: Model): Float64Array {
  let parameters = new Float64Array(model.total)
  let likelihood = measureLogLikelihood(model, parameters)
  for (let iteration = 0; iteration < 200; iteration++) {
    const { gradient, information } = differentiate(model, parameters)
    const step = solveCholesky(factorCholesky(information, model.total), gradient)
    const distance = Math.sqrt(
      Math.max(
        0,
        gradient.reduce((sum, slope, i) => sum + slope * step[i]!, 0),
      ),
    )
    if (distance < 1e-9) return parameters
    let share = Math.min(1, 10 / step.reduce((most, change) => Math.max(most, Math.abs(change)), 0))
    for (; share > 1e-12; share /= 2) {
      const next = parameters.map((value, i) => value + share * step[i]!)
      const reached = measureLogLikelihood(model, next)
      if (reached < likelihood - 1e-12 * Math.abs(likelihood)) continue
      parameters = next
      likelihood = reached
      break
    }
  }
  return parameters
}

/** √(cᵀ·I⁻¹·B·I⁻¹·c), B the sum over clusters of the outer products of their gradients, times G/(G−1). */
function measureStdErr(
  model: Model,
  parameters: Float64Array,
  image: Float64Array,
): { stdErr: number; clusters: number } {
  const clusters = Map.groupBy(model.rows, ({ cluster }) => cluster)
  let square = 0
  for (const rows of clusters.values()) {
    const pull = new Float64Array(model.total)
    for (const row of rows)
      addGradient(pull, row, model.size, row.weight * (row.scoreA - winChance(predict(row, parameters, model.size))))
    square += image.reduce((sum, value, i) => sum + value * pull[i]!, 0) ** 2
  }
  const count = clusters.size
  return { stdErr: Math.sqrt((square * count) / Math.max(1, count - 1)), clusters: count }
}

/**
 * Bradley-Terry ratings with length and formatting as covariates: P(a beats b) = 1/(1 + exp(−(θa − θb + Σ βₖ·xₖ))), so that
 * θ is what a model is worth at equal style (LMArena's style control, 2024). Intervals are cluster-robust. Undefined
 * without games, or if no feature varies.
 */
export function rateWithStyle(games: readonly StyledGame[], level = 0.95): StyleControlledRating | undefined {
  if (games.length === 0) return undefined
  const { ids, played } = gatherGames([...games])
  const features = scaleFeatures(games)
  if (features.length === 0 || ids.length < 2) return undefined
  const indexOf = new Map(ids.map((id, index) => [id, index]))
  const size = ids.length
  const rows = games.map(({ a, b, scoreA, weight = 1, cluster, lead }, index): Row => ({
    first: indexOf.get(a)!,
    second: indexOf.get(b)!,
    lead: Float64Array.from(features, ({ feature, scale }) => (lead[feature] ?? 0) / scale),
    scoreA,
    weight,
    cluster: cluster ?? `game ${index}`,
  }))
  const model: Model = { rows, size, total: size + features.length }
  const parameters = maximise(model)
  const factor = factorCholesky(differentiate(model, parameters).information, model.total)
  const mean = parameters.slice(0, size).reduce((sum, value) => sum + value, 0) / size

  /** Of a linear combination of the parameters. The larger of both errors: few games show too little variation. */
  const reachOf = (contrast: Float64Array): number => {
    const image = solveCholesky(factor, contrast)
    const modelError = Math.sqrt(
      Math.max(
        0,
        contrast.reduce((sum, value, i) => sum + value * image[i]!, 0),
      ),
    )
    const { stdErr, clusters } = measureStdErr(model, parameters, image)
    const tail = (1 - level) / 2
    const clusterReach = clusters > 1 ? -tQuantile(tail, clusters - 1) * stdErr : 0
    return Math.max(-normalQuantile(tail) * modelError, clusterReach)
  }
  const ratings = ids.map((id, i): Rating => {
    const contrast = new Float64Array(model.total)
    contrast.fill(-1 / size, 0, size)
    contrast[i]! += 1
    const rating = meanRating + (parameters[i]! - mean) * pointsPerUnit
    const margin = pointsPerUnit * reachOf(contrast)
    return { id, rating, low: rating - margin, high: rating + margin, games: played[i]! }
  })
  const weights = features.map(({ feature }, k): StyleWeight => {
    const contrast = new Float64Array(model.total)
    contrast[size + k] = 1
    const points = parameters[size + k]! * pointsPerUnit
    const margin = pointsPerUnit * reachOf(contrast)
    return { feature, points, low: points - margin, high: points + margin }
  })
  return { ratings: ratings.toSorted((a, b) => b.rating - a.rating || (a.id < b.id ? -1 : 1)), weights }
}

/** The games of compared answers with the lead in style of each pair; over several runs, the mean lead. */
export function playWithStyle(given: Scores): StyledGame[] {
  const table = toScoreTable(given)
  const { cells, caseIds, modelIds } = table
  const styles = new Map<string, AnswerStyle[]>()
  const keyOf = (testCaseId: string, modelId: string) => JSON.stringify([testCaseId, modelId])
  for (const [row, cell] of table.styles.cell.entries()) {
    const key = keyOf(caseIds[cells.case[cell]!]!, modelIds[cells.model[cell]!]!)
    const style = {
      length: table.styles.length[row]!,
      headers: table.styles.headers[row]!,
      listItems: table.styles.listItems[row]!,
      bold: table.styles.bold[row]!,
      codeBlocks: table.styles.codeBlocks[row]!,
    }
    styles.set(key, [...(styles.get(key) ?? []), style])
  }
  const meanLead = (a: readonly AnswerStyle[], b: readonly AnswerStyle[]) => {
    const leads = a.flatMap((style, index) => (b[index] ? [leadOf(style, b[index])] : []))
    const mean = (feature: StyleFeature) => leads.reduce((sum, lead) => sum + lead[feature], 0) / leads.length
    return Object.fromEntries(styleFeatures.map((feature) => [feature, mean(feature)]))
  }
  return listComparedPairs(table).flatMap((pair) => {
    const [a, b] = [pair.modelA, pair.modelB].map((modelId) => styles.get(keyOf(pair.testCaseId, modelId)))
    return a && b ? playComparedPairs([pair]).map((game) => ({ ...game, lead: meanLead(a, b) })) : []
  })
}
