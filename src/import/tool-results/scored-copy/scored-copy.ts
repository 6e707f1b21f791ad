import { randomUUID } from 'node:crypto'
import { copyFile, mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { InputError } from '../../../contract/index.ts'
import { addPartialScore } from './scored-record-text.ts'

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
      await rename(writer.path, target).catch(explain(target))
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
  await mkdir(folder).catch(explain(target))
  await mkdir(join(folder, 'simulations')).catch(explain(target))
  await copyFile(metadata, join(folder, 'results.json')).catch(explain(target))
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
      await rename(folder, target).catch(explain(target))
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

function explain(target: string): (error: unknown) => never {
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
  const file: FileHandle = await open(path, 'wx').catch(explain(target))
  // Two buffers: one fills while the other is written.
  let buffer = Buffer.allocUnsafe(BUFFER_SIZE)
  let spare = Buffer.allocUnsafe(BUFFER_SIZE)
  let filled = 0
  let writing: Promise<void> = Promise.resolve()
  let isOpen = true

  const writeAll = async (bytes: Buffer): Promise<void> => {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, at, bytes.length - at).catch(explain(target))
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
