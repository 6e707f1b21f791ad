import { open, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { InputError, type Suite } from '../../contract/index.ts'
import { checkWritable } from '../output/check-writable.ts'
import { formatSuiteJson } from '../../import/suite-files/write-yaml.ts'
import { formatSuiteYaml, importSuite, loadRunFile } from '../../import/index.ts'
import { formatCount } from '../../report/words/index.ts'
import { importRun } from '../../services/index.ts'
import type { ReadingOptions } from '../options/reading-options.ts'
import { withApp, type StoredOptions } from './stored-commands.ts'
import { printWarnings } from '../output/print-warnings.ts'
import { printDocument, printJson, type Terminal } from '../output/terminal.ts'
import { cleanText } from '../output/text-table.ts'

export interface ImportOptions extends StoredOptions, ReadingOptions {
  out?: string
  keepUnchecked?: boolean
}

/** `benchmaker import FILE`: stores runs, or converts a suite in another format to YAML or JSON. */
export async function importFile(file: string, options: ImportOptions, terminal: Terminal): Promise<number> {
  return (await containsRuns(file)) ? importRuns(file, options, terminal) : convertSuite(file, options, terminal)
}

const WRITERS: Record<string, (suite: Suite) => string> = {
  '.yaml': formatSuiteYaml,
  '.yml': formatSuiteYaml,
  '.json': formatSuiteJson,
}

async function findWriter(out: string): Promise<(suite: Suite) => string> {
  const writer = WRITERS[extname(out).toLowerCase()]
  if (!writer) throw new InputError(`${out}: unknown extension; use one of ${Object.keys(WRITERS).join(', ')}`)
  await checkWritable(out)
  return writer
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
  { out, json = false, ...reading }: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  const writer = out === undefined ? (json ? formatSuiteJson : formatSuiteYaml) : await findWriter(out)
  const { suite, warnings, suggestedModels, suggestedJudges, suggestedEndpoint, summary } = await importSuite(
    file,
    reading,
  )
  printWarnings(warnings, terminal)
  if (out === undefined) printDocument(writer(suite), terminal)
  else {
    await writeNew(out, writer(suite))
    if (json)
      printJson(
        {
          wrote: [out],
          suite: suite.name,
          cases: suite.testCases.length,
          ...(summary !== undefined && { summary }),
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
  const endpoint = suggestedEndpoint === undefined ? '' : ` --base-url ${suggestedEndpoint}`
  terminal.stderr.write(
    `${formatCount(suite.testCases.length, 'case')}. Run ${suite.testCases.length === 1 ? 'it' : 'them'} with: benchmaker run ${cleanText(`${out ?? file}${models}${judges}${endpoint}${code}`)}\n`,
  )
  return 0
}

/** A JSON export starts with its runs; anything else is read as a suite, which reports errors in detail. */
async function containsRuns(file: string): Promise<boolean> {
  if (extname(file).toLowerCase() !== '.json') return false
  const handle = await open(file).catch(() => undefined)
  if (!handle) return false
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(200) })
  await handle.close()
  return /^\s*\{\s*"runs"\s*:/.test(buffer.toString('utf8', 0, bytesRead))
}

function importRuns(
  file: string,
  { out, json = false, ...options }: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  if (out !== undefined)
    throw new InputError(`${file} contains runs, which are imported and not converted; remove --out ${out}`)
  return withApp(options, async (app) => {
    const runs = await loadRunFile(file)
    const storage = await app.storage()
    for (const run of runs) await importRun(run, storage, Date.now())
    const ids = runs.map(({ id }) => id)
    if (json) printJson({ imported: ids }, terminal)
    terminal.stderr.write(`Imported ${ids.map(cleanText).join(', ')}.\n`)
    return 0
  })
}
