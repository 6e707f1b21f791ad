import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { InputError, isJsonObject } from '../../contract/index.ts'
import { withSubagents, type Trajectory } from '../../scoring/tool-calls/index.ts'
import { explainReadError } from '../text/source-text.ts'
import { isCompactionFile, isSubagentFile } from './formats/claude-code.ts'
import type { TrajectorySource } from './reader.ts'
import { joinTraced, type Traced } from './join-traces.ts'
import { trajectoryReaders } from './readers.ts'
import {
  joinContents,
  listNames,
  readContent,
  readSmallText,
  SAMPLE_LINES,
  unpackFiles,
  type Content,
} from './source.ts'
import { field } from '../tool-results/formats/fields.ts'

/** Finds names in a path. */
interface TaskPattern {
  expression: RegExp
}

const placeholder = /\\\{(task|trial|model)\\\}|\\\*\\\*|\\\*/g

/**
 * Reads a pattern for the paths of files: `{model}/{task}-{trial}.json`, where `*` is anything in a name, or a regular
 * expression with a group, or with groups named task, trial and model.
 */
function parseTaskPattern(pattern: string): TaskPattern {
  if (/\{(task|trial|model)\}/.test(pattern)) {
    const escaped = pattern.replaceAll(/[.+?^${}()|[\]\\*]/g, String.raw`\$&`)
    const used = new Set<string>()
    const source = escaped.replaceAll(placeholder, (found, name: string | undefined) => {
      if (name === undefined) return found === String.raw`\*\*` ? '.*' : '[^/]*'
      if (used.has(name)) throw new InputError(`--task-from ${pattern}: {${name}} is there twice`)
      used.add(name)
      return name === 'trial' ? String.raw`(?<trial>\d+)` : `(?<${name}>[^/]+)`
    })
    if (!used.has('task')) throw new InputError(`--task-from ${pattern}: says nowhere which part is the {task}`)
    return { expression: new RegExp(`(?:^|/)${source}$`) }
  }
  try {
    return { expression: new RegExp(pattern) }
  } catch (error) {
    throw new InputError(
      `--task-from ${pattern}: is neither a path with {task} nor a regular expression; try {model}/{task}.json`,
      { cause: error },
    )
  }
}

/** Names the trajectory after its path; it stays as it is if the pattern does not fit. */
function applyTaskPattern(trajectory: Trajectory, { expression }: TaskPattern): Trajectory {
  const found = expression.exec(trajectory.file.replaceAll('\\', '/'))
  if (!found) return trajectory
  const { task, trial, model } = found.groups ?? {}
  const named = task ?? found[1] ?? found[0]
  return {
    ...trajectory,
    task: named,
    ...(trial !== undefined && { trial: Number(trial) }),
    ...(model !== undefined && { model }),
  }
}

/** `$.metadata.task_id` points at a field of a file. */
const isFieldPath = (text: string): boolean => /^\$\.\S/.test(text)

/** What a field says of each of the file’s trajectories: of its own record, or of the only one the first record that has it. */
function readFieldOf(records: Iterable<unknown>, path: string, count: number): (string | undefined)[] {
  const names = path.slice(2).split('.')
  const found: (string | undefined)[] = []
  for (const record of eachRecord(records)) {
    const value = names.reduce<unknown>((holder, name) => field(holder, name), record)
    const said =
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
    if (count === 1) {
      if (said !== undefined) return [said]
    } else found.push(said)
  }
  // With another number of records nobody can say which belongs to which.
  return found.length === count ? found : Array.from({ length: count }, () => undefined)
}

/** The records of a file: its lines, the items of a list, or those of the list that a document holds. */
function* eachRecord(records: Iterable<unknown>): Generator<unknown> {
  for (const record of records) {
    if (Array.isArray(record)) yield* record
    else {
      const lists = isJsonObject(record)
        ? ['simulations', 'samples', 'evalCaseResults', 'runs'].map((name) => record[name])
        : []
      const list = lists.find(Array.isArray)
      if (list) yield* list
      else yield record
    }
  }
}

const MOST_FIELDS = 60
const LONGEST_VALUE = 80

/** Fields that could name a task or a model, with a value by example. */
function listFields(sample: readonly unknown[]): { path: string; example: string }[] {
  const found = new Map<string, string>()
  const visit = (value: unknown, path: string, depth: number): void => {
    if (found.size >= MOST_FIELDS || depth > 4) return
    if (isJsonObject(value)) {
      for (const [name, inside] of Object.entries(value))
        if (!name.includes('.') && !/\s/.test(name)) visit(inside, `${path}.${name}`, depth + 1)
      return
    }
    const isShort =
      (typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE) || typeof value === 'number'
    if (isShort && path !== '$' && !found.has(path)) found.set(path, String(value))
  }
  for (const record of eachRecord(sample)) visit(record, '$', 0)
  return [...found].map(([path, example]) => ({ path, example }))
}

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
  const listed = new Map<string, Found>()
  for (const source of sources)
    for await (const found of findFiles(source, options.root, unpacked)) {
      const path = resolve(found.path)
      if (!listed.has(path) && !(found.isInFolder && isCompactionFile(path))) listed.set(path, found)
    }
  const traced: Traced<Found>[] = []
  const deferred: Found[] = []
  for (const found of listed.values()) {
    // Sub-agents are read with the session that started them.
    if (found.isInFolder && isSubagentFile(found.path)) deferred.push(found)
    else {
      const traces = listed.size > 1 ? await reading.listTraces(found) : undefined
      if (traces) traced.push({ file: found, traces })
      else yield* readFound([found], reading, naming)
    }
  }
  for (const parts of joinTraced(traced)) yield* readFound(parts, reading, naming)
  for (const found of deferred) if (!reading.isRead(found.path)) yield* readFound([found], reading, naming)
}

interface Found {
  path: string
  file: string
  isInFolder: boolean
}

/** Reads a file, or several that are one. */
async function* readFound(
  parts: readonly Found[],
  reading: ReturnType<typeof createReading>,
  { pattern, taskFrom, model, onSkipped, onFile }: ReadTrajectoriesOptions & { pattern: TaskPattern | undefined },
): AsyncGenerator<Trajectory> {
  const [found] = parts
  if (!found || (found.isInFolder && reading.isRead(found.path))) return
  const read = await leaveOutDamaged(found, reading.readParts(parts))
  if (!read) {
    if (!found.isInFolder) throw new InputError(unknownFileProblem(found.file))
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

/** A damaged file among others is left out and named, as one that holds no run. */
function leaveOutDamaged<T>({ isInFolder }: Found, reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (isInFolder && error instanceof InputError) return undefined
    throw error
  })
}

/** Reads files, and those that they refer to. */
function createReading() {
  const related = new Set<string>()
  const reading = {
    /** True for a file that another one referred to: it is part of that. */
    isRead: (path: string) => related.has(resolve(path)),
    /** The traces in a file of a kind that may have one in several files; the others are read at once. */
    async listTraces(found: Found): Promise<ReadonlySet<string> | undefined> {
      const opened = await leaveOutDamaged(found, openRecorded(found))
      return opened?.reader.listTraces && new Set(opened.reader.listTraces(opened.content.records()))
    },
    async readParts(parts: readonly Pick<Found, 'path' | 'file'>[]) {
      const opened = (await Promise.all(parts.map(openRecorded))).filter((part) => part !== undefined)
      const [first] = opened
      if (!first) return undefined
      const { path, file } = parts[0]!
      const content = joinContents(opened.map((part) => part.content))
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
          const name = join(folder, relative(join(path, '..'), other))
          return (await reading.readParts([{ path: other, file: name }]))?.trajectories
        },
      }
      const trajectories = await first.reader.read(source)
      noteBadLines(trajectories, content.badLines())
      return { trajectories, content }
    },
  }
  return reading
}

/** The content of a file with the reader that knows it. */
async function openRecorded({ path, file }: Pick<Found, 'path' | 'file'>) {
  const found = await readContent(path, file)
  if (!found) return undefined
  const whole = chooseReader(found, file)
  const content = whole ? found : listItems(found)
  const reader = whole ?? (content && chooseReader(content, file))
  return content && reader && { content, reader }
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
    trajectories.flatMap(({ file, subagents }) => subagents.filter((agent) => agent.file !== file).map(nameTrajectory)),
  )
  const own = trajectories.filter((trajectory) => !nested.has(nameTrajectory(trajectory)))
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

const nameTrajectory = ({ file, id }: Trajectory): string => `${file} ${id ?? ''}`

function unknownFileProblem(file: string): string {
  const looked = trajectoryReaders.map(({ looksLike }) => `  ${looksLike}`).join('\n')
  return `${file}: none of the known formats of recorded agents\nLooked for:\n${looked}`
}
