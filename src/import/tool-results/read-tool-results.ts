import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject, InputError } from '../../contract/index.ts'
import type { RecordProblem, ToolCallRecord } from '../../scoring/tool-calls/index.ts'
import { readTaskLine, type BfclTask } from './formats/bfcl.ts'
import type { Fields } from './formats/fields.ts'
import type { ToolResultFormat, UncountedRecord } from './formats/format.ts'
import { readJsonRecords, type RecordPiece } from './json-records.ts'
import { findRecordFormat, type RecognisedFile } from './recognise.ts'
import { SIMULATION_LISTS } from './formats/tau2-bench.ts'
import { parseTypedJson } from './formats/python-calls.ts'

/** A piece of a results file: a parsed record, or the bytes between records. */
export type ResultPiece =
  | { kind: 'record'; bytes: Buffer; offset: number; record: ToolCallRecord; hasPartialScore: boolean }
  | { kind: 'between'; bytes: Buffer }
  | { kind: 'cut-off'; closing: string; offset: number }
  /** In a folder: the pieces that follow are from this file. */
  | { kind: 'file'; path: string }

interface ResultOptions {
  salvage?: boolean
  /** BFCL's possible answers and functions, by id. */
  answers?: Fields
}

/** Reads a recognised file record by record. */
export async function* readToolResults(
  { path, kind, folder }: RecognisedFile,
  { salvage = false, answers }: ResultOptions = {},
): AsyncGenerator<ResultPiece> {
  if (typeof kind === 'string') throw new InputError(`${path} contains ${kind}, not results`)
  const count = countAttempts()
  const state = { index: 0, fields: answers ? { answers } : {} }
  if (folder) {
    state.fields = await readFields(folder.metadata)
    for (const name of (await readdir(folder.simulations)).filter((file) => file.endsWith('.json')).sort()) {
      const simulation = join(folder.simulations, name)
      yield { kind: 'file', path: simulation }
      yield* readPieces({ path: simulation, format: kind, salvage, count, state })
    }
  } else {
    if (kind.name === 'tau2-bench') state.fields = await readFieldsAfterwards(path, salvage)
    yield* readPieces({ path, format: kind, salvage, count, state })
  }
  if (state.index === 0) throw new InputError(`${path} contains no records`)
}

interface Reading {
  path: string
  format: ToolResultFormat
  salvage: boolean
  count: ReturnType<typeof countAttempts>
  state: { index: number; fields: Fields }
}

async function* readPieces({ path, format, salvage, count, state }: Reading): AsyncGenerator<ResultPiece> {
  for await (const piece of readJsonRecords(path, { listKeys: SIMULATION_LISTS, salvage })) {
    if (piece.kind === 'fields') state.fields = { ...state.fields, ...piece.fields }
    else if (piece.kind === 'record') {
      const record = count(readRecord(piece, { path, format, state }))
      state.index += 1
      const hasPartialScore = isJsonObject(piece.value) && Object.hasOwn(piece.value, 'partial_score')
      yield { kind: 'record', bytes: piece.bytes, offset: piece.offset, record, hasPartialScore }
    } else yield piece
  }
}

function readRecord(
  { value, bytes, index, offset }: RecordPiece & { kind: 'record' },
  { path, format, state }: Pick<Reading, 'path' | 'format' | 'state'>,
): UncountedRecord {
  try {
    return findRecordFormat(value, format).read(value, {
      fields: state.fields,
      index: state.index,
      readTyped: () => parseTypedJson(bytes.toString('utf8')),
    })
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(`${path}: ${error.message} (record ${index + 1}, at byte ${offset})`, { cause: error })
  }
}

/** Numbers the attempts at a task if the file does not, and marks repeated pairs of task and trial. */
function countAttempts(): (record: UncountedRecord) => ToolCallRecord {
  const attempts = new Map<string, number>()
  const seen = new Set<string>()
  return (record) => {
    const attempt = attempts.get(record.taskId) ?? 0
    attempts.set(record.taskId, attempt + 1)
    const trial = record.trial ?? attempt
    const key = `${trial} ${record.taskId}`
    const again: RecordProblem[] = seen.has(key) ? ['the same task and trial again'] : []
    seen.add(key)
    return { ...record, trial, problems: [...record.problems, ...again] }
  }
}

async function readFields(path: string): Promise<Fields> {
  for await (const piece of readJsonRecords(path))
    if (piece.kind === 'record' && isJsonObject(piece.value)) return piece.value
  throw new InputError(`${path} contains no object`)
}

/** Reads the tasks, which have the expected actions. If they come after the simulations, this reads the whole file once. */
async function readFieldsAfterwards(path: string, salvage: boolean): Promise<Fields> {
  const entries: [string, unknown][] = []
  for await (const piece of readJsonRecords(path, { listKeys: SIMULATION_LISTS, salvage })) {
    if (piece.kind === 'fields') entries.push(...Object.entries(piece.fields))
    if (piece.kind === 'record' && entries.some(([key]) => key === 'tasks')) break
  }
  return Object.fromEntries(entries)
}

/** Reads the possible answers and questions of BFCL files, by id. */
export async function readPossibleAnswerFiles(paths: readonly string[]): Promise<Fields> {
  const found = new Map<string, BfclTask>()
  for (const path of paths)
    for await (const piece of readJsonRecords(path)) {
      const line = piece.kind === 'record' ? readTaskLine(piece.value, piece.bytes) : undefined
      if (line) found.set(line.id, { ...found.get(line.id), ...line.task })
    }
  return Object.fromEntries(found)
}
