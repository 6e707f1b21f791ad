import { formatCount } from '../words/numbers.ts'
import { nameTrajectoryFormat, shortenModel } from '../words/tool-calls/trajectory-words.ts'
import type { Table } from './table.ts'

interface SetRow {
  id: string
  name: string
  addedAt: number
  trajectories: number
  models: string[]
  formats: string[]
}

/** Recorded runs that were added together. The page draws their names and times. */
export const trajectorySetTable: Table<SetRow> = [
  { key: 'name', label: 'Name', role: 'name', cut: 'end', keep: 'always', text: ({ name }) => name },
  {
    key: 'runs',
    label: 'Runs',
    align: 'end',
    keep: 'always',
    text: ({ trajectories }) => formatCount(trajectories),
  },
  {
    key: 'models',
    label: 'Models',
    role: 'note',
    text: ({ models }) =>
      models.length > 3 ? formatCount(models.length, 'model') : models.map(shortenModel).join(', ') || '–',
  },
  { key: 'formats', label: 'Format', text: ({ formats }) => formats.map(nameTrajectoryFormat).join(', ') },
  { key: 'added', label: 'Added', keep: 'wide', text: ({ addedAt }) => new Date(addedAt).toISOString() },
]
