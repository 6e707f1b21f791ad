import type { PreviewMessage } from './preview-messages.ts'

/** A sentence about a page that people should read before they judge it. */
export interface PageProblem {
  kind: 'failure' | 'missing'
  text: string
}

const WORDS: [pattern: RegExp, say: (...parts: string[]) => string][] = [
  [
    /^(?:Uncaught )?ReferenceError: (?:Can't find variable: )?(\S+?)(?: is not defined)?$/,
    (name) => `it uses ${name}, which is not defined.`,
  ],
  [
    /^(?:Uncaught )?TypeError: Cannot (read|set) properties of (?:null|undefined) \((?:reading|setting) '([^']+)'\)$/,
    (verb, name) => `it ${verb === 'set' ? 'sets' : 'reads'} “${name}” of something that is not there.`,
  ],
  [
    /^(?:Uncaught )?TypeError: (.+) is not a (function|constructor)$/,
    (name, what) => `it calls ${name}, which is not a ${what}.`,
  ],
  [/^(?:Uncaught )?TypeError: (.+) is not iterable.*$/, (name) => `it goes through ${name}, which is not a list.`],
  [/^(?:Uncaught )?SyntaxError: (.+)$/, (words) => `its code cannot be read: ${words}.`],
  [/^Unhandled rejection: (.+)$/, (words) => `something it waited for failed: ${words}.`],
  [/^<(\w+)[^>]*> could not be loaded: (.*)$/, (_tag, address) => `it could not load ${address}.`],
]

/** React's production build gives only numbers. */
const REACT: Record<string, string> = {
  31: 'it shows an object where only text or elements can be.',
  130: 'it shows a component that is not defined.',
  185: 'its state changes without end.',
  301: 'it renders again and again without end.',
  310: 'it calls its hooks in a different order each time.',
  321: 'it calls a hook outside a component.',
}

const MOST_CHARACTERS = 200

/** The error as the page reports it, in words. */
export function describeError(text: string): string {
  const [, message = text, line] = /^([\s\S]*?)(?: \(line (\d+)\))?$/.exec(text.trim()) ?? []
  const first = message.split('\n', 1)[0]!.trim()
  if (first === '') return 'it does not say which.'
  const known = REACT[/Minified React error #(\d+)/.exec(first)?.[1] ?? '']
  if (known !== undefined) return known
  for (const [pattern, say] of WORDS) {
    const found = pattern.exec(first)
    if (found) return say(...found.slice(1))
  }
  const short = first.length > MOST_CHARACTERS ? `${first.slice(0, MOST_CHARACTERS)}…` : first
  return `${short.replace(/^(?:Uncaught )?(?:Error: )?/, '').replace(/[.!]?$/, line === undefined || line === '0' ? '.' : ` (line ${line}).`)}`
}

const JUDGED = 'The page is judged by its code.'
const ELSEWHERE = 'To see all of it, download the project under Code and run it elsewhere.'

/** What is wrong with the page's code, its first error, then the libraries that it asks for and does not get. */
export function findProblems(
  messages: readonly PreviewMessage[],
  {
    problem,
    missing = [],
    installable = [],
  }: { problem?: string | undefined; missing?: readonly string[]; installable?: readonly string[] } = {},
): PageProblem[] {
  const error = messages.find(({ kind }) => kind === 'error')
  const failure: PageProblem[] = error
    ? [{ kind: 'failure', text: `The page has an error: ${describeError(error.text)}` }]
    : []
  const code: PageProblem[] = problem === undefined ? [] : [{ kind: 'failure', text: problem }]
  return [
    ...code,
    ...failure,
    ...missing.map((text): PageProblem => ({
      kind: 'missing',
      text: [text, JUDGED, ...(installable.length > 0 ? [] : [ELSEWHERE])].join(' '),
    })),
  ]
}
