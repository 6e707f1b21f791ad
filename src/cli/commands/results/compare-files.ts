import { InputError } from '../../../contract/index.ts'
import { stat } from 'node:fs/promises'
import type { RunResult, Storage } from '../../../contract/index.ts'
import { containsRuns, listResultsFiles, loadRunFile, type ReadResults } from '../../../import/index.ts'
import { importRuns } from '../../../services/index.ts'
import { joinWords } from '../../../report/words/index.ts'
import { choicesOf, type ResultsOptions } from '../../options/reading-options.ts'
import { printWarnings } from '../../output/notice.ts'
import type { Terminal } from '../../output/terminal.ts'
import { cleanText } from '../../output/text-table.ts'
import { keepResults, printNotes, readResultsFiles, warnOfEmpty } from '../importing/import-results.ts'
import { withApp, withData, type StoredOptions } from './stored-commands.ts'

type CompareOptions = StoredOptions & ResultsOptions

/** The runs in a file that was named instead of a run. */
export interface NamedFile {
  /** As it was named. */
  path: string
  runs: RunResult[]
}

/** What the arguments are compared with: stored runs, and files that are stored once they are known to fit. */
export interface Compared {
  storage: Storage
  files: readonly NamedFile[]
  keepFiles(): Promise<void>
}

/** The file that an argument names: all of it, or all before `:MODEL`. */
export async function findResultsFile(name: string): Promise<string | undefined> {
  for (let end = name.length; end > 0; end = name.lastIndexOf(':', end - 1)) {
    const path = name.slice(0, end)
    // Ids and `latest` have neither dots nor slashes: a file of such a name does not hide a run.
    if (!/[./\\]/.test(path)) return undefined
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile()) return path
  }
  return undefined
}

/** Names with a dot or slash that mean folders stand for the results files in them. */
export async function expandFolders(
  names: readonly string[],
  options: CompareOptions,
  terminal: Terminal,
): Promise<string[]> {
  const found: string[] = []
  for (const name of names) {
    const isFolder = /[./\\]/.test(name) && (await stat(name).catch(() => undefined))?.isDirectory()
    found.push(...(isFolder ? await listResultsFiles(name, choicesOf(options), warnOfEmpty(terminal)) : [name]))
  }
  return found
}

/** A name with a dot or slash was meant as a file. */
export function refuseMissing(name: string): never {
  throw new InputError(
    /[./\\]/.test(name)
      ? `there is neither a file nor a run ${name}; check the path, or see benchmaker list for runs`
      : `there is no run ${name}; benchmaker list shows all runs`,
  )
}

/** Of our own exports only what is not stored yet: a file must not replace a run. */
async function keepOwn(runs: readonly RunResult[], storage: Storage): Promise<void> {
  const stored = new Set((await storage.listRuns({ ids: runs.map(({ id }) => id) })).map(({ id }) => id))
  await importRuns(
    runs.filter(({ id }) => !stored.has(id)),
    storage,
    Date.now(),
  )
}

/** Two metrics are two questions, even if both are called a score. */
function warnOfMetrics(read: readonly ReadResults[]): string[] {
  const found = read.filter(({ metric }) => metric !== undefined)
  if (new Set(found.map(({ metric }) => metric)).size < 2) return []
  const named = found.map(({ file, metric }) => `${metric} (${file})`)
  return [`the files are compared by different metrics: ${joinWords(named)}; --metric names one that all of them have`]
}

async function keepForeign(read: readonly ReadResults[], storage: Storage, terminal: Terminal): Promise<void> {
  for (const file of read) printNotes(file, terminal)
  printWarnings(warnOfMetrics(read), terminal)
  for (const { file, tool, scores, runs, seriesId, isNew } of await keepResults(read, storage))
    terminal.stderr.write(
      `${cleanText(`${file}: ${tool}; ${scores}; ${isNew ? 'kept' : 'known'} as ${seriesId ?? runs[0]!.id}`)}\n`,
    )
}

/** Opens the data for reading, or for writing too if files are to be kept. */
export async function withCompared(
  names: readonly string[],
  options: CompareOptions,
  terminal: Terminal,
  work: (compared: Compared) => Promise<number>,
): Promise<number> {
  const found = await Promise.all(names.map(findResultsFile))
  const paths = [...new Set(found.flatMap((path) => path ?? []))]
  if (paths.length === 0) return withData(options, (storage) => work({ storage, files: [], keepFiles: async () => {} }))
  const own: NamedFile[] = []
  for (const path of paths) if (await containsRuns(path)) own.push({ path, runs: await loadRunFile(path) })
  const foreign = paths.filter((path) => own.every((file) => file.path !== path))
  const read = await readResultsFiles(foreign, choicesOf(options))
  return withApp(options, async (app) => {
    const storage = await app.storage()
    const keepFiles = async () => {
      for (const { runs } of own) await keepOwn(runs, storage)
      await keepForeign(read, storage, terminal)
    }
    const files = [...own, ...read.map(({ runs }, index) => ({ path: foreign[index]!, runs }))]
    return work({ storage, files, keepFiles })
  })
}
