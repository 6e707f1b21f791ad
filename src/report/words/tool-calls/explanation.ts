import { LongInteger } from '../../../contract/index.ts'
import { makePrintable, rangeOf, type ActionReason, type ScoredRecord } from '../../../scoring/tool-calls/index.ts'
import { makeVisibleLine } from '../visible-text.ts'
import { fixed } from './statistics-text.ts'

interface ExplainOptions {
  style(format: keyof Brush, text: string): string
  /** Width of the terminal in characters. */
  columns: number
}

type Paint = (text: string) => string

interface Brush {
  dim: Paint
  red: Paint
  green: Paint
  bold: Paint
}

/** The expected and actual calls of a record side by side, with every argument that differs. */
export function formatExplanation(record: ScoredRecord, { style, columns }: ExplainOptions): string {
  const brush = createBrush(style)
  const { taskId, trial, reward, score, reasons } = record
  const title = `Task ${makeVisibleLine(taskId)}, trial ${trial}`
  if (score === null || !reasons) {
    const why = makeVisibleLine(record.unscored ?? 'the record does not say what was expected')
    return `${brush.bold(title)}: not scored, ${why}\n`
  }
  const rewarded = reward === undefined ? '' : `, reward ${reward}`
  const table = createTable({ columns, brush })
  return [
    `${brush.bold(title)}: ${fixed(score, 3)} ${rangeOf(score)} (${reasons.credit} credit)${rewarded}`,
    ...(reasons.verdict === undefined ? [] : [`  ${makeVisibleLine(reasons.verdict)}`]),
    ...table.row({ left: 'expected', right: 'actual', mark: ' ', isPlain: true }),
    ...reasons.actions.flatMap((action) => explainAction(action, table)),
    ...reasons.extraCalls.flatMap(({ index, name, arguments: given }) => [
      ...table.row({ left: '', right: `${name} (call ${index + 1})`, mark: '+' }),
      ...Object.entries(asObject(given)).flatMap(([key, value]) =>
        table.row({ left: '', right: `  ${key}: ${writePrintable(value)}`, mark: ' ', isPlain: true }),
      ),
    ]),
    ...(reasons.outputs ?? []).flatMap(({ text, isSaid }) =>
      table.row({ left: `tell the user: ${text}`, right: isSaid ? 'said' : 'not said', mark: isSaid ? '=' : '-' }),
    ),
    ...(reasons.actions.length + reasons.extraCalls.length === 0 ? ['  (no calls that count on either side)'] : []),
    ...reasons.leftOut.map(({ side, index, name, why }) =>
      brush.dim(
        `  left out: ${side} ${side === 'actual' ? 'call' : 'action'} ${index + 1} ${makeVisibleLine(name)}, ${why}`,
      ),
    ),
    '',
  ].join('\n')
}

function explainAction(action: ActionReason, table: Table): string[] {
  const { name, arguments: expected, call, score, kind, differences } = action
  const wrong = new Set(differences.map(({ path }) => /^[^.[]+/.exec(path)?.[0] ?? path))
  const wanted = asObject(expected)
  const given = asObject(call?.arguments)
  const keys = [...new Set([...Object.keys(wanted), ...(call ? Object.keys(given) : [])])]
  const side = (values: Record<string, unknown>, key: string) =>
    Object.hasOwn(values, key) ? `  ${key}: ${writePrintable(values[key])}` : ''
  return [
    ...table.row({
      left: `${name} ${fixed(score, 3)}`,
      right: call ? `${call.name} (call ${call.index + 1})` : 'not called',
      mark: kind === 'exact' ? '=' : kind === 'tool not called' ? '-' : '~',
    }),
    ...keys.flatMap((key) =>
      table.row({
        left: side(wanted, key),
        right: call ? side(given, key) : '',
        mark: !call || !wrong.has(key) ? ' ' : Object.hasOwn(given, key) ? '~' : '-',
        isPlain: !wrong.has(key),
      }),
    ),
    ...differences.map(({ path, kind: how, expected: before, actual: after }) =>
      table.note(
        how === 'changed'
          ? `${path}: expected ${writePrintable(before)}, got ${writePrintable(after)}`
          : how === 'missing'
            ? `${path}: missing, expected ${writePrintable(before)}`
            : `${path}: not expected, got ${writePrintable(after)}`,
      ),
    ),
  ]
}

interface Row {
  left: string
  right: string
  /** `=` equal, `~` differs, `-` missing, `+` extra. */
  mark: '=' | '~' | '-' | '+' | ' '
  isPlain?: boolean
}

interface Table {
  row(row: Row): string[]
  note(text: string): string
}

function createTable({ columns, brush }: { columns: number; brush: Brush }): Table {
  const width = Math.max(16, Math.floor((Math.max(40, columns) - 5) / 2))
  return {
    row({ left, right, mark, isPlain = false }) {
      const lefts = wrapLine(makeVisibleLine(left), width)
      const rights = wrapLine(makeVisibleLine(right), width)
      const [paintLeft, paintRight] = isPlain
        ? [brush.dim, brush.dim]
        : mark === '='
          ? [brush.green, brush.green]
          : [brush.green, brush.red]
      return Array.from({ length: Math.max(lefts.length, rights.length) }, (_, line) => {
        const cell = (lefts[line] ?? '').padEnd(width)
        return `${line === 0 ? mark : ' '} ${paintLeft(cell)} | ${paintRight(rights[line] ?? '')}`.trimEnd()
      })
    },
    note: (text) =>
      wrapLine(makeVisibleLine(text), Math.max(30, columns - 4))
        .map((line, index) => brush.red(`${index === 0 ? '  ! ' : '    '}${line}`))
        .join('\n'),
  }
}

/** Breaks after any character: arguments have no better places to break. */
function wrapLine(text: string, width: number): string[] {
  const characters = [...text]
  if (characters.length <= width) return [text]
  const indent = /^ */.exec(text)![0]
  const lines = [characters.slice(0, width).join('')]
  const step = width - indent.length
  for (let at = width; at < characters.length; at += step) lines.push(indent + characters.slice(at, at + step).join(''))
  return lines
}

function asObject(value: unknown): Record<string, unknown> {
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null || value instanceof LongInteger) return { '(value)': value }
  return Object.fromEntries(Object.entries(value))
}

function writePrintable(value: unknown): string {
  return JSON.stringify(makePrintable(value)) ?? 'nothing'
}

function createBrush(style: ExplainOptions['style']): Brush {
  const paint =
    (format: keyof Brush): Paint =>
    (text) =>
      style(format, text)
  return { dim: paint('dim'), red: paint('red'), green: paint('green'), bold: paint('bold') }
}
