/** The keys that a page's own code names, as the browser's driver calls them. */

const BY_CODE = new Map<string, string>([
  ['13', 'Enter'],
  ['32', 'Space'],
  ['37', 'ArrowLeft'],
  ['38', 'ArrowUp'],
  ['39', 'ArrowRight'],
  ['40', 'ArrowDown'],
])

/** What starts a game comes first: before that, no other key does anything. Then each turns from where the last one led. */
const ORDER = ['Enter', 'Space', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight']

/** Where code reads keys without naming them. */
const GUESSES = ['ArrowLeft', 'ArrowRight', 'Space', 'a']

const MOST_KEYS = 8

const P5: Record<string, string> = {
  LEFT_ARROW: 'ArrowLeft',
  RIGHT_ARROW: 'ArrowRight',
  UP_ARROW: 'ArrowUp',
  DOWN_ARROW: 'ArrowDown',
}

function findNames(code: string): string[] {
  const found = [
    ...[...code.matchAll(/['"`.](Arrow(?:Left|Right|Up|Down))\b/g)].map(([, name]) => name!),
    ...[...code.matchAll(/(?:keyCode|which)\s*={2,3}\s*(\d+)|case\s+(3[2789]|40|13)\s*:/g)].flatMap(
      ([, compared, cased]) => BY_CODE.get(compared ?? cased ?? '') ?? [],
    ),
    ...[...code.matchAll(/\b((?:LEFT|RIGHT|UP|DOWN)_ARROW)\b/g)].map(([, name]) => P5[name!]!),
    ...(/['"`]Space(?:bar)?['"`]|(?:key|case)\s*(?:={2,3})?\s*['"`] ['"`]|['"`] ['"`]\s*(?:\]|:)/.test(code)
      ? ['Space']
      : []),
    ...(/['"`]Enter['"`]/.test(code) ? ['Enter'] : []),
    ...[...code.matchAll(/['"`]Key([A-Z])['"`]/g)].map(([, letter]) => letter!.toLowerCase()),
    ...[...code.matchAll(/(?:key|case|toLowerCase\(\))\s*(?:={2,3})?\s*['"`]([a-z])['"`]/gi)].map(([, letter]) =>
      letter!.toLowerCase(),
    ),
  ]
  return [...new Set(found)]
}

/** Keys to press on a page that listens to keys; `areNamed` is false for guesses, whose failure says nothing. */
export function listKeys(html: string): { keys: string[]; areNamed: boolean } {
  const names = findNames(html)
  if (names.length === 0) return { keys: GUESSES, areNamed: false }
  const place = (key: string): number => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length)
  return { keys: names.toSorted((a, b) => place(a) - place(b)).slice(0, MOST_KEYS), areNamed: true }
}
