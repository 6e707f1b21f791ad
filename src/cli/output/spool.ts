import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printDocument, type TextSink } from './terminal.ts'

const CHUNK_SIZE = 1 << 18

/**
 * Buffers a document until it is complete, in memory while it is small and then in a temporary file: bad input must not
 * leave half-printed output.
 */
export function createSpool() {
  // Bytes, not strings: megabytes of short-lived text would grow the heap far beyond what is kept.
  const chunk = Buffer.allocUnsafe(CHUNK_SIZE)
  let filled = 0
  let overflow: { folder: string; file: FileHandle; path: string } | undefined

  const openOverflow = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'benchmaker-'))
    const path = join(folder, 'partial-score.json')
    return { folder, path, file: await open(path, 'wx', 0o600) }
  }
  const spill = async (bytes: Buffer): Promise<void> => {
    overflow ??= await openOverflow()
    await overflow.file.appendFile(bytes)
  }

  return {
    async write(text: string): Promise<void> {
      // A UTF-16 unit is at most three bytes of UTF-8.
      if (filled + text.length * 3 > CHUNK_SIZE) {
        await spill(chunk.subarray(0, filled))
        filled = 0
      }
      if (text.length * 3 > CHUNK_SIZE) await spill(Buffer.from(text))
      else filled += chunk.write(text, filled)
    },
    async copyTo(sink: TextSink): Promise<void> {
      if (overflow)
        for await (const part of createReadStream(overflow.path, { encoding: 'utf8' })) await send(sink, String(part))
      await send(sink, chunk.toString('utf8', 0, filled))
    },
    async remove(): Promise<void> {
      if (!overflow) return
      await overflow.file.close()
      await rm(overflow.folder, { recursive: true, force: true })
    },
  }
}

async function send(sink: TextSink, text: string): Promise<void> {
  if (printDocument(text, { stdout: sink }) !== false || !sink.once) return
  await new Promise<void>((resolve) => {
    sink.once!('drain', resolve)
  })
}
