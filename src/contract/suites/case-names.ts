/** A test case, or its row of a report. */
interface Named {
  id: string
  category?: string | undefined
  tags?: readonly string[] | undefined
}

/** What selects a case: its id, its category and its tags. */
export function namesOfCase({ id, category, tags = [] }: Named): string[] {
  return [id, ...(category === undefined ? [] : [category]), ...tags]
}

/** Names with commas between them. One that is known as a whole may have commas itself. */
export function readNames(text: string, known: ReadonlySet<string> = new Set()): string[] {
  return known.has(text) ? [text] : text.split(',').flatMap((name) => name.trim() || [])
}
