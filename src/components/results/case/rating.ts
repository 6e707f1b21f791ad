import type { HumanRating, RatingChange } from '../../../contract/index.ts'

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

/** What to send for what the user changed; fields that were not changed or are invalid are left out. */
export function ratingChange({ points, note }: Partial<RatingDraft>): RatingChange {
  const read = points === undefined ? 'invalid' : readPoints(points)
  return {
    ...(read !== 'invalid' && { rating: read === undefined ? null : read / 100 }),
    ...(note !== undefined && { note: note.trim() || null }),
  }
}

/** The draft without the fields that the server has as they were sent. */
export function withoutSaved(draft: Partial<RatingDraft>, sent: Partial<RatingDraft>): Partial<RatingDraft> {
  const { points, note } = draft
  return {
    ...(points !== undefined && (points !== sent.points || readPoints(points) === 'invalid') && { points }),
    ...(note !== undefined && note !== sent.note && { note }),
  }
}
