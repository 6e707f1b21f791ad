import { diffLines } from 'diff'

export type DiffRow =
  | { kind: 'same' | 'added' | 'removed'; text: string; before?: number; after?: number }
  /** Unchanged lines that are not shown. */
  | { kind: 'gap'; count: number }

const CONTEXT = 3

type Line = Exclude<DiffRow, { kind: 'gap' }>

function numberLines(before: string, after: string): Line[] {
  let [left, right] = [0, 0]
  return diffLines(before, after).flatMap(({ value, added, removed }) => {
    const kind = added ? 'added' : removed ? 'removed' : 'same'
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((text): Line => {
        if (kind !== 'added') left += 1
        if (kind !== 'removed') right += 1
        return { kind, text, ...(kind !== 'added' && { before: left }), ...(kind !== 'removed' && { after: right }) }
      })
  })
}

/** The changed lines with a few lines of context. Empty if the texts are the same. */
export function diffTexts(before: string, after: string): DiffRow[] {
  const lines = numberLines(before, after)
  const isShown = new Uint8Array(lines.length)
  for (const [index, { kind }] of lines.entries())
    if (kind !== 'same') isShown.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1)
  if (!isShown.includes(1)) return []
  const rows: DiffRow[] = []
  for (const [index, line] of lines.entries()) {
    const last = rows.at(-1)
    if (isShown[index] === 1) rows.push(line)
    else if (last?.kind === 'gap') last.count += 1
    else rows.push({ kind: 'gap', count: 1 })
  }
  return rows
}

export function countChanges(rows: readonly DiffRow[]): { added: number; removed: number } {
  const count = (kind: DiffRow['kind']) => rows.filter((row) => row.kind === kind).length
  return { added: count('added'), removed: count('removed') }
}
