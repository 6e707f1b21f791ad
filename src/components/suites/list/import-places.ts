import { escapePattern } from '../../../contract/index.ts'

/** A problem in an imported text, with its place if the message names one. */
export interface ImportProblem {
  line?: number
  column?: number
  message: string
  /** The text of the line. */
  excerpt?: string
}

/** Where the terminal has a flag, the web app has a button. */
function forTheWeb(message: string): string {
  return message.replaceAll(/(?:for example )?(with|or use|use) --map (?:'[^']*'|\S+)/g, '$1 “Choose columns”')
}

/** Reads one problem per line of the message: `FILE:LINE:COLUMN: text` or `FILE:LINE: text`; others have no place. */
export function readImportProblems(
  message: string,
  { fileName, text }: { fileName: string; text: string },
): ImportProblem[] {
  const pattern = new RegExp(String.raw`^${escapePattern(fileName)}(?::(\d+))?(?::(\d+))?: (.*)$`)
  const lines = text.split(/\r\n|\n|\r/)
  return forTheWeb(message)
    .split('\n')
    .flatMap((messageLine): ImportProblem[] => {
      if (messageLine.trim() === '') return []
      const [, line, column, what] = pattern.exec(messageLine) ?? []
      if (what === undefined) return [{ message: messageLine }]
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

/** In file order; problems without a place come last, in their original order. */
export function sortByLine(problems: readonly ImportProblem[]): ImportProblem[] {
  return problems.toSorted((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity) || 0)
}

const formats: Record<string, string> = {
  suite: 'Benchmaker suite',
  csv: 'CSV',
  jsonl: 'JSON lines',
  json: 'a list of JSON objects',
  promptfoo: 'promptfoo config',
  dataset: 'a dataset',
}

export function nameFormat(format: string): string {
  return formats[format] ?? format
}
