import { formatCount } from '../../report/words/index.ts'
import type { Terminal } from './terminal.ts'
import { cleanText } from './text-table.ts'

const MOST_SHOWN = 100

/** One line each; the first of them only when there are very many, which is mostly one mistake made many times. */
export function printWarnings(warnings: readonly string[], { stderr }: Pick<Terminal, 'stderr'>): void {
  for (const warning of warnings.slice(0, MOST_SHOWN)) stderr.write(`warning: ${cleanText(warning)}\n`)
  const hidden = warnings.length - MOST_SHOWN
  if (hidden > 0) stderr.write(`warning: … and ${formatCount(hidden)} more\n`)
}
