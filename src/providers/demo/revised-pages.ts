/** What a simulated model does to its earlier page: good and fair ones change its colour, the poor one only says so. */

const COLOURS: Record<string, { page: string; strong: string }> = {
  blue: { page: '#dbe8ff', strong: '#1d4ed8' },
  red: { page: '#ffe1e1', strong: '#b91c1c' },
  green: { page: '#dcf5e4', strong: '#15803d' },
  purple: { page: '#ede4ff', strong: '#6d28d9' },
  orange: { page: '#ffe9d3', strong: '#c2410c' },
  gray: { page: '#e5e7eb', strong: '#374151' },
}

const HAS_PAGE = /```\w+[^\n]*\n[\s\S]*<[a-z]/i

function colourOf(request: string): string {
  const words = request.toLowerCase().match(/[a-z]+/g) ?? []
  return words.find((word) => Object.hasOwn(COLOURS, word)) ?? 'gray'
}

function styleOf(colour: string): string {
  const { page, strong } = COLOURS[colour]!
  return `<style>:root { color-scheme: light } body { background: ${page} } h1, h2, h3 { color: ${strong} }</style>`
}

/** The answer to a follow-up; undefined if the conversation has no page yet. */
export function revisePage(modelId: string, earlier: readonly string[], request: string): string | undefined {
  const before = earlier.findLast((answer) => HAS_PAGE.test(answer))
  if (before === undefined) return undefined
  const page = before.slice(before.indexOf('```'))
  if (modelId === 'demo/poor') return `Done!\n\n${page}`
  const end = /<\/(?:head|body|html)>/i.exec(page)
  const colour = colourOf(request)
  const changed = end
    ? `${page.slice(0, end.index)}${styleOf(colour)}\n${page.slice(end.index)}`
    : // A component with Tailwind's classes.
      page.replaceAll(/\b(?:slate|indigo)-(?=\d)/g, `${colour}-`)
  return `I changed the page as you asked.\n\n${changed}`
}
