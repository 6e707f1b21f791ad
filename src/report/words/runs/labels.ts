import type { RunLabel } from '../../../contract/index.ts'

/** Name, tags and note of the runs, for the head of a report; empty if they have none. */
export function listLabels(runs: readonly { label?: RunLabel }[]): [title: string, text: string][] {
  const join = (texts: (string | undefined)[], separator: string) =>
    [...new Set(texts.filter((text) => text !== undefined))].join(separator)
  const found: [string, string][] = [
    [
      'Name',
      join(
        runs.map(({ label }) => label?.name),
        '; ',
      ),
    ],
    [
      'Tags',
      join(
        runs.flatMap(({ label }) => label?.tags ?? []),
        ', ',
      ),
    ],
    [
      'Note',
      join(
        runs.map(({ label }) => label?.note),
        '\n\n',
      ),
    ],
  ]
  return found.filter(([, text]) => text !== '')
}

/** `Baseline #prod #v2` */
export function nameWithTags({ name, tags = [] }: RunLabel = {}): string {
  return [...(name === undefined ? [] : [name]), ...tags.map((tag) => `#${tag}`)].join(' ')
}
