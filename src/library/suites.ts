import type { Storage } from '../contract/index.ts'
import { rememberLoaded } from '../import/suite-files/given-suite.ts'
import {
  importSuite as importSuiteFile,
  loadSuite as loadSuiteFile,
  parseSuite as parseSuiteText,
  readResults,
  type FinishedSuite,
  type ImportedSuite,
  type ReadResults,
  type ResultsChoices,
} from '../import/index.ts'
import { addScorers } from '../scoring/index.ts'
import { keepImportedRuns, systemClock } from '../services/index.ts'
import type { ScorerOptions } from './wiring.ts'

/** Reads a suite from the text of a YAML or JSON file. */
export function parseSuite(text: string, file: string, options: ScorerOptions = {}): FinishedSuite {
  return rememberLoaded(parseSuiteText(text, file, addScorers(options.scorers)))
}

/** Reads a suite from a YAML or JSON file. */
export async function loadSuite(file: string, options: ScorerOptions = {}): Promise<FinishedSuite> {
  return rememberLoaded(await loadSuiteFile(file, addScorers(options.scorers)))
}

/** Reads a suite from a file in any supported format. */
export async function importSuite(
  path: string,
  options?: Parameters<typeof importSuiteFile>[1],
): Promise<ImportedSuite> {
  return rememberLoaded(await importSuiteFile(path, options))
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

/**
 * Reads results files of other tools: Inspect AI, promptfoo, lm-evaluation-harness, OpenAI evals, Every Eval Ever, and
 * tables. All files are read before the first is stored.
 */
export async function importResults(
  files: string | readonly string[],
  { storage, ...choices }: ImportResultsOptions = {},
): Promise<ImportedResults[]> {
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
