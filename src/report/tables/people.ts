import type { PeopleEstimate } from '../../statistics/index.ts'
import type { RatedAnswer } from '../model/ratings.ts'
import { describeBasis, describeRatedCases, formatBounds, formatMean } from '../words/judges/ratings.ts'
import { formatCount, formatScore } from '../words/numbers.ts'
import type { Table } from './table.ts'

/** What people would give each model, beside what it scored. */
export const peopleTable: Table<PeopleEstimate> = [
  { key: 'model', label: 'Model', role: 'name', text: ({ modelId }) => modelId },
  {
    key: 'scored',
    label: 'Scored, all its cases',
    align: 'end',
    text: ({ judge, scale }) => (judge ? `${formatMean(judge.mean, scale)} (${formatBounds(judge, scale)})` : '–'),
  },
  {
    key: 'corrected',
    label: 'Corrected',
    align: 'end',
    role: 'main',
    text: ({ estimate, scale }) => formatMean(estimate?.mean, scale),
  },
  {
    key: 'interval',
    label: '95 % CI',
    align: 'end',
    role: 'interval',
    text: ({ estimate, scale }) => (estimate ? formatBounds(estimate, scale) : '–'),
  },
  { key: 'rated', label: 'Rated', align: 'end', text: describeRatedCases },
  {
    key: 'basis',
    label: 'Basis',
    role: 'note',
    text: (estimate) => describeBasis(estimate) || 'ratings and scores',
  },
]

/** Every rating and note that people gave. */
export function ratedAnswers({ runCount }: { runCount: number }): Table<RatedAnswer> {
  return [
    { key: 'case', label: 'Case', role: 'name', text: ({ testCaseId }) => testCaseId },
    { key: 'model', label: 'Model', role: 'name', text: ({ modelId }) => modelId },
    {
      key: 'run',
      label: 'Run',
      align: 'end',
      text: ({ runNumber }) => formatCount(runNumber),
      isIn: () => runCount > 1,
    },
    { key: 'rating', label: 'Rating', align: 'end', text: ({ rating }) => formatScore(rating) },
    { key: 'score', label: 'Score', align: 'end', text: ({ score }) => formatScore(score) },
    {
      key: 'person',
      label: 'Person',
      text: ({ rater = '' }) => rater,
      isIn: (answers) => answers.some(({ rater }) => rater !== undefined),
    },
    { key: 'note', label: 'Note', role: 'note', text: ({ note = '' }) => note },
  ]
}
