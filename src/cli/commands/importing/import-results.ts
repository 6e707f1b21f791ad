import { describeMetricChoice, readResults, type ReadResults, type ResultsChoices } from '../../../import/index.ts'
import { describeOpenCells, formatCount, formatScore } from '../../../report/words/index.ts'
import { keepImportedRuns, systemClock } from '../../../services/index.ts'
import { meansOverCases } from '../../../statistics/index.ts'
import type { Storage } from '../../../contract/index.ts'
import { printWarnings } from '../../output/notice.ts'
import type { Terminal } from '../../output/terminal.ts'
import { cleanText } from '../../output/text-table.ts'

/** An imported file with whether its runs are new. */
export interface ImportedFile extends ReadResults {
  isNew: boolean
}

/** Reads results files, each once; nothing is stored. */
export async function readResultsFiles(files: readonly string[], choices: ResultsChoices): Promise<ReadResults[]> {
  const read: ReadResults[] = []
  for (const file of files) read.push(await readResults(file, { ...choices, now: Date.now() }))
  return read
}

/** For logs of a folder that are passed over. */
export function warnOfEmpty(terminal: Terminal): (path: string) => void {
  return (path) => printWarnings([`${path}: contains no samples and is left out`], terminal)
}

/** Stores the runs of results files unless they are there already. */
export async function keepResults(read: readonly ReadResults[], storage: Storage): Promise<ImportedFile[]> {
  const imported: ImportedFile[] = []
  for (const results of read)
    imported.push({ ...results, isNew: await keepImportedRuns(results, { storage, clock: systemClock }) })
  return imported
}

/** One imported file in a few lines. */
function drawImported(imported: ImportedFile): string {
  const { file, tool, task, runs, seriesId, models, samples, epochs, errors, unscored, scores, isNew } = imported
  const id = seriesId ?? runs[0]!.id
  const means = meansOverCases(runs)
  const open = describeOpenCells({ errors, unscored, notRun: 0 })
  const size = `${formatCount(samples, 'sample')}${epochs > 1 ? ` in ${formatCount(epochs)} epochs` : ''}${open === '' ? '' : `, ${open}`}`
  const lines = [
    `${file}: ${task}, ${tool}, ${size}`,
    ...models.map((model) => `  ${model}: ${formatScore(means.get(model))}`),
    `  Scores: ${scores}`,
    isNew ? `  Imported as ${id}` : `  Already imported as ${id}; nothing was stored again`,
  ]
  return `${lines.map(cleanText).join('\n')}\n`
}

export function toImportedJson(imported: ImportedFile): Record<string, unknown> {
  const { runs, seriesId, models, ...about } = imported
  const means = meansOverCases(runs)
  return {
    ...about,
    ...(seriesId !== undefined && { seriesId }),
    runs: runs.map(({ id }) => id),
    models: models.map((modelId) => ({ modelId, mean: means.get(modelId) ?? null })),
  }
}

/** What to know about a file before its figures. */
export function printNotes(file: ReadResults, terminal: Terminal): void {
  printWarnings([...file.warnings, describeMetricChoice(file) ?? []].flat(), terminal)
}

export function printImported(files: readonly ImportedFile[], terminal: Terminal): void {
  for (const file of files) {
    printNotes(file, terminal)
    terminal.stderr.write(drawImported(file))
  }
}
