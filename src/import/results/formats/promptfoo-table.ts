import type { Fields } from '../../tool-results/formats/fields.ts'
import type { ResultsFile } from '../foreign-results.ts'
import { readCsvLines, splitHeader } from './table-rows.ts'

/** `[provider] prompt`: the answers of one provider to one prompt. */
const OUTPUT_COLUMN = /^\[([^\]]+)\] ?(.*)$/s
/** Older versions write the outcome before the answer; a reason ends with three dashes. */
const OUTCOME = /^\[(PASS|FAIL|ERROR)\](?: \(([\d.]+)\))? ?/

interface OutputColumn {
  index: number
  provider: string
  label: string
  /** Columns that belong to it, by name: Status, Score, Grader Reason. */
  about: Map<string, number>
}

function findOutputs(header: readonly string[]): OutputColumn[] {
  const found: OutputColumn[] = []
  for (const [index, name] of header.entries()) {
    const [, provider, label = ''] = OUTPUT_COLUMN.exec(name) ?? []
    if (provider !== undefined) found.push({ index, provider, label, about: new Map() })
    else found.at(-1)?.about.set(name, index)
  }
  return found
}

/** True for the table that `promptfoo eval -o results.csv` writes. */
export function isPromptfooTable({ start, name }: ResultsFile): boolean {
  if (!/\.csv(\.gz)?$/i.test(name)) return false
  const text = start.toString('utf8', 0, 65_536)
  const outputs = findOutputs(splitHeader(text))
  return outputs.length > 0 && outputs.every(({ about }) => about.has('Status') || /\[(?:PASS|FAIL|ERROR)\]/.test(text))
}

function readOutput(fields: readonly string[], { index, about }: OutputColumn): Fields | undefined {
  const cell = fields[index] ?? ''
  const get = (name: string) => (about.has(name) ? fields[about.get(name)!] : undefined)
  const [written, marked, points] = OUTCOME.exec(cell) ?? ['']
  const status = get('Status') ?? marked
  // A test that was not asked of this provider.
  if (status === undefined || status === '') return undefined
  const rest = cell.slice(written.length)
  const dashes = marked === undefined || status === 'PASS' ? -1 : rest.indexOf('\n---\n')
  const output = dashes < 0 ? rest : rest.slice(dashes + 5)
  const reason = get('Grader Reason') ?? (dashes < 0 ? '' : rest.slice(0, dashes))
  return {
    response: { output },
    score: get('Score') ?? points ?? (status === 'PASS' ? 1 : 0),
    success: status === 'PASS',
    failureReason: status === 'ERROR' ? 2 : status === 'PASS' ? 0 : 1,
    ...(status === 'ERROR' && { error: reason || output || 'the request failed' }),
    gradingResult: { reason },
  }
}

/** The rows that the JSON of the same evaluation has: one a test, provider and prompt. */
export async function readPromptfooTable(file: ResultsFile): Promise<Fields[]> {
  const rows: Fields[] = []
  let header: string[] | undefined
  let outputs: OutputColumn[] = []
  let testIdx = 0
  for await (const { fields } of readCsvLines(file)) {
    if (!header) {
      header = fields
      outputs = findOutputs(header)
      continue
    }
    const names = header.slice(0, outputs[0]?.index ?? 0)
    const entries = names.map((name, index): [string, string] => [name, fields[index] ?? ''])
    const description = entries.find(([name], index) => index === 0 && name === 'Description')?.[1]
    const vars = Object.fromEntries(entries.slice(description === undefined ? 0 : 1))
    for (const [promptIdx, column] of outputs.entries()) {
      const found = readOutput(fields, column)
      if (!found) continue
      const { provider, label } = column
      rows.push({ testIdx, promptIdx, provider, prompt: { label }, vars, testCase: { description }, ...found })
    }
    testIdx += 1
  }
  return rows
}
