import stringWidth from 'fast-string-width'
import { filterChanges, type CaseChange } from '../../../report/comparing/case-changes.ts'
import type { LabelledPair } from '../../../report/comparing/comparison.ts'
import {
  describeCell,
  describeChanges,
  describeNotCompared,
  describePassChanges,
  explainNotCompared,
  formatCount,
  formatDifference,
} from '../../../report/words/index.ts'
import { styleFor, type Terminal } from '../terminal.ts'
import { cleanText, drawTable, shorten, wrapText, type Column } from '../text-table.ts'

const FIRST_CASES = 10

/** With more pairs than this, the lists would bury the counts. */
const MAX_PAIRS_LISTED = 3
const MIN_ID_WIDTH = 12
const INDENT = '  '
const GAP = 2
const FIGURES: Column[] = [
  { title: 'A', align: 'right' },
  { title: 'B', align: 'right' },
  { title: 'Change', align: 'right' },
]

/** A loop: a run may have more cases than a call may have arguments. */
function widestOf(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, stringWidth(text)), 0)
}

function describePass({ pass }: CaseChange): string {
  if (!pass) return ''
  return pass === 'lost' ? 'passed → failed' : 'failed → passed'
}

function drawCases(
  title: string,
  cases: CaseChange[],
  { areAllShown, terminal }: { areAllShown: boolean; terminal: Terminal },
): string {
  if (cases.length === 0) return ''
  const shown = areAllShown ? cases : cases.slice(0, FIRST_CASES)
  const figures = shown.map((change) => [
    describeCell(change.before),
    describeCell(change.after),
    formatDifference(change.difference),
  ])
  const notes = shown.map((change) =>
    change.kind === 'not compared' ? cleanText(explainNotCompared(change)) : describePass(change),
  )
  const figuresWidth = FIGURES.reduce((sum, { title: head }, column) => {
    const width = widestOf([head, ...figures.map((cells) => cells[column]!)])
    return sum + GAP + width
  }, INDENT.length)
  const room = terminal.columns - figuresWidth
  // A narrow terminal has no room for notes: the marks beside the scores say who passed.
  const hasNotes = room - GAP - widestOf(notes) >= MIN_ID_WIDTH
  const idWidth = Math.max(MIN_ID_WIDTH, hasNotes ? room - GAP - widestOf(notes) : room)
  const table = drawTable(
    [{ title: `${title}: ${formatCount(cases.length)}` }, ...FIGURES, ...(hasNotes ? [{ title: '' }] : [])],
    shown.map(({ id }, index) => [
      shorten(cleanText(id), idWidth),
      ...figures[index]!,
      ...(hasNotes ? [notes[index]!] : []),
    ]),
  )
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
