import type { HumanRating } from '../../../contract/index.ts'
import type { RatedModel } from '../../model/ratings.ts'
import { formatCount, formatScore } from '../numbers.ts'

/** `a person rated it 80.0: “too long”`, or only the note: `a person noted: “too long”`. Undefined without either. */
export function describeRating({ rating, note }: HumanRating, who = 'a person'): string | undefined {
  const quoted = note === undefined || note.trim() === '' ? undefined : `“${note.trim()}”`
  if (rating === undefined) return quoted && `${who} noted: ${quoted}`
  return `${who} rated it ${formatScore(rating)}${quoted === undefined ? '' : `: ${quoted}`}`
}

/** `people rated 3 answers, mean 71.7 (scored 80.2); 2 notes` */
export function describeRatings({ rated, meanRating, meanScore, scored, notes }: RatedModel): string {
  const noted = notes > 0 ? formatCount(notes, 'note') : undefined
  if (meanRating === undefined) return noted ?? ''
  const whose = scored === rated ? '' : `, ${formatCount(scored)} of them`
  const compared = meanScore === undefined ? '' : ` (scored ${formatScore(meanScore)}${whose})`
  const ratings = `people rated ${formatCount(rated, 'answer')}, mean ${formatScore(meanRating)}${compared}`
  return noted === undefined ? ratings : `${ratings}; ${noted}`
}
