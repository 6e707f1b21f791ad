import type { ImportedFile, ImportPreview } from '../../../server/imports/routes.ts'
import { isSummaryOf } from '../../../contract/files/summary-file.ts'
import { formatCount, formatScore } from '../../../report/words/index.ts'
import type { GivenFile } from '../../ui/files/given-file.ts'

/** Of a dropped folder only these: configs, logs and pictures lie beside results. Files dropped by themselves are all read. */
export function chooseResultsFiles(given: readonly GivenFile[]): GivenFile[] {
  return given.filter(({ path }) => !path.includes('/') || /\.(?:eval|jsonl?|ndjson|csv|tsv|parquet)$/i.test(path))
}

/** A file to import, with the summary that lies beside it. */
export interface FileToImport extends GivenFile {
  summary?: File | undefined
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1)

/** Samples of lm-evaluation-harness with the summary of their run, which is no results file itself. */
export function joinSummaries(given: readonly GivenFile[]): FileToImport[] {
  const summaries = new Set<GivenFile>()
  const joined = given.map((one): FileToImport => {
    const summary = given.find(
      ({ path, file }) => folderOf(path) === folderOf(one.path) && isSummaryOf(file.name, one.file.name),
    )
    if (!summary || summary === one) return one
    summaries.add(summary)
    return { ...one, summary: summary.file }
  })
  return joined.filter((_file, index) => !summaries.has(given[index]!))
}

/** The body of the request: the summary goes first. */
export function makeImportBody({ file, summary }: FileToImport): Blob {
  return summary ? new Blob([summary, file]) : file
}

/** What the user chose for a file; empty means as the file says. */
export interface ImportChoices {
  metric: string
  min: string
  max: string
  isLowerBetter: boolean
  model: string
  /** Columns of a table, by what they hold. */
  columns: Readonly<Record<string, string>>
}

export const noChoices: ImportChoices = { metric: '', min: '', max: '', isLowerBetter: false, model: '', columns: {} }

/** What a column of a results table can hold, with the words of the form. */
export const columnLabels: readonly [field: string, label: string][] = [
  ['id', 'Id of the sample'],
  ['score', 'Score'],
  ['model', 'Model'],
  ['epoch', 'Repeat'],
  ['prompt', 'Prompt'],
  ['answer', 'Answer'],
  ['expected', 'Expected answer'],
  ['error', 'Error'],
  ['cost', 'Cost'],
]

/** The query of the request. */
export function makeImportQuery(
  name: string,
  choices: ImportChoices,
  summary?: File,
): Record<string, string> & { name: string } {
  const { metric, min, max, isLowerBetter, model, columns } = choices
  const named = Object.entries(columns).filter(([, column]) => column !== '')
  return {
    name,
    ...(summary && { beside: summary.name, besideBytes: String(summary.size) }),
    ...(metric !== '' && { metric }),
    ...(min.trim() !== '' && max.trim() !== '' && { min: min.trim(), max: max.trim() }),
    ...(isLowerBetter && { lowerIsBetter: '1' }),
    ...(model.trim() !== '' && { model: model.trim() }),
    ...(named.length > 0 && {
      columns: named.map(([field, column]) => `${field}=${encodeURIComponent(column)}`).join(','),
    }),
  }
}

/** The metric whose values need a scale, if that is why the file cannot be imported. */
export function needsScale({ metrics, results }: ImportPreview, { metric }: ImportChoices): boolean {
  if (results) return false
  const chosen = metrics.find(({ name }) => name === metric)
  return chosen ? chosen.state === 'scale' : metrics.some(({ state }) => state === 'scale')
}

/** One line about a file: the tool, the task and how much there is. */
export function describeFile({ tool, task, samples, epochs, errors, unscored }: ImportedFile): string {
  const parts = [
    formatCount(samples, 'sample'),
    ...(epochs > 1 ? [formatCount(epochs, 'epoch')] : []),
    ...(errors > 0 ? [formatCount(errors, 'error')] : []),
    ...(unscored > 0 ? [`${formatCount(unscored)} unscored`] : []),
  ]
  return `${task} · ${tool} · ${parts.join(', ')}`
}

export function describeMeans({ models }: ImportedFile): string {
  return models.map(({ modelId, mean }) => `${modelId} ${formatScore(mean ?? undefined)}`).join(' · ')
}
