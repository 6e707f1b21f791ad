import { formatCount } from '../../report/words/index.ts'
import { printNotice } from './notice.ts'
import type { Terminal } from './terminal.ts'
import { cleanText } from './text-table.ts'

const MAX_SHOWN = 100

/** Prints one line per warning, up to a limit: very many are usually the same mistake repeated. */
export function printWarnings(warnings: readonly string[], terminal: Pick<Terminal, 'stderr' | 'errorColumns'>): void {
  for (const warning of warnings.slice(0, MAX_SHOWN)) printNotice(`warning: ${cleanText(warning)}`, terminal)
  const hidden = warnings.length - MAX_SHOWN
  if (hidden > 0) printNotice(`warning: … and ${formatCount(hidden)} more`, terminal)
}
