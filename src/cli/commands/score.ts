import { InputError, isSettled } from '../../contract/index.ts'
import { importSuite, loadAnswers } from '../../import/index.ts'
import { buildReport } from '../../report/index.ts'
import { startScoring } from '../../runner/index.ts'
import { scoreAnswers } from '../../services/index.ts'
import { createPages } from '../compose-pages.ts'
import { findDataFolder } from '../data-folder.ts'
import type { ReadingOptions } from '../options/reading-options.ts'
import { EXIT_MISSING } from '../output/exit-codes.ts'
import { printWarnings } from '../output/notice.ts'
import { printResults, type ResultsTextOptions } from '../output/results/results-text.ts'
import { toShare } from '../options/run-options.ts'
import type { Terminal } from '../output/terminal.ts'

export interface ScoreOptions extends ReadingOptions, Pick<ResultsTextOptions, 'output' | 'pairs'> {
  json?: boolean
  /** In points. */
  smallestDifference?: number
  /** In points. */
  sameWithin?: number
}

interface ScoreFiles extends ScoreOptions {
  suiteFile: string
  answersFile: string
  json: boolean
}

function refuseModels(modelId: string): never {
  throw new InputError(`${modelId} is not called to score a file`)
}

/** `benchmaker score` */
export async function scoreFiles(files: ScoreFiles, terminal: Terminal): Promise<number> {
  const { suiteFile, answersFile, json, smallestDifference, sameWithin, output, pairs, ...reading } = files
  const { suite, warnings } = await importSuite(suiteFile, reading)
  printWarnings(warnings, terminal)
  const answers = await loadAnswers(answersFile, suite)

  const pages = createPages(refuseModels, { dataFolder: findDataFolder(undefined, process.env), env: process.env })
  const scoring = startScoring([], { ...reading, pages })
  const runs = []
  try {
    for (const run of answers) runs.push(await scoreAnswers(run, suite, scoring))
  } finally {
    await pages.close()
  }

  const report = buildReport(runs, { smallestDifference: toShare(smallestDifference), sameWithin: toShare(sameWithin) })
  printResults(report, { json, ...(output && { output }), ...(pairs && { pairs }) }, terminal)
  const isComplete = runs.every((run) => run.results.every(isSettled))
  return isComplete ? 0 : EXIT_MISSING
}
