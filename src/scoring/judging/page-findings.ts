import { countNoun, type PageFindings, type PageInteraction } from '../../contract/index.ts'

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

const VERBS: Record<PageInteraction['action'], string> = {
  click: 'Pressed',
  type: 'Filled in',
  key: 'Pressed the key',
  drag: 'Dragged',
}

/** `Pressed "Save": 4 % of the screen changes` */
export function describeInteraction({ action, target, hadEffect, change }: PageInteraction): string {
  const name = action === 'key' ? target : JSON.stringify(target)
  return `${VERBS[action]} ${name}: ${hadEffect ? (change ?? 'something changed') : 'no visible change'}`
}

const percent = (share: number): string => (share < 0.01 ? 'less than 1 %' : `${Math.round(100 * share)} %`)

/** What else a person would notice, a sentence each. */
export function listObservations({
  sideways,
  isStillLoading = false,
  movingShare,
  accessibilityCut,
}: Partial<PageFindings>): string[] {
  const scrolls = (sideways ?? []).map(
    ({ width, by, element }) => `At ${width} px it scrolls sideways by ${by} px, furthest for ${element}.`,
  )
  return [
    ...(sideways?.length === 0 ? ['It scrolls sideways at no width.'] : scrolls),
    ...(movingShare === undefined ? [] : [`${percent(movingShare)} of the screen moves in the first three seconds.`]),
    ...(isStillLoading ? ['It was still loading after 5 seconds, when the pictures were taken.'] : []),
    ...(accessibilityCut === undefined ? [] : [accessibilityCut]),
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
  ...others
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
      : [
          `${countNoun(interactions.length, 'control or key', 'controls and keys')} tried, ${interactions.length - idle.length} with an effect that can be seen or heard.`,
        ]),
    ...writeList('Without visible change', idle.map(describeInteraction)),
    ...writeList('With what was seen', interactions.filter(({ hadEffect }) => hadEffect).map(describeInteraction)),
    ...writeList('Observed', listObservations(others)),
    ...writeList(
      'Not loaded, because there is no network here',
      blocked.map(({ url, why }) => `${url}: ${why}`),
    ),
  ].join('\n')
}
