import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { parse } from 'yaml'
import { escapePattern, InputError, isRecord } from '../../contract/index.ts'
import { readSource } from '../text/source-text.ts'
import { makeTaskRecipe, parseHubTasks, type HubTask } from './hub-task.ts'
import { readDataset, type ReadDataset } from './read-dataset.ts'
import { isParquetFile, loadParquetRows, makeParquetTable } from './rows/parquet-table.ts'
import { readDatasetRows } from './rows/read-rows.ts'
import type { RowTable } from './rows/row.ts'

const DATA = /\.(?:parquet|jsonl?|ndjson|[ct]sv)(?:\.gz)?$/i

interface TaskOptions {
  /** The task, where the file has several. */
  recipe?: string | undefined
  mostRows?: number | undefined
}

/** A benchmark in a folder: its `eval.yaml` with the rows beside it; undefined for any other YAML. */
export async function readLocalTask(
  text: string,
  file: string,
  { recipe, mostRows }: TaskOptions,
): Promise<ReadDataset | undefined> {
  const tasks = parseHubTasks(text)
  if (!tasks) return undefined
  const task = chooseTask(tasks, recipe, file)
  const own = makeTaskRecipe(task)
  const table = await readRows(await findRows(task, file), mostRows)
  const title: unknown = parse(text)
  const name = isRecord(title) && typeof title['name'] === 'string' ? title['name'] : undefined
  const read =
    table &&
    readDataset(table, file, {
      ...(own && { own: own.recipe }),
      ...(name !== undefined && { name: tasks.length > 1 && task.id ? `${name}/${task.id}` : name }),
    })
  return read && { ...read, warnings: [...(own?.notes ?? []).map((note) => `${file}: ${note}`), ...read.warnings] }
}

function chooseTask(tasks: readonly HubTask[], named: string | undefined, file: string): HubTask {
  const ids = tasks.flatMap(({ id }) => id ?? [])
  const [first] = tasks
  const found = named === undefined ? (tasks.length === 1 ? first : undefined) : tasks.find(({ id }) => id === named)
  if (found) return found
  throw new InputError(
    named === undefined
      ? `${file}: has several tasks: ${ids.join(', ')}. Choose one: --recipe ${ids[0] ?? 'TASK'}`
      : `${file}: has no task ${named}; there are ${ids.join(', ')}`,
  )
}

/** The files of a split: `test.jsonl`, `data/test-00000-of-00002.parquet`, `main/test.csv`; or the only one there is. */
async function findRows({ config, split }: HubTask, file: string): Promise<string[]> {
  const folder = dirname(file)
  const folders = ['', 'data', ...(config == null ? [] : [config, join('data', config)])]
  const found: string[] = []
  for (const inner of folders) {
    const names = await readdir(join(folder, inner)).catch(() => [])
    found.push(...names.filter((name) => DATA.test(name)).map((name) => join(inner, name)))
  }
  const ofSplit = (name: string) =>
    new RegExp(`^(?:.*[-_.])?${escapePattern(split)}(?:[-_.]\\d+(?:[-_]of[-_]\\d+)?)?${DATA.source}`, 'i').test(
      basename(name),
    )
  const own = config == null ? [] : found.filter((name) => name.includes(config) && ofSplit(name))
  const matching = own.length > 0 ? own : found.filter(ofSplit)
  const chosen = matching.length > 0 ? matching : found.length === 1 ? found : []
  if (chosen.length > 0) return chosen.toSorted().map((name) => join(folder, name))
  throw new InputError(
    `${file}: says how a benchmark on Hugging Face is read, and has no questions; put its rows beside it as ${split}.parquet, ${split}.jsonl or ${split}.csv, or run the benchmark: hf://datasets/OWNER/NAME`,
  )
}

async function readRows(files: readonly string[], mostRows: number | undefined): Promise<RowTable | undefined> {
  const [first] = files
  if (first !== undefined && !(await isParquetFile(first))) {
    if (files.length > 1)
      throw new InputError(`${first}: is one of ${files.length} files of one split; only Parquet is read in several`)
    return readDatasetRows(await readSource(first), first.replace(/\.gz$/i, ''), mostRows)
  }
  const rows = []
  for (const file of files) rows.push(...(await loadParquetRows(file, mostRows)))
  return makeParquetTable(rows.slice(0, mostRows))
}
