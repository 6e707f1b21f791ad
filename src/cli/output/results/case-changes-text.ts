import { filterChanges, type CaseChange } from '../../../report/comparing/case-changes.ts'
import type { LabelledPair } from '../../../report/comparing/comparison.ts'
import { describeChanges, describeNotCompared, describePassChanges, formatCount } from '../../../report/words/index.ts'
import { styleFor, type Terminal } from '../terminal.ts'
import { changeTable } from '../../../report/tables/comparing.ts'
import { narrowColumnsFor } from '../../../report/tables/table.ts'
import { cleanText, layOut, shorten, widestOf, wrapText } from '../text-table.ts'

const FIRST_CASES = 10

/** With more pairs than this, the lists would bury the counts. */
const MAX_PAIRS_LISTED = 3
const MIN_ID_WIDTH = 12
const INDENT = '  '
const GAP = 2
function drawCases(
  title: string,
  cases: CaseChange[],
  { areAllShown, terminal }: { areAllShown: boolean; terminal: Terminal },
): string {
  if (cases.length === 0) return ''
  const shown = areAllShown ? cases : cases.slice(0, FIRST_CASES)
  const [id, ...others] = narrowColumnsFor(changeTable, shown).map((column) => ({
    ...column,
    cells: shown.map((change) => cleanText(column.text(change))),
  }))
  const widthOf = (columns: typeof others) =>
    columns.reduce((sum, { label, cells }) => sum + GAP + widestOf([label, ...cells]), INDENT.length)
  const withoutNotes = others.filter(({ role }) => role !== 'note')
  // A narrow terminal has no room for notes: the marks beside the scores say who passed.
  const columns = terminal.columns - widthOf(others) >= MIN_ID_WIDTH ? others : withoutNotes
  const idWidth = Math.max(MIN_ID_WIDTH, terminal.columns - widthOf(columns))
  const table = layOut([
    { label: `${title}: ${formatCount(cases.length)}`, cells: id!.cells.map((text) => shorten(text, idWidth)) },
    ...columns.map((column) => (column.role === 'note' ? { ...column, label: '' } : column)),
  ])
  const left = cases.length - shown.length
  return `\n${[
    ...table.trimEnd().split('\n'),
    ...(left > 0 ? [`… and ${formatCount(left)} more; --cases lists all`] : []),
  ]
    .map((line) => `${INDENT}${line}\n`)
    .join('')}`
}

/** What is better and what is worse in B than in A, pair by pair. */
export function drawCaseChanges(
  pairs: readonly LabelledPair[],
  { areAllShown }: { areAllShown: boolean },
  terminal: Terminal,
): string {
  const style = styleFor(terminal)
  const areListed = areAllShown || pairs.length <= MAX_PAIRS_LISTED
  const texts = pairs.map(({ before, after, labels: [nameA, nameB], changes }) => {
    const counts = [
      describeChanges(changes, before === after ? undefined : { after: 'B' }),
      describePassChanges(changes),
      describeNotCompared(changes.notCompared),
    ].filter((text) => text !== undefined)
    const lists = areListed
      ? [
          drawCases('Worse', filterChanges(changes, 'worse'), { areAllShown, terminal }),
          drawCases('Better', filterChanges(changes, 'better'), { areAllShown, terminal }),
          areAllShown
            ? drawCases('Not compared', filterChanges(changes, 'not compared'), { areAllShown, terminal })
            : '',
        ]
      : []
    return [
      `\n${style('bold', wrapText(`Case by case: ${cleanText(nameA)} (A) → ${cleanText(nameB)} (B)`, terminal.columns, INDENT))}\n`,
      ...counts.map((text) => `${INDENT}${wrapText(text, terminal.columns, INDENT)}\n`),
      ...lists,
    ].join('')
  })
  const hint =
    areListed || pairs.length === 0 ? '' : `\nTo list the cases, choose models with --models, or add --cases.\n`
  return `${texts.join('')}${hint}`
}
