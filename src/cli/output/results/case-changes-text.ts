import { filterChanges, type CaseChange } from '../../../report/comparing/case-changes.ts'
import type { LabelledPair } from '../../../report/comparing/comparison.ts'
import { describeChanges, describeNotCompared, describePassChanges, formatCount } from '../../../report/words/index.ts'
import { styleFor, type Terminal } from '../terminal.ts'
import { changeTable } from '../../../report/tables/comparing.ts'
import { narrowColumnsFor } from '../../../report/tables/table.ts'
import { cleanText, layOut, shorten, widestOf, wrapText } from '../text-table.ts'

const FIRST_CASES = 5

/** With more pairs than this, the lists would bury the counts. */
const MAX_PAIRS_LISTED = 3
const MIN_ID_WIDTH = 12
/** The titles of the columns of scores. */
const MAX_TITLE = 16
const INDENT = '  '
const GAP = 2

type Names = readonly [before: string, after: string]

/** Of one model in two runs, what tells them apart: `base` of `gpt · base`. */
function nameSide(label: string, model: string | undefined): string {
  const start = `${model ?? ''} · `
  return model !== undefined && label.startsWith(start) ? label.slice(start.length) : label
}

function drawCases(
  title: string,
  cases: CaseChange[],
  { areAllShown, names, terminal }: { areAllShown: boolean; names: Names; terminal: Terminal },
): string {
  if (cases.length === 0) return ''
  const shown = areAllShown ? cases : cases.slice(0, FIRST_CASES)
  const [id, ...others] = narrowColumnsFor(changeTable, shown).map((column) => ({
    ...column,
    label: column.key === 'a' ? names[0] : column.key === 'b' ? names[1] : column.label,
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

/** What is better and what is worse afterwards, pair by pair. */
export function drawCaseChanges(
  pairs: readonly LabelledPair[],
  { areAllShown }: { areAllShown: boolean },
  terminal: Terminal,
): string {
  const style = styleFor(terminal)
  const areListed = areAllShown || pairs.length <= MAX_PAIRS_LISTED
  const texts = pairs.map(({ before, after, labels, changes }) => {
    const isOneModel = before === after
    const names = labels.map((label) => nameSide(cleanText(label), isOneModel ? cleanText(before) : undefined))
    const [nameA = '', nameB = ''] = names
    const sides = isOneModel ? ([`in ${nameA}`, `in ${nameB}`] as const) : ([`with ${nameA}`, `with ${nameB}`] as const)
    const shared = { areAllShown, terminal, names: [shorten(nameA, MAX_TITLE), shorten(nameB, MAX_TITLE)] as const }
    const counts = [
      describeChanges(changes, isOneModel ? undefined : { after: nameB }),
      describePassChanges(changes, sides),
      describeNotCompared(changes.notCompared, sides),
    ].filter((text) => text !== undefined)
    const lists = areListed
      ? [
          drawCases('Worse', filterChanges(changes, 'worse'), shared),
          drawCases('Better', filterChanges(changes, 'better'), shared),
          areAllShown ? drawCases('Not compared', filterChanges(changes, 'not compared'), shared) : '',
        ]
      : []
    return [
      `\n${style('bold', wrapText(`${isOneModel ? `${cleanText(before)}: ` : ''}${nameA} → ${nameB}`, terminal.columns, INDENT))}\n`,
      ...counts.map((text) => `${INDENT}${wrapText(text, terminal.columns, INDENT)}\n`),
      ...lists,
    ].join('')
  })
  const hint =
    areListed || pairs.length === 0 ? '' : `\nTo list the cases, choose models with --models, or add --cases.\n`
  return `${texts.join('')}${hint}`
}
