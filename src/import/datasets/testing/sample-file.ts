/** A small file in the shape of a published dataset, with sentences of our own. */
export interface SampleFile {
  /** The dataset whose shape it has. */
  of: string
  file: string
  /** Rows, written as the file's ending says; or the text itself. */
  rows?: readonly Record<string, unknown>[]
  text?: string
  recipe: string
  /** Of each case, in order: a right answer and a wrong one (letters, numbers, words). Judged cases have none. */
  answers?: readonly (readonly [right: string, wrong: string])[]
  /** What the first prompt must show. */
  shows: readonly string[]
}

export function lines(rows: readonly Record<string, unknown>[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

export function textOf({ text, file, rows = [] }: SampleFile): string {
  if (text !== undefined) return text
  return file.endsWith('.jsonl') ? lines(rows) : JSON.stringify(rows)
}
