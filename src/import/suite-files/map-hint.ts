import { guessColumns, quoteNames } from './column-map.ts'

const ANY = '--map prompt=question,expectedOutput=answer'

/** `--map prompt=question,expectedOutput=answer` with a file's own columns, as far as their names tell. */
export function hintMap(columns: readonly string[]): string {
  // What is no list of names may be any text, which an error must not repeat.
  if (columns.length < 2 || quoteNames('', columns) === '') return ANY
  const { prompt = columns[0], expectedOutput } = guessColumns(columns)
  const expected = expectedOutput ?? columns.find((column) => column !== prompt)
  const map = `prompt=${prompt},expectedOutput=${expected}`
  // A shell would split names at blanks.
  return `--map ${/^[\w.,=-]+$/.test(map) ? map : `'${map}'`}`
}
