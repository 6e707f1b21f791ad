/** Text for a cell of a Markdown table. */
function cell(text: string): string {
  return text
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
}

/** Code for a cell; Markdown has no escape inside code but for the bar. */
export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`'
  return text === '' ? '' : `${fence}${cell(text)}${fence}`
}

/** Words in which `<` and `*` are not markup; what is in backticks stays code. */
export function plain(text: string): string {
  return cell(text)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[\\`*_<>[\]]/g, String.raw`\$&`)))
    .join('')
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`
}
