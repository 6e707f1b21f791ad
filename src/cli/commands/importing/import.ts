import { access, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { InputError, type RunResult, type Suite } from '../../../contract/index.ts'
import { isSummaryOf } from '../../../contract/files/summary-file.ts'
import { checkWritable } from '../../output/report-files.ts'
import { writeSuiteJson } from '../../../import/suite-files/write-suite.ts'
import { explainReadError } from '../../../import/text/source-text.ts'
import {
  containsRuns,
  isHubAddress,
  writeSuiteYaml,
  importSuite,
  isResultsFile,
  listResultsFiles,
  loadRunFile,
} from '../../../import/index.ts'
import { formatCount } from '../../../report/words/index.ts'
import { evaluateConfig } from '../../../runner/evaluate-config.ts'
import { importRuns } from '../../../services/index.ts'
import { type ReadingOptions, choicesOf, type ResultsOptions } from '../../options/reading-options.ts'
import { toImportedJson, warnOfEmpty, keepResults, printImported, readResultsFiles } from './import-results.ts'
import { withApp, type StoredOptions } from '../results/stored-commands.ts'
import { findDataFolder } from '../../data-folder.ts'
import { printNotes, printWarnings } from '../../output/notice.ts'
import { printDocument, printJson, type Terminal } from '../../output/terminal.ts'
import { cleanText } from '../../output/text-table.ts'

export interface ImportOptions extends StoredOptions, ReadingOptions, ResultsOptions {
  out?: string
  keepUnchecked?: boolean
  from?: string
  limit?: number
}

type Kind = 'runs' | 'results' | 'suite'

async function recognise(file: string, options: ImportOptions): Promise<Kind> {
  if (!isHubAddress(file) && (await containsRuns(file))) return 'runs'
  // Columns that are named by fields of test cases belong to a suite, and recipes read suites only.
  if (options.map || options.recipe !== undefined || isHubAddress(file)) return 'suite'
  return (await isResultsFile(file, choicesOf(options))) || ONLY_RESULTS.has(extname(file).toLowerCase())
    ? 'results'
    : 'suite'
}

/** Files with these endings are never suites: reading them as results gives the better error. */
const ONLY_RESULTS = new Set(['.eval'])

/** A folder means the results files in it, unless it has a promptfoo config. */
async function expandFolders(paths: readonly string[], options: ImportOptions, terminal: Terminal): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const names = await readdir(path).catch(() => undefined)
    const isConfig = names?.some((name) => /^promptfooconfig\.(?:ya?ml|json|[cm]?[jt]s)$/.test(name)) ?? true
    found.push(...(isConfig ? [path] : await listResultsFiles(path, choicesOf(options), warnOfEmpty(terminal))))
  }
  return found
}

/** The samples of lm-evaluation-harness are read with the summary beside them, which is no results file itself. */
function leaveOutSummaries(files: readonly string[]): string[] {
  const isSummary = (file: string, other: string) =>
    dirname(file) === dirname(other) && isSummaryOf(basename(file), basename(other))
  return files.filter((file) => !files.some((other) => isSummary(file, other)))
}

async function checkExists(file: string): Promise<void> {
  await access(file).catch((error: unknown) => {
    throw new InputError(`${file}: ${explainReadError(error)}`, { cause: error })
  })
}

/** `benchmaker import FILE…`: stores runs and results of other tools, or converts a suite to YAML or JSON. */
export async function importFiles(paths: string[], options: ImportOptions, terminal: Terminal): Promise<number> {
  const { from } = options
  if (from !== undefined) {
    if (paths.length > 0) throw new InputError('--from imports a database; import files with a command of their own')
    return (await import('./import-database.ts')).importDatabase(from, options, terminal)
  }
  if (paths.length === 0) throw new InputError('name the files to import, or a database with --from')
  const files = leaveOutSummaries(await expandFolders(paths, options, terminal))
  const kinds: Kind[] = []
  for (const file of files) kinds.push(await recognise(file, options))
  const suite = files[kinds.indexOf('suite')]
  if (suite !== undefined && files.length > 1) {
    await checkExists(suite)
    throw new InputError(
      `${suite} is not a results file; suites are converted one at a time: benchmaker import ${suite}`,
    )
  }
  if (suite !== undefined) return convertSuite(suite, options, terminal)
  return storeRuns(
    files.map((file, index) => ({ file, isOurs: kinds[index] === 'runs' })),
    options,
    terminal,
  )
}

const WRITERS: Record<string, (suite: Suite) => string> = {
  '.yaml': writeSuiteYaml,
  '.yml': writeSuiteYaml,
  '.json': writeSuiteJson,
}

interface Written {
  text: string
  /** A file beside it. */
  rows?: { name: string; text: string }
  warnings?: string[]
}

async function findWriter(out: string): Promise<(suite: Suite) => Written> {
  if (basename(out) === 'eval.yaml') {
    await checkWritable(out)
    return (await import('../../../import/datasets/write-task.ts')).writeTask
  }
  const writer = WRITERS[extname(out).toLowerCase()]
  if (!writer) throw new InputError(`${out}: unknown extension; use one of ${Object.keys(WRITERS).join(', ')}`)
  await checkWritable(out)
  return (suite) => ({ text: writer(suite) })
}

async function writeNew(file: string, text: string): Promise<void> {
  await writeFile(file, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(
      error.code === 'EEXIST'
        ? `${file} already exists and was not changed; choose another file`
        : `${file} was not written: ${error.message}`,
      { cause: error },
    )
  })
}

async function convertSuite(
  file: string,
  { out, json = false, limit, ...options }: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  const reading = { ...options, evaluateConfig, mostRows: limit, dataFolder: findDataFolder(options.data, process.env) }
  const writer = out === undefined ? undefined : await findWriter(out)
  const { suite, warnings, notes, suggestedModels, suggestedJudges, suggestedEndpoint, summary, dataset } =
    await importSuite(file, reading)
  printWarnings(warnings, terminal)
  printNotes(notes, terminal)
  if (out === undefined || !writer) printDocument((json ? writeSuiteJson : writeSuiteYaml)(suite), terminal)
  else {
    const written = writer(suite)
    const beside = written.rows && join(dirname(out), written.rows.name)
    await writeNew(out, written.text)
    if (written.rows && beside !== undefined) await writeNew(beside, written.rows.text)
    printWarnings(written.warnings ?? [], terminal)
    if (json)
      printJson(
        {
          wrote: [out, ...(beside === undefined ? [] : [beside])],
          suite: suite.name,
          cases: suite.testCases.length,
          ...(summary !== undefined && { summary }),
          ...(dataset && { dataset }),
          ...(notes?.length && { notes }),
          ...(suggestedModels && { suggestedModels }),
          ...(suggestedJudges?.length && { suggestedJudges }),
          ...(suggestedEndpoint !== undefined && { suggestedEndpoint }),
        },
        terminal,
      )
  }
  const models = suggestedModels?.length ? ` --models ${suggestedModels.join(',')}` : ''
  const judges = suggestedJudges?.length ? ` --judge ${suggestedJudges.join(',')}` : ''
  const code = reading.allowCode ? ' --allow-code' : ''
  if (summary !== undefined) terminal.stderr.write(`${cleanText(summary)}\n`)
  if (dataset)
    terminal.stderr.write('To read it in another way, use --recipe NAME, --recipe none or --map FIELD=COLUMN.\n')
  const endpoint = suggestedEndpoint === undefined ? '' : ` --base-url ${suggestedEndpoint}`
  terminal.stderr.write(
    `${formatCount(suite.testCases.length, 'case')}. Run ${suite.testCases.length === 1 ? 'it' : 'them'} with: benchmaker run ${cleanText(`${out ?? file}${models}${judges}${endpoint}${code}`)}\n`,
  )
  return 0
}

/** Stores our own exports and results of other tools. Everything is read before anything is stored. */
function storeRuns(
  files: { file: string; isOurs: boolean }[],
  { out, json = false, ...options }: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  if (out !== undefined)
    throw new InputError(`${files[0]!.file} contains runs, which are imported and not converted; remove --out ${out}`)
  return withApp(options, async (app) => {
    const own: RunResult[] = []
    for (const { file, isOurs } of files) if (isOurs) own.push(...(await loadRunFile(file)))
    const foreign = files.flatMap(({ file, isOurs }) => (isOurs ? [] : [file]))
    const read = await readResultsFiles(foreign, choicesOf(options))
    const storage = await app.storage()
    await importRuns(own, storage, Date.now())
    const results = await keepResults(read, storage)
    const ids = [...own.map(({ id }) => id), ...results.flatMap(({ runs }) => runs.map(({ id }) => id))]
    if (json) printJson({ imported: ids, ...(results.length > 0 && { files: results.map(toImportedJson) }) }, terminal)
    if (own.length > 0) terminal.stderr.write(`Imported ${own.map(({ id }) => cleanText(id)).join(', ')}.\n`)
    printImported(results, terminal)
    const named = results.map(({ seriesId, runs }) => seriesId ?? runs[0]!.id)
    if (named.length > 1) terminal.stderr.write(`Compare them with: benchmaker compare ${named.join(' ')}\n`)
    return 0
  })
}
