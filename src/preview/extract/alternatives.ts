/** Several pages of which a reader takes one: "Option A", "Option B (recommended)". */

const KINDS = 'option|version|variant|variation|alternative|approach|design|concept|solution'
const TITLE = new RegExp(`^(?:\\d+[.)]\\s*)?((?:the\\s+)?(?:\\w+\\s+)?(?:${KINDS})\\b.*)$`, 'i')
const RECOMMENDED = /(?<!not |n’t |n't )\b(?:recommended|preferred|best choice|my pick)\b|★|⭐/i
const RECOMMENDS = new RegExp(
  `(?<!not |n’t |n't )\\b(?:recommend|suggest|prefer|go with|pick|choose)\\b[^.\\n]{0,60}?\\b((?:${KINDS})\\s*(?:[A-Z]|\\d+))\\b`,
  'i',
)

interface Heading {
  text: string
  /** 1 is the highest; 7 for a line in bold, or one that ends with a colon. */
  level: number
}

function readHeading(line: string): Heading | undefined {
  const [, marks, titled] = /^\s{0,3}(#{1,6})\s+(.+)$/.exec(line) ?? []
  if (marks !== undefined) return { text: titled!, level: marks.length }
  const [, bold] = /^\s*(?:\d+[.)]\s*)?(?:\*\*|__)(.+?)(?:\*\*|__)[\s:]*$/.exec(line) ?? []
  const led = line.length < 120 && /:\s*$/.test(line) ? line : undefined
  const text = bold ?? led
  return text === undefined ? undefined : { text, level: 7 }
}

const clean = (text: string): string =>
  text
    .replaceAll(/[*_`#]+/g, '')
    .replace(/[\s:–—-]+$/, '')
    .trim()

/** Reads an answer's prose in order; says after each part to which alternative the next piece of code belongs. */
export function createAlternativeReader(): (prose: string) => string | undefined {
  let current: { title: string; level: number } | undefined
  return (prose) => {
    for (const line of prose.split('\n')) {
      const heading = line.length > 200 ? undefined : readHeading(line)
      if (!heading) continue
      const title = TITLE.exec(clean(heading.text))?.[1]
      if (title !== undefined) current = { title, level: heading.level }
      else if (current && heading.level <= current.level && heading.level < 7) current = undefined
    }
    return current?.title
  }
}

/** Which of the alternatives the answer itself recommends; the first if it does not say. */
export function findRecommended(titles: readonly string[], text: string): number {
  const marked = titles.findIndex((title) => RECOMMENDED.test(title))
  if (marked >= 0) return marked
  const label = RECOMMENDS.exec(text)?.[1]?.toLowerCase().replaceAll(/\s+/g, ' ')
  const named = label === undefined ? -1 : titles.findIndex((title) => new RegExp(`^${label}\\b`, 'i').test(title))
  return Math.max(0, named)
}
