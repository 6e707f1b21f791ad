import type { BrokenReasons } from '../../../report/model/failures/broken-reasons.ts'
import { describeBrokenReason } from '../../../report/words/verdicts/failures/broken-reasons.ts'
import { excerpt } from '../../../report/words/index.ts'
import { styleFor, type Terminal } from '../terminal.ts'
import { cleanText, cutEnd, wrapText } from '../text-table.ts'

const INDENT = '     '
/** The message of an error says what to do in its first words. */
const MAX_EVIDENCE = 200

const oneLine = (text: string) => cleanText(text).replaceAll(/\s+/g, ' ').trim()

/** Why nothing passed: each reason with its evidence, an example and what to do. */
export function drawReasons({ cells, reasons }: BrokenReasons, terminal: Pick<Terminal, 'columns' | 'colour'>): string {
  if (reasons.length === 0) return ''
  const style = styleFor(terminal)
  const { columns } = terminal
  const lines = reasons.flatMap((reason, index) => {
    const { title, text, fix } = describeBrokenReason(reason, cells)
    const { caseId, expected, got } = reason.example ?? {}
    const pair = `${expected === undefined ? '' : `expected ${oneLine(expected)}, `}got ${oneLine(got ?? '') || '(empty)'}`
    return [
      `  ${wrapText(`${index + 1}  ${title}. ${fix}`, columns - 2, INDENT)}`,
      INDENT + wrapText(excerpt(cleanText(text), MAX_EVIDENCE), columns - INDENT.length, INDENT),
      ...(caseId === undefined ? [] : [style('dim', cutEnd(`${INDENT}${cleanText(caseId)}: ${pair}`, columns))]),
    ]
  })
  return `${[style('red', 'Likely reasons'), ...lines].join('\n')}\n`
}
