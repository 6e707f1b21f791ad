/** Options of the command line that the import dialog has fields for; a file name or an id may contain dashes too. */
const OPTION = /(?<=^|[\s(])--(?:metric|scale|lower-is-better|model|columns|split-prompts)(?![\w-])/

function cutLine(line: string): string {
  return line
    .split(/(?<=[;.?])\s/)
    .filter((clause) => !OPTION.test(clause))
    .join(' ')
    .replace(/;$/, '.')
}

/** Without clauses about options of the command line; a message that has nothing else stays whole. */
export function withoutOptions(message: string): string {
  const lines = message.split('\n').map(cutLine)
  const kept = lines.filter((line) => line.trim() !== '').join('\n')
  return kept === '' ? message : kept
}

/** A message under the name of its file, which needs no repeating. */
export function reword(message: string, file: string): string {
  return withoutOptions(message).replaceAll(`${file}: `, '')
}
