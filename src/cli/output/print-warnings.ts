import { formatCount } from '../../report/words/index.ts'
import type { Terminal } from './terminal.ts'
import { cleanText } from './text-table.ts'

const MAX_SHOWN = 100

/** Prints one line per warning, up to a limit: very many are usually the same mistake repeated. */
export function printWarnings(warnings: readonly string[], { stderr }: Pick<Terminal, 'stderr'>): void {
  for (const warning of warnings.slice(0, MAX_SHOWN)) stderr.write(`warning: ${cleanText(warning)}\n`)
  const hidden = warnings.length - MAX_SHOWN
  if (hidden > 0) stderr.write(`warning: … and ${formatCount(hidden)} more\n`)
}
