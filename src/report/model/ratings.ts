import type { RunResult } from '../../contract/index.ts'
import { meanOf } from '../../statistics/index.ts'

/** A person's rating of an answer, or a note about it. */
export interface RatedAnswer {
  testCaseId: string
  modelId: string
  /** From 1. */
  runNumber: number
  /** 0 to 1. */
  rating?: number
  note?: string
  /** Who rated it, if the person gave a name. */
  rater?: string
  /** What the suite's scoring gave the same answer. */
  score?: number
}

/** What people said about a model's answers; several people may have rated the same answer. */
export interface RatedModel {
  modelId: string
  /** Answers with a rating, and the mean of the ratings, 0 to 1. */
  rated: number
  meanRating?: number
  /** The mean score of the rated answers that also have a score, and how many those are. */
  meanScore?: number
  scored: number
  notes: number
  answers: RatedAnswer[]
}

function rateModel(modelId: string, answers: RatedAnswer[]): RatedModel {
  const ratings = answers.filter(({ rating }) => rating !== undefined)
  const keyOf = ({ testCaseId, runNumber }: RatedAnswer) => `${runNumber} ${testCaseId}`
  const rated = [...new Map(ratings.map((answer) => [keyOf(answer), answer])).values()]
  const scores = rated.flatMap(({ score }) => score ?? [])
  return {
    modelId,
    rated: rated.length,
    ...(ratings.length > 0 && { meanRating: meanOf(ratings.map(({ rating }) => rating!)) }),
    ...(scores.length > 0 && { meanScore: meanOf(scores) }),
    scored: scores.length,
    notes: answers.filter(({ note }) => note !== undefined).length,
    answers,
  }
}

/** Models without a rating or note are left out. */
export function listRatings(runs: readonly RunResult[], models: readonly string[]): RatedModel[] {
  const byModel = new Map<string, RatedAnswer[]>()
  runs.forEach(({ results }, index) => {
    for (const { testCaseId, modelId, rating: unnamed, ratings = [], score } of results)
      for (const { rater, rating, note: text } of [{ rater: undefined, ...unnamed }, ...ratings]) {
        const note = text?.trim() === '' ? undefined : text
        if (rating === undefined && note === undefined) continue
        const answers = byModel.get(modelId) ?? []
        byModel.set(modelId, answers)
        answers.push({
          testCaseId,
          modelId,
          runNumber: index + 1,
          ...(rating !== undefined && { rating }),
          ...(note !== undefined && { note }),
          ...(rater !== undefined && { rater }),
          ...(score && { score: score.score }),
        })
      }
  })
  return models.flatMap((modelId) => {
    const answers = byModel.get(modelId)
    return answers ? [rateModel(modelId, answers)] : []
  })
}
