import type { RunLabel } from '../../../contract/index.ts'
import { makeVisible } from '../../../report/words/visible-text.ts'
import { styleFor, type Terminal } from '../terminal.ts'
import { cleanText } from '../text-table.ts'

/** `Baseline #prod #v2` */
export function formatNameAndTags({ name, tags = [] }: RunLabel = {}): string {
  return cleanText([...(name === undefined ? [] : [name]), ...tags.map((tag) => `#${tag}`)].join(' '))
}

/** The label above a run's results; empty if there is none. */
export function formatLabel(label: RunLabel | undefined, terminal: Terminal): string {
  if (!label) return ''
  const head = formatNameAndTags(label)
  const style = styleFor(terminal)
  // Indented, so that no line of it looks like one of ours.
  const note = label.note === undefined ? [] : [`  ${makeVisible(label.note).replaceAll('\n', '\n  ')}`]
  return `${[...(head === '' ? [] : [style('bold', head)]), ...note].map((text) => `${text}\n`).join('')}\n`
}
