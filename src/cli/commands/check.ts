import { existsSync, statSync } from 'node:fs'
import { InputError, type RunResult, type Storage, type Suite } from '../../contract/index.ts'
import { importSuite } from '../../import/index.ts'
import { checkSuite, type Finding, type SuiteFindings } from '../../report/checking/check-suite.ts'
import { listChecked } from '../../report/words/suite-checks.ts'
import { loadSuiteRuns } from '../../services/index.ts'
import type { ReadingOptions } from '../options/reading-options.ts'
import { printJson, styleFor, type Terminal } from '../output/terminal.ts'
import { cleanText, wrapText } from '../output/text-table.ts'
import { findRun, findSeries, isRunName } from './results/find-run.ts'
import { withData, type StoredOptions } from './results/stored-commands.ts'
import { findStoredSuite } from './stored-suite.ts'

export interface CheckOptions extends StoredOptions, ReadingOptions {}

interface AskedSuite {
  suite: Suite
  /** Of a suite of the web app. */
  id?: string
}

/** A file, a suite of the web app, or the suite of a stored run: by its name, or by the run. */
async function findSuite(asked: string, options: ReadingOptions, storage: Storage): Promise<AskedSuite> {
  if (existsSync(asked) && statSync(asked).isFile()) return { suite: (await importSuite(asked, options)).suite }
  const stored = await findStoredSuite(asked, storage)
  if (stored) return stored
  const [newest] = await storage.listRuns({ suite: { id: asked, name: asked }, limit: 1 })
  const run = newest ? await storage.loadRun(newest.id, { texts: false }) : await findRunOf(asked, storage)
  if (run?.testSuiteSnapshot) return { suite: run.testSuiteSnapshot }
  throw new InputError(
    `there is no suite ${asked}; give its file, its name as benchmaker list shows it, or a run of it`,
  )
}

async function findRunOf(asked: string, storage: Storage): Promise<RunResult | undefined> {
  return (await isRunName(storage, asked)) ? findRun(storage, asked) : undefined
}

async function findRuns(names: readonly string[], asked: AskedSuite, storage: Storage): Promise<RunResult[]> {
  if (names.length === 0)
    return loadSuiteRuns(
      { name: asked.suite.name, ...(asked.id !== undefined && { id: asked.id }) },
      { storage, now: storage.now() },
    )
  const runs = new Map<string, RunResult>()
  for (const name of names) for (const run of await findSeries(storage, name)) runs.set(run.id, run)
  return [...runs.values()]
}

function drawFinding({ sentence, evidence }: Finding, number: number, terminal: Terminal): string {
  const style = styleFor(terminal)
  const lead = `${String(number).padStart(2)}. `
  const indent = ' '.repeat(lead.length)
  const lines = evidence.map((line) =>
    style('dim', `${indent}${wrapText(cleanText(line), terminal.columns, indent)}\n`),
  )
  return `${lead}${wrapText(cleanText(sentence), terminal.columns, indent)}\n${lines.join('')}`
}

function drawFindings(name: string, checked: SuiteFindings, terminal: Terminal): string {
  const { findings, notes } = checked
  const found = findings.map((finding, index) => `\n${drawFinding(finding, index + 1, terminal)}`)
  const limits = notes.map((note) => `\n${wrapText(cleanText(note), terminal.columns, '')}\n`)
  return `${cleanText(name)} · ${listChecked(checked).join(' · ')}\n${findings.length === 0 ? '\nNothing wrong found.\n' : found.join('')}${limits.join('')}`
}

/** `benchmaker check SUITE [RUN…]` */
export function checkStored(
  asked: string,
  names: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<number> {
  return withData(options, async (storage) => {
    const found = await findSuite(asked, options, storage)
    const runs = await findRuns(names, found, storage)
    const checked = checkSuite(found.suite, runs)
    if (names.length > 0 && checked.answers === 0)
      throw new InputError(
        `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} no scored answers to cases of ${found.suite.name}`,
      )
    if (options.json) printJson({ suite: found.suite.name, runIds: runs.map(({ id }) => id), ...checked }, terminal)
    else terminal.stdout.write(drawFindings(found.suite.name, checked, terminal))
    return 0
  })
}
