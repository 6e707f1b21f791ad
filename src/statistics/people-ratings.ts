import {
  isNotRun,
  stateOf,
  toScoreTable,
  type CellResult,
  type RatingScale,
  type Scores,
  type ScoreTable,
} from '../contract/index.ts'
import { measureRaterAgreement, type RaterAgreement } from './agreement/rater-agreement.ts'
import {
  alternativeAnnotatorTest,
  FEWEST_ANNOTATORS,
  FEWEST_INSTANCES,
  type AlternativeAnnotatorTest,
} from './judging/alternative-annotator-test.ts'
import { correctPairs, type CorrectedPair, type PairableAnswer } from './judging/corrected-pairs.ts'
import { estimateByRatings, type RatingEstimate } from './judging/estimate-by-ratings.ts'

/** What people would give a model, and on how many ratings that rests. */
export interface PeopleEstimate extends RatingEstimate {
  modelId: string
  /** Drawn answers that someone skipped and nobody rated. */
  skipped: number
  /** Rated answers that no queue drew, which are not counted. */
  notDrawn: number
}

/** Everything that people's ratings say about the models, the judge and the people. */
export interface PeopleRatings {
  scale: RatingScale
  /** False if ratings of answers that people chose themselves are counted. */
  isDrawn: boolean
  /** In the order in which the models first appear. */
  models: PeopleEstimate[]
  /** How far models are apart as people would score them; only pairs of which people rated both answers to a case. */
  pairs: CorrectedPair[]
  /** Who gave the scores; empty if no judge did. */
  judges: string[]
  /** The people whose ratings are counted. */
  raters: string[]
  agreement?: RaterAgreement
  /** Whether the judge is worth a person; absent without enough people and answers. */
  judgeTest?: AlternativeAnnotatorTest
  /** What the test needs: people with at least that many answers which others rated too. */
  judgeTestNeeds?: { people: number; answers: number; found: number }
}

interface RatedCell {
  answer: PairableAnswer
  /** What each person gave, of the ratings that count. */
  byRater: Record<string, number>
  isSkipped: boolean
  isNotDrawn: boolean
}

interface CountedRatings {
  byRater: Record<string, number>
  isSkipped: boolean
  isNotDrawn: boolean
}

/** A rating by nobody in particular; a named person's name is never empty. */
const UNNAMED = ''

function countRatings(
  { rating, ratings = [] }: Pick<CellResult, 'rating' | 'ratings'>,
  { countAll, isCounted }: { countAll: boolean; isCounted: (queueId: string) => boolean },
): CountedRatings {
  const drawn = ratings.filter(({ queueId }) => queueId !== undefined && isCounted(queueId))
  const counted = countAll ? ratings.filter(({ queueId }) => queueId === undefined || isCounted(queueId)) : drawn
  const byRater = Object.fromEntries(
    counted.flatMap(({ rater, rating: value }) => (value === undefined ? [] : [[rater, value] as const])),
  )
  if (countAll && rating?.rating !== undefined) byRater[UNNAMED] = rating.rating
  const isChosen =
    rating?.rating !== undefined || ratings.some((own) => own.queueId === undefined && own.rating !== undefined)
  return {
    byRater,
    isSkipped: Object.keys(byRater).length === 0 && drawn.length > 0,
    isNotDrawn: Object.keys(byRater).length === 0 && isChosen,
  }
}

/** The scale of the last queue that has one; ratings on the other scale are not counted. */
function findScale({ runs }: ScoreTable): {
  scale: RatingScale
  isCounted: (queueId: string) => boolean
} {
  const queues = runs.flatMap(({ ratingQueues = [] }) => ratingQueues)
  const last = queues.toSorted((a, b) => a.drawnAt - b.drawnAt).at(-1)
  const scale = last?.scale ?? 'points'
  const others = new Set(queues.filter((queue) => queue.scale !== scale).map(({ id }) => id))
  return { scale, isCounted: (queueId) => !others.has(queueId) }
}

/** An answer without a score can be rated, a request that failed cannot. */
function isRateable(table: ScoreTable, cell: number): boolean {
  const state = stateOf(table, cell)
  if (state !== 'error') return !isNotRun(table, cell)
  const reason = table.reasons[table.cells.reason[cell]!]!
  return table.cells.answered[cell] === 1 && reason !== 'error' && reason !== 'timeout'
}

/** By the index of the case. */
function readCategories({ runs }: ScoreTable): Map<number, string> {
  return new Map(
    runs.flatMap(({ suite }) =>
      (suite?.categories ?? []).flatMap((category, position) =>
        category === undefined ? [] : [[suite!.cases[position]!, category] as const],
      ),
    ),
  )
}

function collectCells(
  table: ScoreTable,
  options: { countAll: boolean; isCounted: (queueId: string) => boolean },
): RatedCell[] {
  const { cells, caseIds, clusters, clusterIds, modelIds } = table
  const ratingsOf = new Map(table.ratings.map((own) => [own.cell, own]))
  const categoryOf = readCategories(table)
  const rated: RatedCell[] = []
  for (let cell = 0; cell < cells.run.length; cell++) {
    const state = stateOf(table, cell)
    if (!isRateable(table, cell)) continue
    const counted = countRatings(ratingsOf.get(cell) ?? {}, options)
    const index = cells.case[cell]!
    const answer: PairableAnswer = {
      testCaseId: caseIds[index]!,
      modelId: modelIds[cells.model[cell]!]!,
      cluster: clusterIds[clusters[index]!],
      category: categoryOf.get(index),
      weight: cells.weight[cell]!,
      ratings: Object.values(counted.byRater),
      ...(state === 'scored' && { score: cells.score[cell]!, passed: cells.passed[cell] === 1 }),
    }
    rated.push({ answer, ...counted })
  }
  return rated
}

function testJudge(
  cells: readonly RatedCell[],
  scale: RatingScale,
): Pick<PeopleRatings, 'judgeTest' | 'judgeTestNeeds'> {
  const instances = cells.flatMap(({ answer: { score, passed, testCaseId }, byRater }) => {
    const { [UNNAMED]: _unnamed, ...ratings } = byRater
    if (score === undefined || Object.keys(ratings).length < 2) return []
    return [{ judge: scale === 'points' ? score : Number(passed), ratings, cluster: testCaseId }]
  })
  const rated = new Map<string, number>()
  for (const { ratings } of instances)
    for (const rater of Object.keys(ratings)) rated.set(rater, (rated.get(rater) ?? 0) + 1)
  const found = [...rated.values()].filter((count) => count >= FEWEST_INSTANCES).length
  if (found >= FEWEST_ANNOTATORS) return { judgeTest: alternativeAnnotatorTest(instances) }
  const hasScores = cells.some(({ answer: { score } }) => score !== undefined)
  return hasScores ? { judgeTestNeeds: { people: FEWEST_ANNOTATORS, answers: FEWEST_INSTANCES, found } } : {}
}

/**
 * What people's ratings say. Only ratings that a queue drew are counted, because people rate what catches their eye;
 * `countAll` counts every rating. Undefined if nobody rated anything.
 */
export function estimatePeopleRatings(
  given: Scores,
  { countAll = false }: { countAll?: boolean | undefined } = {},
): PeopleRatings | undefined {
  const table = toScoreTable(given)
  const isRated = table.ratings.some(({ rating, ratings }) => rating !== undefined || (ratings?.length ?? 0) > 0)
  if (!isRated) return undefined
  const { scale, isCounted } = findScale(table)
  const cells = collectCells(table, { countAll, isCounted })
  const models = Array.from(
    Map.groupBy(cells, ({ answer }) => answer.modelId),
    ([modelId, own]): PeopleEstimate => ({
      modelId,
      ...estimateByRatings(
        own.map(({ answer }) => answer),
        scale,
      ),
      skipped: own.filter(({ isSkipped }) => isSkipped).length,
      notDrawn: own.filter(({ isNotDrawn }) => isNotDrawn).length,
    }),
  )
  const named = cells.map(({ byRater: { [UNNAMED]: _unnamed, ...ratings } }) => ratings)
  const agreement = measureRaterAgreement(named, scale === 'points' ? 'interval' : 'nominal')
  return {
    scale,
    isDrawn: !countAll,
    models,
    pairs: correctPairs(
      cells.map(({ answer }) => answer),
      scale,
    ),
    judges: [...new Set(table.grades.judge)].map((judge) => table.judgeIds[judge]!),
    raters: [...new Set(named.flatMap((ratings) => Object.keys(ratings)))].sort(),
    ...(agreement && { agreement }),
    ...testJudge(cells, scale),
  }
}
