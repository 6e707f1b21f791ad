import type { RunLabel } from '../../../contract/index.ts'
import { nameWithTags } from '../../../report/words/index.ts'
import { makeVisible } from '../../../report/words/visible-text.ts'
import { styleFor, type Terminal } from '../terminal.ts'
import { cleanText, wrapText } from '../text-table.ts'

const INDENT = '  '

/** The label above a run's results; empty if there is none. */
export function drawLabel(label: RunLabel | undefined, terminal: Terminal): string {
  if (!label) return ''
  const head = cleanText(nameWithTags(label))
  const style = styleFor(terminal)
  // Indented, so that no line of it looks like one of ours.
  const wrap = (text: string) => wrapText(text, terminal.columns, INDENT)
  const lines = label.note === undefined ? [] : makeVisible(label.note).split('\n')
  const note = lines.map((line) => `${INDENT}${wrap(line)}`)
  return `${[...(head === '' ? [] : [style('bold', wrap(head))]), ...note].map((text) => `${text}\n`).join('')}\n`
}
