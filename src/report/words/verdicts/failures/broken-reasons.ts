import type { BrokenReason, BrokenReasons } from '../../../model/failures/broken-reasons.ts'
import { formatCount, formatPercent } from '../../numbers.ts'

interface ReasonWords {
  title: string
  /** Its evidence. */
  text: string
  fix: string
}

/** A likely reason why nothing passed, what shows it, and what to do. `of`: all cells of the result. */
export function describeBrokenReason({ kind, answers, message = '' }: BrokenReason, of: number): ReasonWords {
  const count = `${formatCount(answers)} of ${formatCount(of, 'answer')}`
  switch (kind) {
    case 'error':
      return {
        title: 'Requests failed',
        text: `${count}: ${message}`,
        fix: 'Check the key, the address and the model.',
      }
    case 'says-more':
      return {
        title: 'The scorer wants the whole answer to match',
        text: `${count} contain the expected output and say more.`,
        fix: 'Score with contains, then rescore: it sends no request.',
      }
    case 'cut-off':
      return {
        title: 'Answers were cut off',
        text: `${count} stopped at the limit of output tokens.`,
        fix: 'Raise the maximum of tokens, then run again.',
      }
    case 'empty':
      return { title: 'Answers are empty', text: `${count} have no text.`, fix: 'Try one case in the playground.' }
    case 'shifted':
      return {
        title: 'The expected outputs may be shifted by one row',
        text: `${count} equal the expected output of the case before or after.`,
        fix: 'Check the suite, then rescore.',
      }
    case 'other-case':
      return {
        title: 'Capital letters differ',
        text: `${count} differ from the expected output only in capital letters.`,
        fix: 'Check the expected outputs, then rescore.',
      }
  }
}

/** `94 % of the answers` */
export function describeReasonShare({ answers }: BrokenReason, of: number): string {
  return `${formatPercent(answers / Math.max(1, of), 0)} of the answers`
}

/** Whether the reasons explain at least half of the answers; otherwise what failed says more. */
export function isExplained({ cells, reasons }: BrokenReasons): boolean {
  return reasons.reduce((sum, { answers }) => sum + answers, 0) >= cells / 2
}
