import { existsSync, statSync } from 'node:fs'
import { InputError, type RunResult, type Storage, type Suite } from '../../contract/index.ts'
import { importSuite, keepClusters, type ImportedSuite } from '../../import/index.ts'
import { checkSuite, type Finding, type SuiteFindings } from '../../report/checking/check-suite.ts'
import { adviseClusters, describeKept, listChecked } from '../../report/words/suite-checks.ts'
import { describeConversations } from '../../report/checking/conversation-findings.ts'
import { checkConversations, loadSuiteRuns } from '../../services/index.ts'
import type { ReadingOptions } from '../options/reading-options.ts'
import { printJson, styleFor, type Terminal } from '../output/terminal.ts'
import { cleanText, wrapText } from '../output/text-table.ts'
import { findRun, findSeries, isRunName } from './results/find-run.ts'
import { withData, type StoredOptions } from './results/stored-commands.ts'
import { findStoredSuite } from './stored-suite.ts'

export interface CheckOptions extends StoredOptions, ReadingOptions {
  keepClusters?: boolean
}

interface AskedSuite {
  suite: Suite
  /** Of a suite of the web app. */
  id?: string
  /** Of a file. */
  format?: ImportedSuite['format']
}

/** A file, a suite of the web app, or the suite of a stored run: by its name, or by the run. */
async function findCheckedSuite(asked: string, options: ReadingOptions, storage: Storage): Promise<AskedSuite> {
  if (existsSync(asked) && statSync(asked).isFile()) {
    const { suite, format } = await importSuite(asked, options)
    return { suite, format }
  }
  const stored = await findStoredSuite(asked, storage)
  if (stored) return stored
  const [newest] = await storage.listRuns({ suite: { id: asked, name: asked }, limit: 1 })
  const run = newest ? await storage.loadRun(newest.id, { texts: false }) : await findRunOf(asked, storage)
  if (run?.testSuiteSnapshot) return { suite: run.testSuiteSnapshot }
  throw new InputError(`${asked}: no such suite\nGive its file, its name as benchmaker list shows it, or a run of it.`)
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

function drawFinding(
  { sentence, evidence }: Pick<Finding, 'sentence' | 'evidence'>,
  number: number,
  terminal: Terminal,
): string {
  const style = styleFor(terminal)
  const lead = `${String(number).padStart(2)}. `
  const indent = ' '.repeat(lead.length)
  const lines = evidence.map((line) =>
    style('dim', `${indent}${wrapText(cleanText(line), terminal.columns, indent)}\n`),
  )
  return `${lead}${wrapText(cleanText(sentence), terminal.columns, indent)}\n${lines.join('')}`
}

function drawFindings(name: string, checked: SuiteFindings, advice: string | undefined, terminal: Terminal): string {
  const { templates, notes } = checked
  const findings = [...checked.findings, ...(templates ? [templates] : [])]
  const found = findings.map((finding, index) => `\n${drawFinding(finding, index + 1, terminal)}`)
  const limits = [...notes, ...(advice === undefined ? [] : [advice])].map(
    (note) => `\n${wrapText(cleanText(note), terminal.columns, '')}\n`,
  )
  return `${cleanText(name)} · ${listChecked(checked).join(' · ')}\n${findings.length === 0 ? '\nNothing wrong found.\n' : found.join('')}${limits.join('')}`
}

/** Writes the groups that were found into the suite's file. */
async function keepGroups(asked: string, { format, id }: AskedSuite, groups: string[][]): Promise<void> {
  if (format === undefined)
    throw new InputError(
      `--keep-clusters writes into the file of a suite, and ${asked} is ${id === undefined ? 'the suite of a run' : 'a suite of the web app: keep them there, under Check'}`,
    )
  if (groups.length > 0) await keepClusters(asked, format, groups)
}

/** `benchmaker check SUITE [RUN…]` */
export function checkStored(
  asked: string,
  names: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<number> {
  return withData(options, async (storage, { scoring }) => {
    const found = await findCheckedSuite(asked, options, storage)
    const runs = await findRuns(names, found, storage)
    const played = await checkConversations(found.suite, scoring)
    const judged = checkSuite(found.suite, runs)
    const checked = { ...judged, findings: [...describeConversations(played), ...judged.findings] }
    if (names.length > 0 && checked.answers === 0)
      throw new InputError(
        `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} no scored answers to cases of ${found.suite.name}`,
      )
    const { groups = [] } = checked.templates ?? {}
    if (options.keepClusters) await keepGroups(asked, found, groups)
    const advice = options.keepClusters ? describeKept(asked, groups) : adviseClusters(asked, found, groups)
    if (options.json) {
      printJson({ suite: found.suite.name, runIds: runs.map(({ id }) => id), ...checked }, terminal)
      if (options.keepClusters) terminal.stderr.write(`${wrapText(cleanText(advice ?? ''), terminal.columns, '')}\n`)
    } else terminal.stdout.write(drawFindings(found.suite.name, checked, advice, terminal))
    return 0
  })
}
