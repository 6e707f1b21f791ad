import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { InputError } from '../../contract/index.ts'
import { withSubagents, type Trajectory } from '../../scoring/tool-calls/index.ts'
import { explainReadError } from '../text/source-text.ts'
import { isCompactionFile, isSubagentFile } from './formats/claude-code.ts'
import { isFieldPath, listFields, readFieldOf } from './field-names.ts'
import type { TrajectorySource } from './reader.ts'
import { trajectoryReaders } from './readers.ts'
import { listNames, readContent, readSmallText, SAMPLE_LINES, unpackFiles, type Content } from './source.ts'
import { applyTaskPattern, parseTaskPattern, type TaskPattern } from './task-pattern.ts'

export interface ReadTrajectoriesOptions {
  /**
   * Where the path of a file names its task, trial and model: `{model}/{task}-{trial}.json`, or a pattern with a group; or the
   * field of the file that names the task: `$.metadata.task_id`.
   */
  taskFrom?: string | undefined
  /** The model of trajectories that do not name theirs, or the field that names it for all: `$.config.model`. */
  model?: string | undefined
  /** Files are named from here on, not from where the program runs. */
  root?: string | undefined
  /** Is told of each file in a folder that holds no trajectory. */
  onSkipped?(file: string): void
  /** Is told of each file that holds some, with its fields that could name their task or model. */
  onFile?(found: { file: string; fields: () => { path: string; example: string }[] }): void
}

/** Reads recorded runs of agents: a file, a folder with everything below it, or several of both. */
export async function readTrajectories(
  source: string | readonly string[],
  options: ReadTrajectoriesOptions = {},
): Promise<Trajectory[]> {
  const found: Trajectory[] = []
  const unpacked: string[] = []
  try {
    for await (const trajectory of eachTrajectory([source].flat(), options, unpacked)) found.push(trajectory)
  } finally {
    for (const folder of unpacked) await rm(folder, { recursive: true, force: true })
  }
  return nestAgents(found)
}

/** Reads file by file, so that memory holds one file's trajectories at a time. */
async function* eachTrajectory(
  sources: readonly string[],
  options: ReadTrajectoriesOptions,
  unpacked: string[],
): AsyncGenerator<Trajectory> {
  const reading = createReading()
  const naming = {
    ...options,
    pattern:
      options.taskFrom === undefined || isFieldPath(options.taskFrom) ? undefined : parseTaskPattern(options.taskFrom),
  }
  const listed = new Set<string>()
  const deferred: Found[] = []
  for (const source of sources) {
    for await (const found of findFiles(source, options.root, unpacked)) {
      const path = resolve(found.path)
      if (listed.has(path)) continue
      listed.add(path)
      if (found.isInFolder && isCompactionFile(path)) continue
      // Sub-agents are read with the session that started them.
      if (found.isInFolder && isSubagentFile(path)) deferred.push(found)
      else yield* readFound(found, reading, naming)
    }
  }
  for (const found of deferred) if (!reading.isRead(found.path)) yield* readFound(found, reading, naming)
}

interface Found {
  path: string
  file: string
  isInFolder: boolean
}

async function* readFound(
  found: Found,
  reading: ReturnType<typeof createReading>,
  { pattern, taskFrom, model, onSkipped, onFile }: ReadTrajectoriesOptions & { pattern: TaskPattern | undefined },
): AsyncGenerator<Trajectory> {
  if (found.isInFolder && reading.isRead(found.path)) return
  const read = await reading.readWithContent(found.path, found.file).catch((error: unknown) => {
    // A damaged file among others is left out and named, as one that holds no run.
    if (found.isInFolder && error instanceof InputError) return undefined
    throw error
  })
  if (!read) {
    if (!found.isInFolder) throw new InputError(describeUnknown(found.file))
    onSkipped?.(found.file)
    return
  }
  const { trajectories, content } = read
  onFile?.({ file: found.file, fields: () => listFields(content.sample) })
  const pointed = (path: string | undefined) =>
    path !== undefined && isFieldPath(path) ? readFieldOf(content.records(), path, trajectories.length) : undefined
  const [tasks, models] = [pointed(taskFrom), pointed(model)]
  for (const [index, trajectory] of trajectories.entries()) {
    const named = pattern ? applyTaskPattern(trajectory, pattern) : trajectory
    const ownModel = models ? models[index] : named.model === null ? model : undefined
    yield {
      ...named,
      ...(tasks?.[index] !== undefined && { task: tasks[index] }),
      ...(ownModel !== undefined && { model: ownModel }),
    }
  }
}

/** Reads files, and those that they refer to. */
function createReading() {
  const related = new Set<string>()
  const reading = {
    /** True for a file that another one referred to: it is part of that. */
    isRead: (path: string) => related.has(resolve(path)),
    async read(path: string, file: string): Promise<Trajectory[] | undefined> {
      return (await reading.readWithContent(path, file))?.trajectories
    },
    async readWithContent(path: string, file: string) {
      const found = await readContent(path, file)
      if (!found) return undefined
      const whole = chooseReader(found, file)
      const content = whole ? found : listItems(found)
      const reader = whole ?? (content && chooseReader(content, file))
      if (!content || !reader) return undefined
      const folder = file.slice(0, file.length - basename(file).length)
      const source: TrajectorySource = {
        ...content,
        path,
        file,
        readText: readSmallText,
        listFolder: listNames,
        async readRelated(other) {
          const known = await stat(other).catch(() => undefined)
          if (!known?.isFile() || related.has(resolve(other))) return undefined
          related.add(resolve(other))
          return reading.read(other, join(folder, relative(join(path, '..'), other)))
        },
      }
      const trajectories = await reader.read(source)
      noteBadLines(trajectories, content.badLines())
      return { trajectories, content }
    },
  }
  return reading
}

const chooseReader = ({ sample }: Content, file: string) =>
  trajectoryReaders.find(({ recognises }) => recognises(sample, file))

/** The items of a file that is one list of documents, each of which could be a file of its own. */
function listItems(content: Content): Content | undefined {
  const [list] = content.sample
  if (content.isLines || !Array.isArray(list) || list.length === 0) return undefined
  return { ...content, sample: list.slice(0, SAMPLE_LINES), records: () => list }
}

const BAD_LINE = 'a line that is not JSON'

/** For formats that do not do so themselves. A file can end in a cut line. */
function noteBadLines([first]: readonly Trajectory[], count: number): void {
  if (first && count > 0) first.unknown[BAD_LINE] ??= count
}

const ENDINGS = /\.(?:(?:jsonl?|ndjson|traj|eval)(?:\.gz)?|zip)$/i

/** `unpacked` gets the folders that archives were unpacked into: whoever reads them removes them. */
async function* findFiles(source: string, root: string | undefined, unpacked: string[]): AsyncGenerator<Found> {
  let isFolder: boolean
  try {
    isFolder = (await stat(source)).isDirectory()
  } catch (error) {
    throw new InputError(`${source}: ${explainReadError(error)}`, { cause: error })
  }
  if (isFolder) for (const path of await listFiles(source)) yield* openFile(path, true)
  else yield* openFile(source, false)

  async function* openFile(path: string, isInFolder: boolean): AsyncGenerator<Found> {
    const file = isInFolder && root !== undefined ? relative(root, path) : path
    const folder = await unpackFiles(path, unpacked).catch((error: unknown) => {
      if (isInFolder && error instanceof InputError) return undefined
      throw error
    })
    if (folder === undefined) {
      yield { path, file, isInFolder }
      return
    }
    for (const inner of await listFiles(folder))
      yield { path: inner, file: join(file, relative(folder, inner)), isInFolder: true }
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  return names
    .filter((entry) => entry.isFile() && ENDINGS.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

/** Puts agents that are in the same selection below the one that started them. */
function nestAgents(trajectories: readonly Trajectory[]): Trajectory[] {
  // One inside the file of its parent may have its parent's id, and is never read on its own.
  const nested = new Set(
    trajectories.flatMap(({ file, subagents }) => subagents.filter((agent) => agent.file !== file).map(keyOf)),
  )
  const own = trajectories.filter((trajectory) => !nested.has(keyOf(trajectory)))
  const byId = new Map(
    own.flatMap(withSubagents).map((trajectory) => [`${trajectory.format} ${trajectory.id}`, trajectory]),
  )
  const starterOf = ({ format, startedBy }: Trajectory) =>
    startedBy === undefined ? undefined : byId.get(`${format} ${startedBy}`)
  const isStarted = (trajectory: Trajectory): boolean => {
    const seen = new Set<Trajectory>()
    for (let at: Trajectory | undefined = trajectory; at; at = starterOf(at)) {
      // Runs that started each other: none is above the other.
      if (seen.has(at)) return false
      seen.add(at)
    }
    return seen.size > 1
  }
  const started = own.filter(isStarted)
  for (const trajectory of started) starterOf(trajectory)!.subagents.push(trajectory)
  return own.filter((trajectory) => !started.includes(trajectory))
}

const keyOf = ({ file, id }: Trajectory): string => `${file} ${id ?? ''}`

function describeUnknown(file: string): string {
  const looked = trajectoryReaders.map(({ looksLike }) => looksLike).join('; ')
  return `${file}: none of the known formats of recorded agents. Looked for: ${looked}`
}
