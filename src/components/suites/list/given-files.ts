import { formatBytes, formatCount, joinWords } from '../../../report/words/index.ts'
import { isHidden, MAX_FILES, type GivenFile } from '../../ui/files/given-file.ts'

/** What is sent to be read: the suite or config itself, and the files that it may name. */
export interface Source {
  fileName: string
  text: string
  /** Of Parquet, which is no text. */
  base64?: string
  files?: ({ path: string; text: string } | { path: string; base64: string })[]
}

const MAX_CHARACTERS = 5_000_000
const MAX_TOTAL_BYTES = 7_000_000

const CONFIG_NAMES = ['promptfooconfig.yaml', 'promptfooconfig.yml', 'promptfooconfig.json']
const TEXTS = /\.(?:ya?ml|jsonl?|ndjson|csv|tsv|txt|md|j2|html?|xml|sql|py|[cm]?[jt]s)$/i
const IMAGES = /\.(?:png|jpe?g|gif|webp)$/i

function depthOf(path: string): number {
  return path.split('/').length
}

/** The file to read among several: a promptfoo config, the outermost one; otherwise the first file. */
export function findMain(paths: readonly string[]): string | undefined {
  const nameOf = (path: string) => path.split('/').at(-1)!.toLowerCase()
  const rank = (path: string) => {
    const known = CONFIG_NAMES.indexOf(nameOf(path))
    if (known >= 0) return known
    return /promptfoo.*\.(?:ya?ml|json)$/.test(nameOf(path)) ? CONFIG_NAMES.length : undefined
  }
  const configs = paths.flatMap((path) => {
    const found = isHidden(path) ? undefined : rank(path)
    return found === undefined ? [] : [{ path, rank: found }]
  })
  configs.sort((a, b) => depthOf(a.path) - depthOf(b.path) || a.rank - b.rank || (a.path < b.path ? -1 : 1))
  return configs[0]?.path ?? paths.find((path) => !isHidden(path)) ?? paths[0]
}

const SUITES = /\.(?:ya?ml|jsonl?|ndjson|csv|tsv)$/i

/**
 * The files that may each be a suite, if there are several: those that lie highest, without a promptfoo config, which
 * names the others itself. Fewer than two are read as one suite.
 */
export function findSuiteFiles(paths: readonly string[]): string[] {
  const main = findMain(paths)
  const isConfig = main !== undefined && /promptfoo/i.test(main.split('/').at(-1)!)
  const candidates = isConfig ? [] : paths.filter((path) => SUITES.test(path) && !isHidden(path))
  const highest = Math.min(...candidates.map(depthOf))
  const found = candidates.filter((path) => depthOf(path) === highest)
  return found.length > 1 ? found.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })) : []
}

/** The given files that are not read as suites. */
export function listOthers(given: readonly { path: string }[], suites: readonly string[]): string[] {
  return given.map(({ path }) => path).filter((path) => !suites.includes(path) && !isHidden(path))
}

const MAX_NAMED = 5

/** `Not read as suites: a.md, data/b.csv and 3 more.` Suites may still name these files. */
export function describeOthers(paths: readonly string[]): string {
  const more = paths.length - MAX_NAMED
  const named = paths.slice(0, MAX_NAMED)
  return `Not read as suites: ${more > 0 ? `${named.join(', ')} and ${formatCount(more)} more` : joinWords(named)}. To import one of them, drop it by itself.`
}

/** The files below the folder of the main one, by their paths from there. */
export function filesBeside<Item extends { path: string }>(main: string, files: readonly Item[]): Item[] {
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  return files.flatMap((file) => {
    const path = file.path.slice(folder.length)
    const isUsed = file.path.startsWith(folder) && file.path !== main && !isHidden(path)
    return isUsed && (TEXTS.test(path) || IMAGES.test(path)) ? [{ ...file, path }] : []
  })
}

async function readFileText(file: File): Promise<string> {
  if (file.size > MAX_CHARACTERS * 4)
    throw new Error(
      `${file.name} is ${formatBytes(file.size)}; a suite can have at most 5 million characters. Split it, or use the command line.`,
    )
  const text = await file.text()
  if (text.length > MAX_CHARACTERS)
    throw new Error(`${file.name} has more than 5 million characters. Split it, or use the command line.`)
  return text
}

async function toBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (let start = 0; start < bytes.length; start += 8192)
    binary += String.fromCharCode(...bytes.subarray(start, start + 8192))
  return btoa(binary)
}

const MAX_PARQUET_BYTES = 3_500_000

async function readParquet(file: File): Promise<Source> {
  if (file.size > MAX_PARQUET_BYTES)
    throw new Error(
      `${file.name} is ${formatBytes(file.size)}; at most ${formatBytes(MAX_PARQUET_BYTES)} can be sent. Use the command line: benchmaker import FILE --out suite.yaml`,
    )
  return { fileName: file.name, text: '', base64: await toBase64(file) }
}

/** Reads what was dropped or chosen: one file, or a config with the files of its folder. */
export async function readGiven(
  given: readonly GivenFile[],
  main = findMain(given.map(({ path }) => path)),
): Promise<Source> {
  const chosen = given.find(({ path }) => path === main)
  if (!chosen) throw new Error('There is no file in that folder.')
  if (/\.parquet$/i.test(chosen.file.name)) return readParquet(chosen.file)
  const text = await readFileText(chosen.file)
  const beside = filesBeside(chosen.path, given)
  if (beside.length === 0) return { fileName: chosen.file.name, text }
  const size = beside.reduce((sum, { file }) => sum + file.size, 0)
  if (beside.length > MAX_FILES || size > MAX_TOTAL_BYTES)
    throw new Error(
      `The folder has ${beside.length} files with ${formatBytes(size)}; at most ${MAX_FILES} files and ${formatBytes(MAX_TOTAL_BYTES)} can be sent. Use the command line: benchmaker import FOLDER --out suite.yaml`,
    )
  const files = await Promise.all(
    beside.map(async ({ path, file }) =>
      IMAGES.test(path) ? { path, base64: await toBase64(file) } : { path, text: await file.text() },
    ),
  )
  return { fileName: chosen.file.name, text, files }
}
