import { InputError } from '../../../contract/index.ts'
import type { RecordProblem, ToolCallRecord } from '../../../scoring/tool-calls/index.ts'
import { field, type Fields } from './fields.ts'
import type { TranscriptEntry } from './chat-calls.ts'

interface RecordContext {
  /** The fields beside the list of records. */
  fields: Fields
  index: number
  /** The record once more, with Python's types of numbers. */
  readTyped(): unknown
}

/** A format of results files: how to recognise it, and how to read its records. */
export interface ToolResultFormat {
  name: string
  /** Describes a record of it, for the error about an unknown file. */
  looksLike: string
  recognises(record: unknown, fields: Fields): boolean
  /** Tells of a recognised record that another format could have written it too: then a later record decides. */
  isUnsure?(record: unknown): boolean
  read(record: unknown, context: RecordContext): UncountedRecord
  /** What happened, message by message, for a reader. */
  readTranscript(record: unknown): TranscriptEntry[]
}

/** A record that may have no trial yet: if the file has none, attempts at a task are counted. */
export type UncountedRecord = Omit<ToolCallRecord, 'trial'> & { trial?: number }

/** Reads the reward, which must be between 0 and 1: any other scale would silently make every statistic wrong. */
export function readReward(holder: unknown, taskId: string): { reward?: number; problems: RecordProblem[] } {
  const reward = field(holder, 'reward')
  if (reward === undefined || reward === null) return { problems: [] }
  if (typeof reward === 'boolean') return { reward: reward ? 1 : 0, problems: [] }
  if (typeof reward !== 'number') return { problems: ['a reward that is not a number'] }
  if (reward < 0 || reward > 1)
    throw new InputError(`the reward of task ${taskId} is ${reward}; rewards must lie between 0 and 1`)
  return { reward, problems: [] }
}
