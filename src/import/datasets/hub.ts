import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { countNoun, formatBytes, InputError, messageOf, tryParseJson, type Suite } from '../../contract/index.ts'
import { openParquetBuffer } from '../results/formats/parquet-rows.ts'
import { readImportLimits } from '../results/import-budget.ts'
import { makeParquetTable, readParquetRows } from './rows/parquet-table.ts'
import { parseHubAddress, type HubAddress } from './hub-address.ts'
import { makeTaskRecipe, parseHubTasks, type HubTask } from './hub-task.ts'
import type { Recipe } from './recipe.ts'
import type { RowTable } from './rows/row.ts'
import type { RawRow } from './rows/unwrap.ts'

const PUBLIC_HUB = 'https://huggingface.co'
const TIMEOUT_MS = 120_000
/** Every range repeats the redirect, so smaller files are fetched whole, and kept. */
const WHOLE_BYTES = 64 * 1024 ** 2
/** More rows than these must be asked for. */
const MOST_ROWS = 50_000

interface HubOptions {
  /** The columns are read by it, whatever the dataset's own task says. */
  recipe?: string | undefined
  map?: unknown
  /** Files that were fetched are kept below it. */
  dataFolder?: string | undefined
  /** Read at most so many rows. */
  mostRows?: number | undefined
  env?: NodeJS.ProcessEnv
}

const listSchema = z.record(z.string(), z.record(z.string(), z.array(z.string())))
type FileList = z.output<typeof listSchema>

function explainStatus(address: string, { name }: HubAddress, status: number, hasToken: boolean): string {
  const token = hasToken ? 'the token in HF_TOKEN may not read it' : 'set HF_TOKEN if it is private'
  switch (status) {
    case 401:
      return `${address}: the hub asks who you are: there is no dataset ${name}, or ${token}`
    case 403:
      return `${address}: access is refused; accept its terms on its page, and ${hasToken ? 'check HF_TOKEN' : 'set HF_TOKEN'}`
    case 404:
      return `${address}: there is no dataset ${name} on the hub; ${token}`
    default:
      return `${address}: the hub answered ${status}; try again later`
  }
}

interface Hub {
  get(path: string, init?: RequestInit): Promise<Response>
  hasToken: boolean
}

function openHub(env: NodeJS.ProcessEnv, address: string): Hub {
  const endpoint = (env['HF_ENDPOINT'] ?? '').trim() || PUBLIC_HUB
  if (!/^https?:\/\//.test(endpoint)) throw new InputError(`HF_ENDPOINT is ${endpoint}; it must begin with https://`)
  const token = env['HF_TOKEN']?.trim()
  return {
    hasToken: Boolean(token),
    async get(path, init = {}) {
      // The token is for the endpoint alone: fetch drops it when it is sent elsewhere.
      const headers = { ...init.headers, ...(token && { Authorization: `Bearer ${token}` }) }
      try {
        return await fetch(`${endpoint.replace(/\/+$/, '')}${path}`, {
          ...init,
          headers,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
      } catch (error) {
        const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
        throw new InputError(`${address}: the hub at ${endpoint} cannot be reached: ${messageOf(cause)}`, {
          cause: error,
        })
      }
    },
  }
}

function pathOf(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/')
}

async function listFiles(hub: Hub, asked: HubAddress, address: string): Promise<FileList> {
  const response = await hub.get(`/api/datasets/${pathOf(asked.name)}/parquet`)
  if (!response.ok) throw new InputError(explainStatus(address, asked, response.status, hub.hasToken))
  const parsed = listSchema.safeParse(tryParseJson(await response.text()))
  if (!parsed.success) throw new InputError(`${address}: the hub's list of its files cannot be read`)
  if (Object.values(parsed.data).every((splits) => Object.values(splits).every((files) => files.length === 0)))
    throw new InputError(
      `${address}: the hub has no Parquet files of it; download one of its files and import that: benchmaker import FILE`,
    )
  return parsed.data
}

function choose(
  names: readonly string[],
  asked: string | undefined,
  {
    what,
    usual,
    write,
    address,
  }: { what: string; usual: readonly string[]; write: (name: string) => string; address: string },
): string {
  if (asked !== undefined) {
    if (names.includes(asked)) return asked
    throw new InputError(`${address}: has no ${what} ${asked}; there are ${names.join(', ')}`)
  }
  const found = names.length === 1 ? names[0] : usual.find((name) => names.includes(name))
  if (found !== undefined) return found
  throw new InputError(
    `${address}: has several ${what}s: ${names.slice(0, 60).join(', ')}. Choose one: ${write(names[0]!)}`,
  )
}

/** The task of its `eval.yaml` that is asked for: by name, or the only one. With a split of one's own, none. */
async function findTask(hub: Hub, { name, config, split }: HubAddress, address: string): Promise<HubTask | undefined> {
  if (split !== undefined) return undefined
  const response = await hub.get(`/datasets/${pathOf(name)}/resolve/main/eval.yaml`)
  const tasks = response.ok ? (parseHubTasks(await response.text()) ?? []) : []
  if (config !== undefined) return tasks.find(({ id }) => id === config)
  if (tasks.length < 2) return tasks[0]
  const ids = tasks.flatMap(({ id }) => id ?? [])
  throw new InputError(
    `${address}: has several tasks: ${ids.join(', ')}. Choose one: hf://datasets/${name}/${ids[0] ?? 'TASK'}`,
  )
}

function chooseFiles(list: FileList, { name, config, split }: HubAddress, address: string) {
  const base = `hf://datasets/${name}`
  const ownConfig = choose(Object.keys(list), config, {
    what: 'config',
    usual: ['default', 'main', 'all'],
    write: (one) => `${base}/${one}${split === undefined ? '' : `@${split}`}`,
    address,
  })
  const splits = list[ownConfig]!
  const ownSplit = choose(Object.keys(splits), split, {
    what: 'split',
    usual: ['test'],
    write: (one) => `${base}/${ownConfig}@${one}`,
    address,
  })
  return { config: ownConfig, split: ownSplit, urls: splits[ownSplit]! }
}

interface RemoteFile {
  path: string
  size: number
  etag: string
}

/** What answers HEAD; a server that knows only GET, as a signed address does, is asked for the first bytes. */
async function peek(hub: Hub, path: string): Promise<Response> {
  const head = await hub.get(path, { method: 'HEAD' })
  if (head.ok || (!head.redirected && (head.status === 401 || head.status === 403))) return head
  const start = await hub.get(path, { headers: { Range: 'bytes=0-3' } })
  await start.body?.cancel()
  return start
}

function contentLength({ headers }: Response): number {
  const whole = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
  return Number(whole ?? headers.get('x-linked-size') ?? headers.get('content-length') ?? Number.NaN)
}

/** The lists hold addresses of the public hub; the same paths are asked for at the endpoint, or those of its branch. */
async function findFile(hub: Hub, paths: readonly string[]): Promise<RemoteFile | number> {
  let status = 404
  for (const path of paths) {
    const response = await peek(hub, path)
    if (response.ok)
      return {
        path,
        size: contentLength(response),
        etag: response.headers.get('x-linked-etag') ?? response.headers.get('etag') ?? '',
      }
    status = response.status
    if (status !== 404) break
  }
  return status
}

const MOST_TRIES = 3

async function fetchBytes(hub: Hub, path: string, address: string, range?: [number, number]): Promise<ArrayBuffer> {
  for (let tries = 1; ; tries++) {
    const response = await hub.get(path, range ? { headers: { Range: `bytes=${range[0]}-${range[1] - 1}` } } : {})
    if (!response.ok)
      throw new InputError(`${address}: the hub answered ${response.status} for ${path}; try again later`)
    try {
      const bytes = await response.arrayBuffer()
      // A server without ranges sends the whole file.
      return range && response.status === 200 ? bytes.slice(...range) : bytes
    } catch (error) {
      if (tries === MOST_TRIES)
        throw new InputError(`${address}: the connection to the hub was lost (${messageOf(error)}); try again`, {
          cause: error,
        })
    }
  }
}

const DAY_MS = 24 * 3600 * 1000

/** A file of an unknown version is no longer good after a day. */
const isKept = (path: string, hasVersion: boolean) =>
  stat(path).then(
    (found) => found.isFile() && (hasVersion || Date.now() - found.mtimeMs < DAY_MS),
    () => false,
  )

function bufferOf(bytes: ArrayBuffer) {
  return { byteLength: bytes.byteLength, slice: (start: number, end?: number) => bytes.slice(start, end) }
}

async function openRemote(hub: Hub, file: RemoteFile, address: string, folder: string | undefined) {
  if (file.size > WHOLE_BYTES)
    return {
      byteLength: file.size,
      slice: (start: number, end: number = file.size) => fetchBytes(hub, file.path, address, [start, end]),
    }
  const version = createHash('sha256').update(`${file.path}\n${file.etag}\n${file.size}`).digest('hex').slice(0, 16)
  const kept = folder === undefined ? undefined : join(folder, `${version}.parquet`)
  if (kept !== undefined && (await isKept(kept, file.etag !== ''))) {
    const bytes = await readFile(kept)
    return bufferOf(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  }
  const bytes = await fetchBytes(hub, file.path, address)
  if (kept !== undefined) {
    await mkdir(folder!, { recursive: true })
    await writeFile(`${kept}.part`, Buffer.from(bytes))
    await rename(`${kept}.part`, kept)
  }
  return bufferOf(bytes)
}

interface HubDataset {
  table: RowTable | undefined
  /** For the suite: the dataset with its config, when it has several, and its split. */
  name: string
  warnings: string[]
  /** If the dataset is a benchmark that says how it is read. */
  own?: Recipe | undefined
  benchmark?: Suite['benchmark']
}

/** Reads a split of a dataset on the hub from its Parquet files. */
export async function readHubDataset(
  address: string,
  { dataFolder, mostRows, recipe, map, env = process.env }: HubOptions,
): Promise<HubDataset> {
  const given = parseHubAddress(address)
  const hub = openHub(env, address)
  const task = recipe === undefined && map === undefined ? await findTask(hub, given, address) : undefined
  const own = task && makeTaskRecipe(task)
  const asked = task ? { ...given, config: task.config ?? undefined, split: task.split } : given
  const { config, split, urls } = chooseFiles(await listFiles(hub, asked, address), asked, address)
  const home = dataFolder ?? env['BENCHMAKER_HOME']
  const folder = home
    ? join(home, 'datasets', ...asked.name.split('/'), encodeURIComponent(config), encodeURIComponent(split))
    : undefined
  const branch = `/datasets/${pathOf(asked.name)}/resolve/refs%2Fconvert%2Fparquet/${pathOf(config)}`
  const most = mostRows ?? MOST_ROWS
  const rows: RawRow[] = []
  const warnings = (own?.notes ?? []).map((note) => `${address}: ${note}`)
  for (const [index, url] of urls.entries()) {
    if (rows.length >= most) break
    const number = `${String(index).padStart(4, '0')}.parquet`
    const listed = URL.canParse(url) ? new URL(url).pathname : undefined
    const paths = [
      ...(listed === undefined ? [] : [listed]),
      `${branch}/${pathOf(split)}/${number}`,
      `${branch}/partial-${pathOf(split)}/${number}`,
    ]
    const file = await findFile(hub, paths)
    if (typeof file === 'number') throw new InputError(explainStatus(address, asked, file, hub.hasToken))
    if (file.path.includes('/partial-')) warnings.push(`${address}: the hub converted only a part of ${split}`)
    const opened = await openParquetBuffer(
      await openRemote(hub, file, address, folder),
      `${asked.name}/${config}/${split}`,
      readImportLimits(env),
    )
    if (mostRows === undefined && rows.length + opened.rowCount > MOST_ROWS)
      throw new InputError(
        `${address}: ${split} has ${countNoun(rows.length + opened.rowCount, 'row')} or more${Number.isNaN(file.size) ? '' : ` (${formatBytes(file.size)})`}; say how many to read: --limit 1000`,
      )
    for (const row of await readParquetRows(opened, most - rows.length)) rows.push(row)
  }
  const part = task?.id ?? (config === 'default' ? undefined : config)
  return {
    table: makeParquetTable(rows),
    name: `${asked.name}${part === undefined ? '' : `/${part}`}@${split}`,
    warnings,
    own: own?.recipe,
    ...(task && { benchmark: { dataset: asked.name, task: task.id ?? 'default' } }),
  }
}
