import { foldText, makeLabel, type RunLabel, type RunRequest } from '../../contract/index.ts'
import { jsonColumn, readOptionalJson, readOptionalText, textColumn } from './columns.ts'
import type { RunsTable } from './schema.ts'

type LabelColumns = Pick<RunsTable, 'name' | 'tags' | 'note'>

/** Around each tag in `label_words`; `foldText` removes it from texts, so it cannot be part of one. */
const SEPARATOR = '\u001F'

export const tagWords = (tag: string) => `${SEPARATOR}${foldText(tag).trim()}${SEPARATOR}`

interface SearchedRun {
  id: string
  seriesId?: string | undefined
  testSuiteId?: string | undefined
  testSuiteName?: string | undefined
  models: readonly string[]
  request?: Pick<RunRequest, 'startedBy' | 'project'> | undefined
}

export function runWords({
  id,
  seriesId = '',
  testSuiteId = '',
  testSuiteName = '',
  models,
  request: { startedBy, project } = {},
}: SearchedRun): string {
  const team = [startedBy?.name, project].filter((word) => word !== undefined)
  return [id, seriesId, testSuiteName, testSuiteId, ...models, ...team].map(foldText).join('\n')
}

export function labelColumns({ name, tags, note }: RunLabel = {}): LabelColumns & Pick<RunsTable, 'label_words'> {
  const isEmpty = name === undefined && tags === undefined && note === undefined
  const words = [foldText(name ?? ''), foldText(note ?? ''), (tags ?? []).map(tagWords).join('')]
  return {
    name: textColumn(name),
    tags: jsonColumn(tags),
    note: textColumn(note),
    label_words: isEmpty ? null : words.join('\n'),
  }
}

export function readLabel(row: LabelColumns, where: string): RunLabel | undefined {
  const tags = readOptionalJson<unknown>(row.tags, `The column tags ${where}`)
  return makeLabel({
    name: readOptionalText(row.name),
    // Edited by hand, it may be any JSON.
    tags: Array.isArray(tags) ? tags.map(String) : [],
    note: readOptionalText(row.note),
  })
}
