import type { PageFindings } from '../../contract/index.ts'

/** What was found out about a page; every list may be missing. */
export interface JudgedFindings extends Partial<PageFindings> {
  /** What is wrong with the code itself: does not compile, imports what is not there. */
  problems?: readonly string[]
}

const MOST_LINES = 15
const MOST_CHARACTERS = 300

function writeList(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const shown = lines.slice(0, MOST_LINES).map((line) => `- ${line.replace(/\s+/g, ' ').slice(0, MOST_CHARACTERS)}`)
  return [
    `${heading} (${lines.length}):`,
    ...shown,
    ...(lines.length > MOST_LINES ? [`- and ${lines.length - MOST_LINES} more`] : []),
  ]
}

/** The findings as a judge reads them, each list bounded; empty when there is nothing to say. */
export function describeFindings({
  problems = [],
  errors = [],
  console = [],
  accessibility = [],
  interactions = [],
  blocked = [],
}: JudgedFindings): string {
  const failing = console.filter(({ level }) => level === 'error' || level === 'warn')
  const idle = interactions.filter(({ hadEffect }) => !hadEffect)
  return [
    ...writeList('Problems with the code', problems),
    ...writeList('Errors', errors),
    ...writeList(
      'Console errors and warnings',
      failing.map(({ level, text }) => `${level}: ${text}`),
    ),
    ...writeList(
      'Accessibility rules broken',
      accessibility.map(({ id, impact, help, nodes }) => `${impact}: ${help} (${id}, ${nodes} elements)`),
    ),
    ...(interactions.length === 0
      ? []
      : [`Controls tried: ${interactions.length}, of which ${interactions.length - idle.length} had an effect.`]),
    ...writeList(
      'Controls without effect',
      idle.map(({ action, target }) => `${action} ${JSON.stringify(target)}`),
    ),
    ...writeList(
      'Not loaded, because there is no network here',
      blocked.map(({ url, why }) => `${url}: ${why}`),
    ),
  ].join('\n')
}
