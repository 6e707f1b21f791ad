import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { InputError } from '../../contract/index.ts'
import { isBlank } from '../text/split-json.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const COMMA = 0x2c
const OPENING = new Set([0x7b, 0x5b])
const CLOSING = new Set([0x7d, 0x5d])

interface NewScore {
  score: number | null
  /** True if the record has a `partial_score` already, which the new one replaces. */
  isReplaced: boolean
}

/**
 * Adds `partial_score` as the last member of a record and returns its bytes in pieces. Nothing else changes: key order, numbers and
 * escapes stay as written, because the record is not serialised again.
 */
export function addPartialScore(record: Buffer, { score, isReplaced }: NewScore): Buffer[] {
  // A record that is a list of messages has no place for a score.
  if (record[0] !== 0x7b) return [record]
  const number = writeScore(score)
  if (isReplaced) return replaceMember(record, 'partial_score', number)

  const closing = record.length - 1
  let memberEnd = closing
  while (isBlank(record[memberEnd - 1])) memberEnd -= 1
  if (memberEnd === 1) return [Buffer.from(`{"partial_score": ${number}}`)]
  let firstKey = 1
  while (isBlank(record[firstKey])) firstKey += 1

  const colon = isSpaced(record, firstKey) ? ': ' : ':'
  const opening = record.toString('latin1', 1, firstKey)
  const lead = opening.includes('\n') ? opening : colon === ': ' ? ' ' : ''
  const member = Buffer.from(`,${lead}"partial_score"${colon}${number}`)
  return [record.subarray(0, memberEnd), member, record.subarray(memberEnd)]
}

/** Writes a score as Python does, so that it looks like its neighbours: 1.0, not 1. */
function writeScore(score: number | null): string {
  if (score === null) return 'null'
  // oxlint-disable-next-line house/no-number-format -- A file that other programs read.
  return Number.isInteger(score) ? score.toFixed(1) : String(score)
}

function isSpaced(record: Buffer, firstKey: number): boolean {
  const colon = endOfText(record, firstKey)
  return record[colon] === COLON && isBlank(record[colon + 1])
}

function endOfText(record: Buffer, start: number): number {
  let at = start + 1
  while (at < record.length && record[at] !== QUOTE) at += record[at] === BACKSLASH ? 2 : 1
  return at + 1
}

function replaceMember(record: Buffer, name: string, value: string): Buffer[] {
  const pieces: Buffer[] = []
  let kept = 0
  for (const { start, end } of findMember(record, name)) {
    pieces.push(record.subarray(kept, start), Buffer.from(value))
    kept = end
  }
  return [...pieces, record.subarray(kept)]
}

/** Finds the values of a top-level member; a key can occur twice. */
function findMember(record: Buffer, name: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
  let depth = 0
  let key: string | undefined
  let valueStart: number | undefined
  const close = (at: number) => {
    if (valueStart === undefined) return
    let end = at
    while (isBlank(record[end - 1])) end -= 1
    found.push({ start: valueStart, end })
    valueStart = undefined
  }
  for (let at = 0; at < record.length; at += 1) {
    const byte = record[at]!
    if (byte === QUOTE) {
      const end = endOfText(record, at)
      if (depth === 1 && valueStart === undefined) key = String(JSON.parse(record.toString('utf8', at, end)))
      at = end - 1
    } else if (OPENING.has(byte)) depth += 1
    else if (CLOSING.has(byte)) {
      depth -= 1
      if (depth === 0) close(at)
    } else if (depth === 1 && byte === COMMA) close(at)
    else if (depth === 1 && byte === COLON && key === name) {
      valueStart = at + 1
      while (isBlank(record[valueStart])) valueStart += 1
    }
    if (depth === 1 && byte === COMMA) key = undefined
  }
  return found
}

const BUFFER_SIZE = 1 << 20

/** `results.json` becomes `results_partial.json`, beside it. */
export function nameOutput(input: string): string {
  const extension = extname(input)
  return join(dirname(input), `${basename(input, extension)}_partial${extension}`)
}

/** In the target's folder, so that renaming stays on one disk. */
function temporaryName(target: string): string {
  return `${target}.${randomUUID().slice(0, 8)}.tmp`
}

interface OutputPlan {
  target: string
  /** Files that must not be touched. */
  inputs: readonly string[]
}

/** Writes the scored copy of a results file. It gets its name only once it is complete. */
export async function createScoredFile({ target, inputs }: OutputPlan) {
  await refuseInput({ target, inputs })
  const writer = await createWriter(temporaryName(target), target)
  return {
    target,
    addBytes: (bytes: Buffer) => writer.write(bytes),
    addRecord: (bytes: Buffer, score: { score: number | null; isReplaced: boolean }) =>
      writer.write(...addPartialScore(bytes, score)),
    async commit(): Promise<void> {
      await writer.close()
      await rename(writer.path, target).catch(refuseWriting(target))
    },
    async discard(): Promise<void> {
      await writer.abandon()
      await rm(writer.path, { force: true })
    },
    beginFile: async (_path: string): Promise<void> => {},
  }
}

export type ScoredOutput = Awaited<ReturnType<typeof createScoredFile>>

/** Writes the scored copy of tau2-bench's folder form: `results.json` unchanged, and every simulation with its score. */
export async function createScoredFolder({
  target,
  inputs,
  metadata,
}: OutputPlan & { metadata: string }): Promise<ScoredOutput> {
  await refuseInput({ target, inputs })
  if (await stat(target).catch(() => undefined))
    throw new InputError(`${target} already exists; remove it, or name another folder with -o`)
  const folder = temporaryName(target)
  const source = dirname(metadata)
  await mkdir(folder).catch(refuseWriting(target))
  await mkdir(join(folder, 'simulations')).catch(refuseWriting(target))
  await copyFile(metadata, join(folder, 'results.json')).catch(refuseWriting(target))
  let writer: Awaited<ReturnType<typeof createWriter>> | undefined
  return {
    target,
    addBytes: async (bytes) => writer?.write(bytes),
    addRecord: async (bytes, score) => writer?.write(...addPartialScore(bytes, score)),
    async beginFile(path) {
      await writer?.close()
      writer = await createWriter(join(folder, relative(source, path)), target)
    },
    async commit() {
      await writer?.close()
      await rename(folder, target).catch(refuseWriting(target))
    },
    async discard() {
      await writer?.abandon()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function refuseInput({ target, inputs }: OutputPlan): Promise<void> {
  const there = await stat(target).catch(() => undefined)
  if (!there) return
  for (const input of inputs) {
    const given = await stat(input).catch(() => undefined)
    // By device and inode: links and other spellings of a path can lead to the same file.
    if (given && given.dev === there.dev && given.ino === there.ino)
      throw new InputError(
        `${target} is the input itself (${input}), which is never overwritten; give another name with -o`,
      )
  }
  if (there.isDirectory()) throw new InputError(`${target} is a folder; give a file name with -o`)
}

function refuseWriting(target: string): (error: unknown) => never {
  return (error) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
    const why =
      code === 'ENOENT'
        ? 'there is no such folder'
        : code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
          ? 'no permission to write there'
          : code === 'ENOSPC'
            ? 'the disk is full'
            : String(error)
    throw new InputError(`${target} cannot be written: ${why}; give another place with -o`, { cause: error })
  }
}

async function createWriter(path: string, target: string) {
  const file: FileHandle = await open(path, 'wx').catch(refuseWriting(target))
  // Two buffers: one fills while the other is written.
  let buffer = Buffer.allocUnsafe(BUFFER_SIZE)
  let spare = Buffer.allocUnsafe(BUFFER_SIZE)
  let filled = 0
  let writing: Promise<void> = Promise.resolve()
  let isOpen = true

  const writeAll = async (bytes: Buffer): Promise<void> => {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, at, bytes.length - at).catch(refuseWriting(target))
      at += bytesWritten
    }
  }
  const flush = async (): Promise<void> => {
    await writing
    const full = buffer.subarray(0, filled)
    ;[buffer, spare] = [spare, buffer]
    filled = 0
    writing = writeAll(full)
    // Awaited at the next flush; without this a failure before that would count as unhandled.
    writing.catch(() => {})
  }
  const shut = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await writing.catch(() => {})
    await file.close()
  }

  return {
    path,
    async write(...pieces: Buffer[]): Promise<void> {
      for (const bytes of pieces) {
        if (bytes.length > BUFFER_SIZE - filled) await flush()
        if (bytes.length > BUFFER_SIZE) {
          await writing
          await writeAll(bytes)
        } else filled += bytes.copy(buffer, filled)
      }
    },
    async close(): Promise<void> {
      await flush()
      await writing
      await shut()
    },
    abandon: shut,
  }
}
