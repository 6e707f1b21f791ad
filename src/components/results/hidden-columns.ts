/** The columns that a reader has hidden, from what the browser stored; other text counts as none. */
export function readHidden(text: string | null): string[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

/** Hides or shows a column. */
export function changeHidden(hidden: readonly string[], name: string, isShown: boolean): string[] {
  const others = hidden.filter((other) => other !== name)
  return isShown ? others : [...others, name]
}

/** The columns to show, in their order; all of them if every one is hidden. */
export function chooseColumns<Column>(
  columns: readonly Column[],
  hidden: readonly string[],
  nameOf: (column: Column) => string,
): Column[] {
  const shown = columns.filter((column) => !hidden.includes(nameOf(column)))
  return shown.length === 0 ? [...columns] : shown
}
