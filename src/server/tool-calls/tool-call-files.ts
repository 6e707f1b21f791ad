import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { InputError } from '../../contract/index.ts'
import { recogniseFile, type RecognisedFile } from '../../import/tool-results/index.ts'
import { notFound, Refusal } from '../http/refusal.ts'

const aboutSchema = z.object({
  id: z.string(),
  name: z.string(),
  format: z.string(),
  size: z.number(),
  addedAt: z.number(),
  salvage: z.boolean(),
})

/** What is stored about an uploaded file. */
export type AboutFile = z.output<typeof aboutSchema>

/** The folder of one upload: the original file, its possible answers and questions if any, and the scored results. */
export interface UploadFolder {
  about: AboutFile
  path: string
  results: string
  /** BFCL keeps the expected calls in a separate file. */
  answers: string
  questions: string
}

export interface Upload {
  name: string
  pieces: AsyncIterable<Uint8Array>
  /** Accept the complete records of a file that is cut off. */
  salvage: boolean
}

const ID = /^[0-9a-f]{24}$/
const UNFINISHED = '.new'
const MAX_NAME_LENGTH = 200

function folderAt(path: string, about: AboutFile): UploadFolder {
  return {
    about,
    path,
    results: join(path, 'results.json'),
    answers: join(path, 'answers.json'),
    questions: join(path, 'questions.json'),
  }
}

/** Only the last part of a path, without control characters. */
function cleanName(name: string): string {
  const last = basename(name.replaceAll('\\', '/'))
  return (
    last
      .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
      .slice(0, MAX_NAME_LENGTH)
      .toWellFormed() || 'results.json'
  )
}

/** Rewords a reader's error for the web app: with the uploaded name and without command-line options. */
export function rewordProblem(error: unknown, path: string, name: string): unknown {
  if (!(error instanceof InputError)) return error
  const message = error.message
    .replaceAll(path, name)
    .replace(/; give the possible-answer file as well/, '; add its possible-answer file too')
    .replace(/--salvage takes/, 'you can still use')
  return new Refusal(422, 'not-results', message)
}

/** Uploaded results files, each in its own folder in the data folder. */
export function createToolCallFiles({ dataFolder, now }: { dataFolder: string; now(): number }) {
  const root = join(dataFolder, 'tool-calls')

  const write = async (path: string, pieces: AsyncIterable<Uint8Array>): Promise<number> => {
    const file = await open(path, 'wx', 0o600)
    try {
      let size = 0
      for await (const piece of pieces) {
        await file.appendFile(piece)
        size += piece.byteLength
      }
      return size
    } finally {
      await file.close()
    }
  }

  /** Removes what uploads left behind when their process died. */
  const removeUnfinished = async (): Promise<void> => {
    for (const name of await readdir(root)) {
      if (!name.endsWith(UNFINISHED)) continue
      const path = join(root, name)
      const started = await stat(path).catch(() => undefined)
      if (started && now() - started.mtimeMs > 3600_000) await rm(path, { recursive: true, force: true })
    }
  }

  return {
    /** Keeps the file only if `accept` does not throw. */
    async add(
      { name, pieces, salvage }: Upload,
      accept: (folder: UploadFolder, file: RecognisedFile) => Promise<void>,
    ): Promise<UploadFolder> {
      await mkdir(root, { recursive: true, mode: 0o700 })
      await removeUnfinished()
      const id = randomBytes(12).toString('hex')
      const path = join(root, `${id}${UNFINISHED}`)
      await mkdir(path, { mode: 0o700 })
      const about: AboutFile = { id, name: cleanName(name), format: '', size: 0, addedAt: now(), salvage }
      const folder = folderAt(path, about)
      try {
        about.size = await write(folder.results, pieces)
        const file = await recogniseFile(folder.results, { salvage })
        if (typeof file.kind === 'string')
          throw new InputError(
            `${folder.results} contains BFCL ${file.kind === 'bfcl-answers' ? 'possible answers' : 'questions'}, not results; add the model’s results first, then the possible answers`,
          )
        about.format = file.kind.name
        await accept(folder, file)
        await writeFile(join(path, 'about.json'), JSON.stringify(about))
        await rename(path, join(root, id))
        return folderAt(join(root, id), about)
      } catch (error) {
        await rm(path, { recursive: true, force: true })
        throw rewordProblem(error, folder.results, about.name)
      }
    },

    /** Adds the possible answers or the questions to a BFCL file; `accept` discards what was scored without them. */
    async addAnswers(folder: UploadFolder, { name, pieces }: Upload, accept: () => Promise<void>): Promise<void> {
      if (folder.about.format !== 'bfcl')
        throw new Refusal(
          422,
          'not-bfcl',
          `${folder.about.name} already contains the expected calls; only BFCL results have them in a separate file.`,
        )
      const path = `${folder.answers}.${randomBytes(4).toString('hex')}${UNFINISHED}`
      try {
        await write(path, pieces)
        const { kind } = await recogniseFile(path)
        if (typeof kind !== 'string')
          throw new InputError(`${path} contains no BFCL possible answers: records with id and ground_truth`)
        await rename(path, kind === 'bfcl-answers' ? folder.answers : folder.questions)
        await accept()
      } catch (error) {
        throw rewordProblem(error, path, cleanName(name))
      } finally {
        await rm(path, { force: true })
      }
    },

    async find(id: string): Promise<UploadFolder> {
      // Checked first, so that an id can never be used as a path.
      const about = ID.test(id) ? await readAbout(join(root, id), aboutSchema) : undefined
      if (!about) throw notFound('The results file')
      return folderAt(join(root, id), about)
    },

    /** Newest first. */
    async list(): Promise<AboutFile[]> {
      const names = await readdir(root).catch(() => [])
      const listed: AboutFile[] = []
      for (const name of names) {
        const about = ID.test(name) ? await readAbout(join(root, name), aboutSchema) : undefined
        if (about) listed.push(about)
      }
      return listed.toSorted((a, b) => b.addedAt - a.addedAt || (a.id < b.id ? -1 : 1))
    },

    async remove(id: string): Promise<void> {
      const { path } = await this.find(id)
      await rm(path, { recursive: true, force: true })
    },
  }
}

/** What is stored about something that was uploaded; undefined if there is no such folder, or it cannot be read. */
export async function readAbout<About>(folder: string, schema: z.ZodType<About>): Promise<About | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(join(folder, 'about.json'), 'utf8')))
  } catch {
    return undefined
  }
}

export function streamFile(path: string): ReadableStream {
  const chunks = createReadStream(path, { highWaterMark: 1 << 18 }).iterator()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}
