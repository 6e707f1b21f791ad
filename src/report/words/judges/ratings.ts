import type { HumanRating, RatingQueue, RatingScale } from '../../../contract/index.ts'
import type { RatedModel } from '../../model/ratings.ts'
import { formatCount, formatScore, describeInterval, formatPercent, formatStatistic, formatTime } from '../numbers.ts'
import type { PeopleEstimate, PeopleRatings, RaterAgreement } from '../../../statistics/index.ts'
import { describeAlpha, describeKappa } from './agreement.ts'
import { joinWords } from '../names.ts'

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

/** The heading of everything that rests on people's ratings. */
export const PEOPLE_TITLE = 'Corrected by human ratings'

/** Whether people rated answers that were drawn: a few that they chose themselves give no estimate. */
export function hasRatedSample({ models }: PeopleRatings): boolean {
  return models.some(({ ratedCases }) => ratedCases > 0)
}

/** What the estimates are, for a line below the heading. */
export function describePeople({ scale, raters, isDrawn }: PeopleRatings): string {
  const whose = raters.length === 0 ? '' : ` (${joinWords(raters)})`
  const what =
    scale === 'points'
      ? 'The mean score that people would give all answers'
      : 'The share of all answers that people would pass'
  const drawn = isDrawn
    ? 'from a random sample that people rated'
    : 'from hand-picked ratings, not a random sample, so this may be biased'
  return `${what}, ${drawn}${whose}, and the scores of the rest.`
}

export const formatMean = (mean: number | undefined, scale: RatingScale) =>
  scale === 'points' ? formatScore(mean) : formatPercent(mean)

export const formatBounds = (interval: { low: number; high: number }, scale: RatingScale) =>
  scale === 'points' ? describeInterval(interval) : `${describeInterval(interval)} %`

/** As in `correctByRatings`. */
export const FEWEST_RATED = 30

export const ratingsAlone = {
  few: `the ratings alone: the scores are used from ${FEWEST_RATED} rated cases on`,
  suffice: 'the ratings alone: the other scores would add nothing',
  noScores: 'the ratings alone: the answers have no scores',
}

/** Why there is no estimate, or why it rests on the ratings alone. Empty if the scores are used. */
export function describeBasis({ estimate, unusedJudge, needed, ratedCases, notDrawn, scale }: PeopleEstimate): string {
  if (!estimate) {
    if (ratedCases === 0 && notDrawn > 0)
      return `no estimate: nobody rated an answer that was drawn at random, and the ${formatCount(notDrawn, 'other rated answer is', 'other rated answers are')} not a fair sample`
    return `no estimate yet: ${formatCount(ratedCases)} of at least ${formatCount(needed ?? 0, 'case')} rated`
  }
  if (unusedJudge === 'chance') return 'the ratings alone: on the rated answers the scores are no better than chance'
  if (unusedJudge === 'few-ratings') {
    if (scale !== 'points') return 'the ratings alone: the scores are used once at least 5 cases passed and 5 failed'
    return ratedCases < FEWEST_RATED
      ? ratingsAlone.few
      : 'the ratings alone: the rated cases are too much alike for the scores to be used'
  }
  if (unusedJudge === 'ratings-suffice') return ratingsAlone.suffice
  if (unusedJudge === 'no-scores') return ratingsAlone.noScores
  return ''
}

/** `50 of 200 cases` */
export function describeRatedCases({ ratedCases, cases }: PeopleEstimate): string {
  return `${formatCount(ratedCases)} of ${formatCount(cases, 'case')}`
}

/** `people would give 61.2 (95 % CI 55.0 to 67.4); scored 70.1 (66.0 to 74.2) on all its cases; 50 of 200 cases rated` */
export function describeEstimate(estimate: PeopleEstimate): string {
  const { scale, judge, estimate: found } = estimate
  const basis = describeBasis(estimate)
  const people = found && `${formatMean(found.mean, scale)} (95 % CI ${formatBounds(found, scale)})`
  const scored =
    judge &&
    `${scale === 'points' ? 'scored' : 'passed by its scores'} ${formatMean(judge.mean, scale)} (${formatBounds(judge, scale)}) on all its cases`
  return [
    ...(people === undefined ? [] : [`people would ${scale === 'points' ? 'give' : 'pass'} ${people}`]),
    ...(scored === undefined ? [] : [scored]),
    `${describeRatedCases(estimate)} rated`,
    ...(basis === '' ? [] : [basis]),
  ].join('; ')
}

/** Cases that got an answer after the draw. */
function countLater({ models }: PeopleRatings, queues: readonly RatingQueue[]): number {
  const strata = queues.at(-1)?.strata ?? []
  const casesOf = new Map(strata.map(({ modelId, cases }) => [modelId, cases]))
  return models.reduce((sum, { modelId, cases }) => sum + Math.max(0, cases - (casesOf.get(modelId) ?? 0)), 0)
}

/** What the draw left out, each a sentence. */
function listCaveats(people: PeopleRatings, queues: readonly RatingQueue[]): string[] {
  const { models, isDrawn } = people
  const later = queues.length > 0 ? countLater(people, queues) : 0
  const skipped = models.reduce((sum, model) => sum + model.skipped, 0)
  const notDrawn = models.reduce((sum, model) => sum + model.notDrawn, 0)
  return [
    ...(later > 0
      ? [
          queues.at(-1)?.sameCases
            ? `${formatCount(later, 'answered case', 'answered cases')} could not be drawn: answered after the draw, or not by every model.`
            : `${formatCount(later, 'case was', 'cases were')} answered after the draw and could not be drawn: draw more for a sample of all.`,
        ]
      : []),
    ...(skipped > 0
      ? [
          `${formatCount(skipped, 'drawn answer was', 'drawn answers were')} skipped: if people skip the hard ones, the estimates lean towards the easy ones.`,
        ]
      : []),
    ...(notDrawn > 0 && isDrawn
      ? [
          `${formatCount(notDrawn, 'rated answer is', 'rated answers are')} not counted: hand-picked, not a random sample.`,
        ]
      : []),
  ]
}

/** Whether to rely on what several people said, by Krippendorff's thresholds. */
function describeRaterAgreement({ alpha, answers, raters }: RaterAgreement): string {
  const people = `${formatCount(raters.length, 'person', 'people')} on ${formatCount(answers, 'answer')}`
  if (!Number.isFinite(alpha)) return `How far people agree cannot be computed: the ratings of ${people} do not vary.`
  const word =
    alpha >= 0.8
      ? 'People agree well'
      : alpha >= 0.667
        ? 'People agree enough for tentative conclusions'
        : 'People disagree: settle what a good answer is before you rely on their ratings'
  return `${word} (${people}, Krippendorff’s alpha ${describeAlpha(alpha)}).`
}

/** Whether the judge can replace a human rater. */
function describeJudgeTest({ judgeTest, judgeTestNeeds }: PeopleRatings): string | undefined {
  if (judgeTestNeeds) {
    const { people, answers, found } = judgeTestNeeds
    return `Whether this judge can replace a human rater can be tested once ${formatCount(people)} people have each rated ${formatCount(answers)} answers that others rated too; so far ${found === 0 ? 'nobody has' : `${formatCount(found)} ${found === 1 ? 'has' : 'have'}`}.`
  }
  if (!judgeTest) return undefined
  const { isWorthAPerson, annotators, winningRate, advantage, epsilon } = judgeTest
  const beaten = annotators.filter(({ isBeaten }) => isBeaten).length
  const verdict = isWorthAPerson
    ? 'This judge can replace a human rater'
    : 'This judge cannot replace a human rater yet'
  return `${verdict}: it agrees with the others at least as well as ${formatCount(beaten)} of ${formatCount(annotators.length)} people (alternative annotator test: winning rate ${formatStatistic(winningRate)}, needed 0.50; advantage probability ${formatStatistic(advantage)}; ε ${formatStatistic(epsilon)}).`
}

/** `At random within each model: 50 of 200 cases of each (seed a1b2, 2026-11-16 11:00)` */
function describeDraw({ strata, seed, drawnAt, scale, shared, sameCases }: RatingQueue): string {
  const sizes = strata.map(({ drawn, cases }) => `${formatCount(drawn)} of ${formatCount(cases, 'case')}`)
  const same = new Set(sizes).size === 1
  const drawn = same
    ? `${sizes[0]}${strata.length > 1 && !sameCases ? ' of each model' : ''}`
    : strata.map(({ modelId }, index) => `${sizes[index]} of ${modelId}`).join(', ')
  const time = formatTime(drawnAt)
  const how = scale === 'points' ? 'rated 0 to 100' : 'rated pass or fail'
  const split =
    shared === undefined ? '' : `, the first ${formatCount(shared)} by everyone and the rest by one person each`
  const among = sameCases ? 'Drawn at random, the same cases for all models' : 'Drawn at random within each model'
  return `${among}: ${drawn}, ${how}${split} (seed ${seed}${time === undefined ? '' : `, ${time}`}).`
}

/** Everything but the estimates, one sentence a line: what is left out, how far people agree, whether the judge is worth one. */
export function listPeopleNotes(people: PeopleRatings, queues: readonly RatingQueue[]): string[] {
  const { agreement } = people
  const judge = hasRatedSample(people) ? describeJudgeTest(people) : undefined
  return [
    ...queues.map(describeDraw),
    ...listCaveats(people, queues),
    ...(agreement ? [describeRaterAgreement(agreement)] : []),
    ...(agreement && agreement.pairs.length > 1
      ? [
          `Weighted kappa by pair: ${agreement.pairs.map(({ raterA, raterB, kappa }) => `${raterA} and ${raterB} ${describeKappa(kappa)}`).join('; ')}.`,
        ]
      : []),
    ...(agreement
      ? [
          `Mean ratings of the same answers: ${agreement.means.map(({ rater, mean }) => `${rater} ${formatScore(mean)}`).join(', ')}.`,
        ]
      : []),
    ...(judge === undefined ? [] : [judge]),
  ]
}
