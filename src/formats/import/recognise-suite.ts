import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { InputError } from '../../contract/index.ts'
import { parseCsvSuite } from './csv-suite.ts'
import { finishSuite, type FinishedSuite } from './finish-suite.ts'
import { embedImages } from './images.ts'
import { parseJsonlSuite } from './jsonl-suite.ts'
import { parseLocated } from './located-document.ts'
import type { PromptfooOptions } from './promptfoo/convert-config.ts'
import { loadPromptfooConfig } from './promptfoo/load-config.ts'
import { readSource } from './source-text.ts'

type SuiteFormat = 'suite' | 'csv' | 'jsonl' | 'promptfoo'

export interface ImportedSuite extends FinishedSuite {
  format: SuiteFormat
  /** Models that the file names, for a first run. */
  suggestedModels?: string[]
}

const LOOKED_FOR = `Looked for:
  a suite: YAML or JSON with name and testCases
  a promptfoo config: YAML or JSON with prompts and tests, scenarios or providers
  CSV or TSV with a header row that has prompt and scoringMethod
  JSON lines, one test case { id, prompt, scoringMethod, … } a line`

const REFUSED = new Map([
  ['.xlsx', 'Excel files are not read; save the sheet as CSV (UTF-8)'],
  ['.xls', 'Excel files are not read; save the sheet as CSV (UTF-8)'],
  ['.ods', 'spreadsheets are not read; save the sheet as CSV (UTF-8)'],
  ['.js', 'code is not run; write the config as YAML or JSON'],
  ['.mjs', 'code is not run; write the config as YAML or JSON'],
  ['.cjs', 'code is not run; write the config as YAML or JSON'],
  ['.ts', 'code is not run; write the config as YAML or JSON'],
  ['.py', 'code is not run; write the config as YAML or JSON'],
])

const PROMPTFOO_NAMES = ['promptfooconfig.yaml', 'promptfooconfig.yml', 'promptfooconfig.json']

/** What a parsed YAML or JSON document is, by its fields. */
function recogniseDocument(value: unknown): 'suite' | 'promptfoo' | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if (Object.hasOwn(value, 'testCases')) return 'suite'
  const has = (field: string) => Object.hasOwn(value, field)
  return has('prompts') && ['tests', 'scenarios', 'providers', 'targets', 'defaultTest'].some(has) ? 'promptfoo' : undefined
}

function describeDocument(value: unknown): string {
  if (Array.isArray(value)) return `it is a list of ${value.length}; put the cases under testCases: and give the suite a name:`
  if (typeof value !== 'object' || value === null) return 'it is plain text'
  if (Object.hasOwn(value, 'runs')) return 'it holds runs, not a suite: it is read as a run export'
  const fields = Object.keys(value)
  return fields.length === 0 ? 'it is empty' : `its fields are ${fields.slice(0, 12).join(', ')}`
}

function looksLikeJsonLines(text: string): boolean {
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  return lines.length > 1 && lines.every((line) => /^\s*\{.*\}\s*$/.test(line))
}

function looksLikeCsv(text: string): boolean {
  const header = /^\uFEFF?([^\r\n]*)/.exec(text)![1]!
  const columns = new Set(header.split(/[,;\t]/).map((name) => name.trim().replaceAll('"', '')))
  return columns.has('prompt') && columns.has('scoringMethod')
}

/** A folder stands for the config in it. */
async function findFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) return path
  const names = await readdir(path)
  const config = PROMPTFOO_NAMES.find((name) => names.includes(name))
  if (config !== undefined) return join(path, config)
  throw new InputError(`${path}: is a folder without a ${PROMPTFOO_NAMES.join(' or ')}; name the suite's file`)
}

async function importDocument(text: string, file: string, options: PromptfooOptions): Promise<ImportedSuite> {
  const document = parseLocated(text, file)
  const format = recogniseDocument(document.value)
  if (format === 'suite') {
    const { suite, warnings } = finishSuite(document.value, document.locate)
    return { format, suite: await embedImages(suite, file), warnings }
  }
  if (format === 'promptfoo') return { format, ...(await loadPromptfooConfig(file, options)) }
  throw new InputError(`${file}: is no suite that can be read: ${describeDocument(document.value)}\n${LOOKED_FOR}`)
}

/** Reads a suite from any kind of file that is known, by its extension and, where that says nothing, by its content. */
export async function importSuite(path: string, options: PromptfooOptions = {}): Promise<ImportedSuite> {
  const file = await findFile(path)
  const extension = extname(file).toLowerCase()
  const refused = REFUSED.get(extension)
  if (refused !== undefined) throw new InputError(`${file}: ${refused}`)

  const text = await readSource(file)
  if (extension === '.csv' || extension === '.tsv') return { format: 'csv', ...parseCsvSuite(text, file) }
  if (extension === '.jsonl' || extension === '.ndjson') return { format: 'jsonl', ...parseJsonlSuite(text, file) }
  if (!['.yaml', '.yml', '.json'].includes(extension)) {
    if (looksLikeJsonLines(text)) return { format: 'jsonl', ...parseJsonlSuite(text, file) }
    if (looksLikeCsv(text)) return { format: 'csv', ...parseCsvSuite(text, file) }
  }
  return importDocument(text, file, options)
}
