import type { HeadToHead, PartialRanking, RankedModel } from '../../statistics/index.ts'
import type { RankedModel as ArenaModel, ArenaKind, EqualRating } from '../model/arena/arena-ranking.ts'
import {
  describeHeadToHead,
  formatRatingBounds,
  formatRatingInterval,
  reverseHeadToHead,
} from '../words/verdicts/rankings.ts'
import { formatCount, formatRank, formatRating, formatRatingChange } from '../words/numbers.ts'
import type { Table } from './table.ts'

/** Models over several suites. */
export const ratingTable: Table<RankedModel> = [
  { key: 'rank', label: '#', align: 'end', keep: 'always', text: ({ rank }) => formatRank(rank) },
  { key: 'model', label: 'Model', role: 'name', text: ({ modelId }) => modelId },
  { key: 'rating', label: 'Rating (95 % CI)', align: 'end', keep: 'always', text: formatRatingInterval },
  { key: 'cases', label: 'Cases', align: 'end', text: ({ cases }) => formatCount(cases) },
]

export const headToHeadTable: Table<HeadToHead> = [
  { key: 'a', label: 'A', role: 'name', text: ({ modelA }) => modelA },
  { key: 'b', label: 'B', role: 'name', text: ({ modelB }) => modelB },
  { key: 'points', label: 'A won–tied–lost: share of points', text: describeHeadToHead },
]

/** Two models as the first of them sees it. */
export function findMeeting(pairs: readonly HeadToHead[], row: string, column: string): HeadToHead | undefined {
  const own = pairs.find(({ modelA, modelB }) => modelA === row && modelB === column)
  const other = pairs.find(({ modelA, modelB }) => modelA === column && modelB === row)
  return own ?? (other && reverseHeadToHead(other))
}

/** Every model against every other. The rows are models. */
export function meetingTable(pairs: readonly HeadToHead[], models: readonly string[]): Table<string> {
  return [
    { key: 'model', label: 'Model', role: 'name', text: (modelId) => modelId },
    ...models.map((column) => ({
      key: `model ${column}`,
      label: column,
      isModel: true,
      keep: 'always' as const,
      text: (row: string) => {
        const meeting = findMeeting(pairs, row, column)
        return row === column ? '–' : meeting ? describeHeadToHead(meeting) : 'never met'
      },
    })),
  ]
}

/** Ratings over parts of the cases, of the time or of the runs, a column each. The rows are models. */
export function partsTable(parts: readonly (PartialRanking | ArenaKind)[]): Table<string> {
  return [
    { key: 'model', label: 'Model', role: 'name', text: (modelId) => modelId },
    ...parts.map((part) => {
      const models = new Map<string, ArenaModel | RankedModel>(part.models.map((model) => [model.modelId, model]))
      return {
        key: part.name,
        label: `${part.name} · ${'games' in part ? formatCount(part.games, 'game') : formatCount(part.cases, 'case')}`,
        align: 'end' as const,
        keep: 'always' as const,
        text: (modelId: string) => (models.has(modelId) ? formatRatingInterval(models.get(modelId)!) : '–'),
      }
    }),
  ]
}

/** Models of the Code Arena, best first. */
export const arenaTable: Table<ArenaModel & { place: number }> = [
  { key: 'place', label: '#', align: 'end', keep: 'always', text: ({ place }) => formatCount(place) },
  { key: 'model', label: 'Model', role: 'name', cut: 'middle', text: ({ modelId }) => modelId },
  {
    key: 'rating',
    label: 'Rating',
    align: 'end',
    role: 'main',
    text: ({ rating }) => formatRating(rating),
  },
  {
    key: 'interval',
    label: '95 % CI',
    align: 'end',
    role: 'interval',
    text: formatRatingBounds,
  },
  { key: 'games', label: 'Games', align: 'end', keep: 'always', text: ({ games }) => formatCount(games) },
  { key: 'wins', label: 'Won', align: 'end', keep: 'always', text: ({ wins }) => formatCount(wins) },
  { key: 'ties', label: 'Tied', align: 'end', keep: 'always', text: ({ ties }) => formatCount(ties) },
  { key: 'losses', label: 'Lost', align: 'end', keep: 'always', text: ({ losses }) => formatCount(losses) },
]

/** Models of the Code Arena as they are rated, and as they would be if all pages had the same amount of code. */
export const equalTable: Table<EqualRating> = [
  { key: 'model', label: 'Model', role: 'name', cut: 'middle', text: ({ modelId }) => modelId },
  {
    key: 'before',
    label: 'As it is (95 % CI)',
    align: 'end',
    keep: 'always',
    text: ({ voted }) => formatRatingInterval(voted),
  },
  { key: 'rating', label: 'At equal length (95 % CI)', align: 'end', role: 'main', text: formatRatingInterval },
  {
    key: 'change',
    label: 'Change',
    align: 'end',
    text: ({ rating, voted }) => formatRatingChange(rating - voted.rating),
  },
]

/** Adds the place of each model in a list that is sorted, best first, among those that it was compared with. */
export const placeModels = (models: readonly ArenaModel[]) =>
  models.map((model, index) => ({
    ...model,
    place: index + 1 - models.findIndex(({ group }) => group === model.group),
  }))
