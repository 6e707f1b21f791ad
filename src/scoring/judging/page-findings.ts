import type { PageFindings } from '../../contract/index.ts'

/** What was found on a page; every list is optional. */
export interface JudgedFindings extends Partial<PageFindings> {
  /** Problems with the code itself: it does not compile, or imports something that does not exist. */
  problems?: readonly string[]
}

const MAX_LINES = 15
const MAX_CHARACTERS = 300

function writeList(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const shown = lines.slice(0, MAX_LINES).map((line) => `- ${line.replace(/\s+/g, ' ').slice(0, MAX_CHARACTERS)}`)
  return [
    `${heading} (${lines.length}):`,
    ...shown,
    ...(lines.length > MAX_LINES ? [`- and ${lines.length - MAX_LINES} more`] : []),
  ]
}

/** The findings for the judge's prompt, with lists cut short; empty if there are none. */
export function writeFindings({
  problems = [],
  errors = [],
  console = [],
  accessibility = [],
  interactions = [],
  blocked = [],
}: JudgedFindings): string {
  const logged = console.filter(({ level }) => level === 'error' || level === 'warn')
  const idle = interactions.filter(({ hadEffect }) => !hadEffect)
  return [
    ...writeList('Problems with the code', problems),
    ...writeList('Errors', errors),
    ...writeList(
      'Console errors and warnings',
      logged.map(({ level, text }) => `${level}: ${text}`),
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
