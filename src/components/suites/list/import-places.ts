/** A problem in an imported text: its place, where the message names one. */
export interface ImportProblem {
  line?: number
  column?: number
  message: string
  /** The line itself, to be recognised by. */
  excerpt?: string
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** Each line of the message is a problem: `FILE:LINE:COLUMN: what` or `FILE:LINE: what`; others have no place. */
export function readImportProblems(
  message: string,
  { fileName, text }: { fileName: string; text: string },
): ImportProblem[] {
  const place = new RegExp(String.raw`^${escapePattern(fileName)}(?::(\d+))?(?::(\d+))?: (.*)$`)
  const lines = text.split(/\r\n|\n|\r/)
  return message.split('\n').flatMap((row): ImportProblem[] => {
    if (row.trim() === '') return []
    const [, line, column, what] = place.exec(row) ?? []
    if (what === undefined) return [{ message: row }]
    if (line === undefined) return [{ message: what }]
    const excerpt = lines[Number(line) - 1]?.trim().slice(0, 160)
    return [
      {
        line: Number(line),
        ...(column !== undefined && { column: Number(column) }),
        message: what,
        ...(excerpt && { excerpt }),
      },
    ]
  })
}

/** In the order of the file; those without a place stay last, as they were. */
export function sortByLine(problems: readonly ImportProblem[]): ImportProblem[] {
  return problems.toSorted((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity) || 0)
}

const formats: Record<string, string> = {
  suite: 'Benchmaker suite',
  csv: 'CSV',
  jsonl: 'JSON lines',
  promptfoo: 'promptfoo config',
}

export function nameFormat(format: string): string {
  return formats[format] ?? format
}
