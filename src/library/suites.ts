import type { Storage } from '../contract/index.ts'
import { rememberLoaded } from '../import/suite-files/given-suite.ts'
import {
  importSuite as importSuiteFile,
  parseSuite as parseSuiteText,
  readResults,
  type FinishedSuite,
  type ImportedSuite,
  type ReadingOptions,
  type ReadResults,
  type ResultsChoices,
} from '../import/index.ts'
import { addScorers } from '../scoring/index.ts'
import { keepImportedRuns, systemClock } from '../services/index.ts'
import { evaluateConfig } from '../runner/evaluate-config.ts'
import { refuseUnknownOptions } from './options.ts'
import type { ScorerOptions } from './wiring.ts'

/** Reads a suite from the text of a YAML or JSON file. */
export function parseSuite(text: string, file: string, options: ScorerOptions = {}): FinishedSuite {
  refuseUnknownOptions('parseSuite', options, { scorers: true })
  return rememberLoaded(parseSuiteText(text, file, addScorers(options.scorers)))
}

export interface LoadOptions extends ScorerOptions, Omit<ReadingOptions, 'scorers'> {}

const loadOptions: Record<keyof LoadOptions, true> = {
  allowCode: true,
  allowFiles: true,
  dataFolder: true,
  evaluateConfig: true,
  keepUnchecked: true,
  map: true,
  mostRows: true,
  readHub: true,
  recipe: true,
  scorers: true,
}

/**
 * Reads a suite from a file in any supported format, a published dataset, or one on the hub: `hf://datasets/OWNER/NAME`.
 * `executeRun({ suite })` takes the result, or its `suite`.
 */
export async function loadSuite(path: string, given: LoadOptions = {}): Promise<ImportedSuite> {
  refuseUnknownOptions('loadSuite', given, loadOptions)
  const { scorers, ...options } = given
  return rememberLoaded(
    await importSuiteFile(path, { evaluateConfig, ...options, ...(scorers && { scorers: addScorers(scorers) }) }),
  )
}

/** The same as `loadSuite`, by its older name. */
export async function importSuite(path: string, options?: LoadOptions): Promise<ImportedSuite> {
  return loadSuite(path, options)
}

export interface ImportResultsOptions extends ResultsChoices {
  /** Where the runs are kept, each once; without it they are only returned. */
  storage?: Storage
}

/** Results of another tool as runs, with how its scores became ours. */
export interface ImportedResults extends ReadResults {
  /** False if the storage has these runs already. */
  isNew: boolean
}

const resultsOptions: Record<keyof ImportResultsOptions, true> = {
  columns: true,
  lowerIsBetter: true,
  metric: true,
  model: true,
  scale: true,
  splitPrompts: true,
  storage: true,
}

/**
 * Reads results files of other tools: Inspect AI, promptfoo, lm-evaluation-harness, OpenAI evals, Every Eval Ever, and
 * tables. All files are read before the first is stored.
 */
export async function importResults(
  files: string | readonly string[],
  given: ImportResultsOptions = {},
): Promise<ImportedResults[]> {
  refuseUnknownOptions('importResults', given, resultsOptions)
  const { storage, ...choices } = given
  const read: ReadResults[] = []
  for (const file of [files].flat()) read.push(await readResults(file, { ...choices, now: systemClock.now() }))
  const imported: ImportedResults[] = []
  for (const results of read)
    imported.push({
      ...results,
      isNew: storage ? await keepImportedRuns(results, { storage, clock: systemClock }) : true,
    })
  return imported
}
