import type { HumanRating, RateCellRequest } from '../../../contract/index.ts'

/** The typed text, which may not be a valid rating. */
export interface RatingDraft {
  points: string
  note: string
}

export const ratingSteps = [0, 25, 50, 75, 100]

export function draftOf(rating: HumanRating | undefined): RatingDraft {
  return {
    points: rating?.rating === undefined ? '' : String(Math.round(rating.rating * 1000) / 10),
    note: rating?.note ?? '',
  }
}

/** Reads 0 to 100, with a decimal point or comma. Empty is undefined. */
export function readPoints(text: string): number | undefined | 'invalid' {
  const trimmed = text.trim().replace(',', '.')
  if (trimmed === '') return undefined
  if (!/^\d{1,3}(\.\d+)?$/.test(trimmed)) return 'invalid'
  const points = Number(trimmed)
  return points <= 100 ? points : 'invalid'
}

/** The request to send; undefined if the rating is invalid. */
export function ratingRequest(
  { points, note }: RatingDraft,
  cell: { testCaseId: string; modelId: string },
): RateCellRequest | undefined {
  const read = readPoints(points)
  if (read === 'invalid') return undefined
  return {
    ...cell,
    ...(read !== undefined && { rating: read / 100 }),
    ...(note.trim() !== '' && { note: note.trim() }),
  }
}
