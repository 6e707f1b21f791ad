import { mkdir, mkdtemp, open, readFile, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { InputError, messageOf, parseExactJson } from '../../contract/index.ts'
import { listField } from '../tool-results/formats/fields.ts'
import { parseLooseJson } from '../text/loose-json.ts'
import { readImportLimits } from '../results/import-budget.ts'
import { openZip } from '../results/zip-archive.ts'
import { explainReadError, unpackGzip } from '../text/source-text.ts'
import type { TrajectorySource } from './reader.ts'

export const SAMPLE_LINES = 20
const NEW_LINE = 0x0a
/** A larger text is no sidecar of a trajectory. */
const MAX_RELATED_BYTES = 64 * 1024 * 1024

export type Content = Pick<TrajectorySource, 'records' | 'sample' | 'isLines' | 'badLines'>

/** Reads a file as one JSON value or as JSON lines; undefined if it is neither. */
export async function readContent(path: string, file: string): Promise<Content | undefined> {
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (error) {
    throw new InputError(`${file}: ${explainReadError(error)}`, { cause: error })
  }
  if (bytes.subarray(0, 2).equals(ARCHIVE)) return readArchive(path, file)
  bytes = await unpackGzip(bytes, file)
  if (bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) bytes = bytes.subarray(3)
  if (bytes.includes(0) || bytes.length === 0) return undefined

  const lines = createLines(bytes)
  const sample: unknown[] = []
  for (const value of lines.records()) {
    sample.push(value)
    if (sample.length >= SAMPLE_LINES) break
  }
  if (lines.isLines()) return { ...lines, sample, isLines: true }
  // A document of one line is parsed already.
  const value = lines.badLines() === 0 && sample.length === 1 ? sample[0] : parseDocument(bytes.toString('utf8'))
  if (value !== undefined) return { records: () => [value], sample: [value], isLines: false, badLines: () => 0 }
  return sample.length > 0 ? { ...lines, sample, isLines: true } : undefined
}

/** Several files that are one. */
export function joinContents(parts: readonly Content[]): Content {
  const [first] = parts
  if (first && parts.length === 1) return first
  return {
    *records() {
      for (const part of parts) yield* part.records()
    },
    sample: parts.flatMap(({ sample }) => sample).slice(0, SAMPLE_LINES),
    isLines: true,
    badLines: () => parts.reduce((sum, part) => sum + part.badLines(), 0),
  }
}

/** Looking at every number of a larger document for those that JavaScript rounds would take seconds. */
const MOST_EXACT = 4 * 1024 * 1024

/** Parses a value, with `NaN` and `Infinity` of Python's; undefined if it is no JSON. */
function parseDocument(text: string): unknown {
  try {
    return text.length > MOST_EXACT ? JSON.parse(text) : parseExactJson(text)
  } catch {
    try {
      return parseLooseJson(text)
    } catch {
      return undefined
    }
  }
}

function createLines(bytes: Buffer) {
  let bad = 0
  let whole = 0
  let first: boolean | undefined
  return {
    badLines: () => bad,
    /** The first line is an object or list of its own, and there is another one. */
    isLines: () => first === true && whole > 1,
    *records(): Generator<unknown> {
      bad = 0
      whole = 0
      for (let start = 0; start < bytes.length;) {
        const found = bytes.indexOf(NEW_LINE, start)
        const end = found < 0 ? bytes.length : found
        const line = bytes.toString('utf8', start, end)
        start = end + 1
        if (line.trim() === '') continue
        const value = parseLine(line)
        first ??= value !== undefined
        if (value === undefined) {
          bad += 1
          // A JSON file over several lines is no file of lines.
          if (first === false && whole === 0) return
          continue
        }
        whole += 1
        yield value
      }
    },
  }
}

function parseLine(line: string): unknown {
  try {
    const value = line.length > MOST_EXACT ? JSON.parse(line) : parseExactJson(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const ARCHIVE = Buffer.from('PK')

const isInspectLog = (zip: { has(name: string): boolean }) => zip.has('header.json') || zip.has('_journal/start.json')

/** Unpacks an archive of files into a new folder, which `made` is told of first; undefined if it is none, or a log of Inspect. */
export async function unpackFiles(path: string, made: string[]): Promise<string | undefined> {
  const handle = await open(path).catch(() => undefined)
  const start = await handle?.read(Buffer.alloc(2), 0, 2, 0)
  await handle?.close()
  if (!start?.buffer.equals(ARCHIVE)) return undefined
  const zip = await openZip(path, path, { ...readImportLimits() })
  try {
    if (isInspectLog(zip)) return undefined
    const folder = await mkdtemp(join(tmpdir(), 'benchmaker-runs-'))
    made.push(folder)
    for (const name of zip.names.filter((entry) => !entry.endsWith('/'))) {
      // Names that lead out of the folder were refused when the archive was opened.
      const target = join(folder, name)
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, zip.read(name), { mode: 0o600 })
    }
    return folder
  } finally {
    zip.close()
  }
}

const SAMPLE_ENTRY = /^samples\/.+_epoch_\d+(?:\.json|\/sample\.json)$/s

const CHUNKED = '/sample.json'

interface Chunks {
  names: readonly string[]
  readEntry(name: string): Promise<unknown>
}

/** A chunked sample keeps its messages and attachments in lists of their own, in files named by their first item. */
async function addChunks(sample: unknown, entry: string, { names, readEntry }: Chunks): Promise<unknown> {
  const folder = entry.slice(0, -CHUNKED.length)
  const readPool = async (part: string): Promise<unknown[]> => {
    const pool: unknown[] = []
    for (const name of names) {
      const first = name.startsWith(`${folder}/${part}/`) ? /(\d+)\.json$/.exec(name)?.[1] : undefined
      const list = first === undefined ? undefined : await readEntry(name)
      if (Array.isArray(list)) for (const [index, item] of list.entries()) pool[Number(first) + index] = item
    }
    return pool
  }
  const messages = await readPool('messages')
  const refs = (listField(sample, 'message_refs') ?? []).flatMap((range) =>
    Array.isArray(range) ? messages.slice(Number(range[0]), Number(range[1])) : [],
  )
  const attachments = Object.fromEntries((await readPool('attachments')).map((text, index) => [String(index), text]))
  return { messages: refs.length > 0 ? refs : messages, attachments, ...Object(sample) }
}

/** An Inspect archive as the JSON log that it stands for. */
async function readArchive(path: string, file: string): Promise<Content | undefined> {
  const zip = await openZip(path, file, { ...readImportLimits() })
  try {
    if (!isInspectLog(zip)) return undefined
    const readEntry = async (name: string): Promise<unknown> => {
      const chunks: Buffer[] = []
      for await (const chunk of zip.read(name)) chunks.push(Buffer.from(chunk))
      return parseDocument(Buffer.concat(chunks).toString('utf8'))
    }
    const header = await readEntry(zip.has('header.json') ? 'header.json' : '_journal/start.json')
    const samples: unknown[] = []
    for (const name of zip.names)
      if (SAMPLE_ENTRY.test(name)) {
        const sample = await readEntry(name)
        samples.push(name.endsWith(CHUNKED) ? await addChunks(sample, name, { names: zip.names, readEntry }) : sample)
      }
    const log = { ...Object(header), samples }
    return { records: () => [log], sample: [log], isLines: false, badLines: () => 0 }
  } catch (error) {
    if (error instanceof InputError) throw error
    throw new InputError(`${file}: ${messageOf(error)}`, { cause: error })
  } finally {
    zip.close()
  }
}

/** The text of a small file; undefined if it is not there. */
export async function readSmallText(path: string): Promise<string | undefined> {
  try {
    const bytes = await unpackGzip(await readFile(path), path)
    return bytes.length <= MAX_RELATED_BYTES ? bytes.toString('utf8') : undefined
  } catch {
    return undefined
  }
}

export async function listNames(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).toSorted()
  } catch {
    return []
  }
}
