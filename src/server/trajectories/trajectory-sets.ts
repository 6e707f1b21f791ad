import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { notFound, Refusal } from '../http/refusal.ts'
import { readAbout } from '../tool-calls/tool-call-files.ts'

const choicesSchema = z.object({
  taskFrom: z.string().max(1000).optional(),
  model: z.string().max(300).optional(),
  credit: z.string().max(40).default('effects'),
})

/** How the files of a set are read and graded. */
export type SetChoices = z.output<typeof choicesSchema>

export { choicesSchema }

const aboutSchema = z.object({
  id: z.string(),
  name: z.string(),
  addedAt: z.number(),
  choices: choicesSchema,
  /** The name of the file with what each task expects. */
  keyName: z.string().optional(),
  trajectories: z.number(),
  models: z.array(z.string()),
  formats: z.array(z.string()),
})

/** What is stored about recorded runs that were added together. */
export type AboutSet = z.output<typeof aboutSchema>

export interface TrajectorySet {
  about: AboutSet
  path: string
  /** The files as they were added. */
  files: string
  key: string
  /** What was read from them. */
  read: string
}

const ID = /^[0-9a-f]{24}$/
const MAX_FILES = 5000
const MAX_PART = 120

/** The path below the folder of the set: without the way out of it, and without characters that no name has. */
function cleanPath(path: string): string[] {
  const parts = path
    .replaceAll('\\', '/')
    .split('/')
    .map((part) => part.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '').toWellFormed())
    .filter((part) => part !== '' && part !== '.' && part !== '..')
  if (parts.length === 0 || parts.length > 30 || parts.some((part) => Buffer.byteLength(part) > 2 * MAX_PART))
    throw new Refusal(400, 'bad-path', 'The file has no usable name.')
  return parts
}

/** Recorded runs of agents, each set in a folder of its own in the data folder: files as they are, and what was read. */
export function createTrajectorySets({ dataFolder, now }: { dataFolder: string; now(): number }) {
  const root = join(dataFolder, 'trajectories')
  const setAt = (about: AboutSet): TrajectorySet => {
    const path = join(root, about.id)
    return { about, path, files: join(path, 'files'), key: join(path, 'key.yaml'), read: join(path, 'read') }
  }
  const save = (set: TrajectorySet) =>
    writeFile(join(set.path, 'about.json'), JSON.stringify(set.about), { mode: 0o600 })

  return {
    async create(name: string): Promise<TrajectorySet> {
      const id = randomBytes(12).toString('hex')
      const set = setAt({
        id,
        name: name.slice(0, 200).toWellFormed(),
        addedAt: now(),
        choices: { credit: 'effects' },
        trajectories: 0,
        models: [],
        formats: [],
      })
      await mkdir(set.files, { recursive: true, mode: 0o700 })
      await save(set)
      return set
    },

    async addFile({ files }: TrajectorySet, path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
      const target = join(files, ...cleanPath(path))
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      const names = await readdir(files, { recursive: true })
      if (names.length >= MAX_FILES)
        throw new Refusal(413, 'too-many-files', `At most ${MAX_FILES} files can be added together.`)
      const file = await open(target, 'w', 0o600)
      try {
        for await (const piece of pieces) await file.appendFile(piece)
      } finally {
        await file.close()
      }
    },

    async setKey(set: TrajectorySet, key: { name: string; text: string } | undefined): Promise<void> {
      const { keyName: _keyName, ...about } = set.about
      if (key) await writeFile(set.key, key.text, { mode: 0o600 })
      else await rm(set.key, { force: true })
      set.about = { ...about, ...(key && { keyName: key.name.slice(0, 200).toWellFormed() }) }
      await save(set)
    },

    async change(set: TrajectorySet, changes: Partial<AboutSet>): Promise<void> {
      set.about = { ...set.about, ...changes }
      await save(set)
    },

    async find(id: string): Promise<TrajectorySet> {
      // Checked first, so that an id can never be used as a path.
      const about = ID.test(id) ? await readAbout(join(root, id), aboutSchema) : undefined
      if (!about) throw notFound('The recorded runs')
      return setAt(about)
    },

    /** Newest first, without those that never got a trajectory. */
    async list(): Promise<AboutSet[]> {
      const names = await readdir(root).catch(() => [])
      const listed = await Promise.all(
        names.filter((name) => ID.test(name)).map((name) => readAbout(join(root, name), aboutSchema)),
      )
      return listed
        .filter((about) => about !== undefined && about.trajectories > 0)
        .toSorted((a, b) => b!.addedAt - a!.addedAt)
        .flatMap((about) => about ?? [])
    },

    async remove(id: string): Promise<void> {
      const { path } = await this.find(id)
      await rm(path, { recursive: true, force: true })
    },
  }
}
