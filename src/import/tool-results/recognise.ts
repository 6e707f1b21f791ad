import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isJsonObject, InputError, parseExactJson } from '../../contract/index.ts'
import { anthropicMessages } from './formats/anthropic-messages.ts'
import { bfcl, recogniseCompanion, type BfclCompanion } from './formats/bfcl.ts'
import { readExpectedCalls, type TranscriptEntry } from './formats/chat-calls.ts'
import { field, type Fields } from './formats/fields.ts'
import type { ToolResultFormat } from './formats/format.ts'
import { readJsonRecords } from './json-records.ts'
import { openaiMessages } from './formats/openai-messages.ts'
import { SIMULATION_LISTS, tau2Bench } from './formats/tau2-bench.ts'
import { tauBench } from './formats/tau-bench.ts'

const chatFormats: readonly ToolResultFormat[] = [anthropicMessages, openaiMessages]

/** The formats in the order they are tried. To add one, write its file and test and add a line here. */
const formats: readonly ToolResultFormat[] = [tau2Bench, tauBench, bfcl, ...chatFormats]

/** How many records to look at: the first ones can be broken. */
const LOOKED_AT = 20

export interface RecognisedFile {
  path: string
  kind: ToolResultFormat | BfclCompanion
  /** tau2-bench's folder form: the file with everything except the simulations, and the folder with them. */
  folder?: { metadata: string; simulations: string }
}

/** Reads what happened in a record, message by message, from its text in a file of the named format. */
export function readTranscript(formatName: string, text: string): TranscriptEntry[] {
  const format = formats.find(({ name }) => name === formatName)
  if (!format) throw new InputError(`there is no format ${formatName}`)
  const record = parseExactJson(text)
  return findRecordFormat(record, format).readTranscript(record)
}

/** The format of one record in a file of the given format: messages of different vendors can be mixed. */
export function findRecordFormat(record: unknown, fileFormat: ToolResultFormat): ToolResultFormat {
  const isChat = chatFormats.includes(fileFormat)
  return (isChat ? chatFormats.find((format) => format.recognises(record, {})) : undefined) ?? fileFormat
}

/** Recognises the format of a file or folder by its content. */
export async function recogniseFile(path: string, { salvage = false } = {}): Promise<RecognisedFile> {
  const folder = await findFolderForm(path)
  if (folder) return { path, kind: tau2Bench, folder }

  let fields: Fields = {}
  let firstRecord: unknown
  let unsure: ToolResultFormat | undefined
  let count = 0
  for await (const piece of readJsonRecords(path, { listKeys: SIMULATION_LISTS, salvage })) {
    if (piece.kind === 'fields') fields = piece.fields
    if (piece.kind !== 'record') continue
    count += 1
    firstRecord ??= piece.value
    const kind = recogniseRecord(piece.value, fields)
    if (typeof kind === 'object' && kind.isUnsure?.(piece.value)) unsure ??= kind
    else if (kind) return { path, kind }
    if (count >= LOOKED_AT) break
  }
  if (unsure) return { path, kind: unsure }
  if (count === 0) throw new InputError(`${path} contains no records`)
  throw new InputError(`${path}: ${unknownRecordProblem(firstRecord)}`)
}

function recogniseRecord(record: unknown, fields: Fields): RecognisedFile['kind'] | undefined {
  // People add ids, rewards and results to their messages: these say nothing about the format.
  const isChat = field(record, 'traj') === undefined && readExpectedCalls(record) !== null
  const chat = isChat ? chatFormats.find((format) => format.recognises(record, fields)) : undefined
  return chat ?? recogniseCompanion(record) ?? formats.find((format) => format.recognises(record, fields))
}

function unknownRecordProblem(record: unknown): string {
  if (field(record, 'role') !== undefined)
    return 'one conversation without expected calls; write it as {"messages": [...], "expectedCalls": [{"name": ..., "arguments": ...}]}'
  const keys = isJsonObject(record) ? Object.keys(record).slice(0, 8).join(', ') : ''
  const looked = formats.map(({ looksLike }) => looksLike).join('; ')
  return `none of the known formats. Looked for: ${looked}. Found: ${keys === '' ? 'records without keys' : `records with ${keys}`}`
}

async function findFolderForm(path: string): Promise<RecognisedFile['folder']> {
  const given = await stat(path).catch(() => undefined)
  if (!given?.isDirectory()) return undefined
  const metadata = join(path, 'results.json')
  const simulations = join(path, 'simulations')
  const has = async (part: string) => (await stat(part).catch(() => undefined)) !== undefined
  if ((await has(metadata)) && (await has(simulations))) return { metadata, simulations }
  throw new InputError(
    `${path} is a folder without results.json and simulations/; give a results file, or a tau2-bench folder`,
  )
}
