/** A family of models that answers name without an exact id, and who makes it; patterns of regular expressions. */
interface Family {
  inId: RegExp
  words: string
  makers: string
  /** Words that also name the family inside longer ones, such as `mygpt`; no other word contains them. */
  unmistakable?: string
}

const FAMILIES: readonly Family[] = [
  { inId: /gpt|^o\d/i, words: 'chat-?gpt|gpt', makers: 'open[ -]?ai(?:gpt)?', unmistakable: 'gpt' },
  { inId: /claude/i, words: 'claude', makers: 'anthropic', unmistakable: 'claude' },
  {
    inId: /gemini|gemma|palm/i,
    words: 'gemini|gemma|palm',
    makers: String.raw`google deepmind|deepmind|google(?:apis)?`,
    unmistakable: 'gemini',
  },
  { inId: /llama/i, words: 'llama', makers: 'meta ai|meta' },
  {
    inId: /mi[sx]tral|codestral|ministral/i,
    words: 'mistral(?:[ -]?ai)?|mixtral|codestral|ministral',
    makers: 'mistral ai',
    unmistakable: 'mixtral',
  },
  {
    inId: /qwen|qwq/i,
    words: 'qwen|qwq|tongyi(?: qianwen)?',
    makers: 'alibaba cloud|alibaba|aliyun',
    unmistakable: 'qwen',
  },
  { inId: /deepseek/i, words: 'deep[ -]?seek', makers: 'deepseek', unmistakable: 'deepseek' },
  { inId: /grok/i, words: 'grok', makers: String.raw`x\.?ai` },
  { inId: /command-[ar]|cohere/i, words: 'command[ -][ar]', makers: 'cohere' },
  { inId: /kimi|moonshot/i, words: 'kimi', makers: 'moonshot(?: ai)?' },
  { inId: /glm|zhipu/i, words: 'chatglm|glm', makers: String.raw`zhipu(?: ai)?|z\.ai` },
  { inId: /\bphi-?\d/i, words: String.raw`phi[ -]?\d`, makers: 'microsoft' },
  { inId: /nova/i, words: '(?:amazon )?nova[ -](?:pro|lite|micro|premier)|amazon nova', makers: 'amazon' },
]

/** Sizes and kinds, as they follow the name of a family. */
const VERSIONS =
  'opus|sonnet|haiku|mini|nano|micro|pro|flash|lite|turbo|ultra|omni|max|plus|fast|large|medium|small|premier|instruct|preview|latest|chat|coder|codex|thinking|vision|maverick|scout|r1'

/** Names that stand for a Claude model without its family. */
const TIERS = String.raw`(?:opus|sonnet|haiku)[\s-]?\d(?:[.-]\d)?`

/** A character that an address, JSON or HTML has encoded: `%2F`, `%252F`, `\u002F`, `&#45;`. */
const ESCAPED = String.raw`%(?:25)*[0-9A-F]{2}|\\u[0-9A-F]{4}|&#?[0-9A-Z]{1,8};`

/** Between the parts of a name: spaces, any hyphen, marks of Markdown, characters without a width, or encoded ones. */
const SEPARATOR = `(?:${ESCAPED}|[^\\p{L}\\p{N}]){0,6}`

/** In a text that was encoded, `\n` and `%2F` end with a letter. */
const START = String.raw`(?:(?<![\p{L}\p{N}])|(?<=%[0-9A-F]{2}|\\u[0-9A-F]{4}|\\[nrt]))`
const END = String.raw`(?![\p{L}\p{N}])`

/** What may follow a family: `3.5 Sonnet`, `-4o-mini`. */
const VERSION = `(?:(?:${ESCAPED}|[\\s_.*\\x60\\p{Pd}\\p{Cf}]){0,3}(?:v?\\d+(?:\\.\\d+)*\\p{L}*|${VERSIONS}|\\d+x?\\d*b)${END})*`

/** What may follow an id: a space would end it. */
const ID_TAIL = `[\\p{L}\\p{N}]*(?:[_.:@-](?:v?\\d+(?:\\.\\d+)*\\p{L}*|${VERSIONS})${END})*`

/** Written without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

/** `gpt-4o` also as `GPT 4o`, `gpt_4o` and `GPT4o`; a long word also in two: `nousresearch` as `Nous Research`. */
function loosely(name: string): string {
  const parts = name.split(/[\s_.:/\\@+-]+/).filter((part) => part !== '')
  if (parts.length === 0) return escape(name)
  if (parts.length === 1 && /^[a-z]{8,}$/i.test(name)) return [...name].join(String.raw`[\s_-]?`)
  return parts.map(escape).join(SEPARATOR)
}

/** Parts of ids that name no model: replacing them would change every text that contains them. */
const COMMON =
  /^(?:agents?|assistant|base|batch|better|best|bot|chat|code|coder|command|custom|default|demo|deployment|embeddings?|fast|flash|free|good|instruct|judge|large|latest|local|main|medium|mini|models?|nano|online|preview|prod|production|reasoning|small|test|text|thinking|turbo|vision|\d*x?\d+(?:\.\d+)?[bmk]?)$/i

const isCompound = (name: string) => name.length >= 3 && /[\d/:@-]/.test(name)
const isLetterWithNumber = (name: string) => /^\p{L}\d+$/u.test(name)
const isWord = (name: string) => (name.length >= 4 || (UNSPACED.test(name) && name.length >= 2)) && !/\s/.test(name)

/** Without a date at the end. */
const undated = (name: string) => name.replace(/[-_@]?(?:\d{8}|\d{4}-\d{2}-\d{2}|latest|preview)$/, '')

/**
 * How texts may call a model: its whole id and its parts, also without a date at the end. The ids of simulated models are
 * words such as "good".
 */
function listSpellings(id: string): string[] {
  if (id.startsWith('demo/')) return [id]
  const short = id.slice(id.lastIndexOf('/') + 1)
  const [, ...parts] = id.split(/[/:@]/)
  const names = [short, ...parts].flatMap((name) => [name, undated(name)])
  return [
    ...new Set([
      ...[id, undated(id)].filter((name) => isCompound(name) || isWord(name)),
      ...names.filter((name) => (isCompound(name) || isLetterWithNumber(name) || isWord(name)) && !COMMON.test(name)),
    ]),
  ]
}

/** The first word of a name is that of its family: `hermes` of `nousresearch/hermes-3-llama-3.1-405b`. */
function firstWordOf(id: string): string[] {
  const word = /^\p{L}{4,}(?=[-_.\d\s])/u.exec(id.slice(id.lastIndexOf('/') + 1))?.[0] ?? ''
  return id.startsWith('demo/') || word === '' || COMMON.test(word) ? [] : [word.toLowerCase()]
}

interface Alias {
  pattern: string
  name: string
  /** Inside of longer words too; others only at the start of a word. */
  isEverywhere?: boolean
  isFamily?: boolean
}

/** A name with letters and digits is one inside a longer word too, as in `my-team-gpt4o` or `mygpt-4o`. */
function matchName(name: string): Omit<Alias, 'name'> {
  const isEverywhere = UNSPACED.test(name) || (name.length >= 5 && /\p{L}/u.test(name) && /\d/.test(name))
  const tail = UNSPACED.test(name) ? '' : isEverywhere ? ID_TAIL : VERSION + END
  return { pattern: loosely(name) + tail, isEverywhere }
}

const familiesOf = (id: string) =>
  FAMILIES.filter(({ inId }) => inId.test(id.slice(id.lastIndexOf('/') + 1)) || inId.test(id))

/** The part before the first slash, if it says who serves the model. */
function providerOf(id: string): string | undefined {
  const [provider = ''] = id.split('/')
  return id.includes('/') && provider.length >= 2 && provider !== 'demo' ? provider : undefined
}

/** What is called the same in several models names none of them. */
const nameOne = (meant: ReadonlySet<string>) => (meant.size === 1 ? [...meant][0]! : '[model]')

function matchNames(names: ReadonlyMap<string, string>, listOf: (id: string) => string[]): Alias[] {
  const byAlias = Map.groupBy(
    [...names].flatMap(([id, name]) => listOf(id).map((alias) => ({ alias: alias.toLowerCase(), name }))),
    ({ alias }) => alias,
  )
  return Array.from(byAlias, ([alias, meant]) => ({
    ...matchName(alias),
    name: nameOne(new Set(meant.map(({ name }) => name))),
  }))
}

function listAliases(names: ReadonlyMap<string, string>): Alias[] {
  const ids = matchNames(names, listSpellings)
  const words = matchNames(names, firstWordOf)
  const byFamily = Map.groupBy(
    [...names].flatMap(([id, name]) => familiesOf(id).map((family) => ({ family, name }))),
    ({ family }) => family,
  )
  const families = Array.from(byFamily, ([family, members]) => ({
    ...family,
    name: nameOne(new Set(members.map(({ name }) => name))),
  }))
  const providers = new Set([...names.keys()].flatMap((id) => providerOf(id) ?? []))
  const byLength = (a: Alias, b: Alias) => b.pattern.length - a.pattern.length
  // Ids first: a family would otherwise take the beginning of one.
  return [
    ...ids.toSorted(byLength),
    ...families.map(({ words: pattern, name }) => ({ pattern: `(?:${pattern})${VERSION}${END}`, name })),
    ...(byFamily.has(FAMILIES[1]!) ? [{ pattern: TIERS + END, name: '[model]' }] : []),
    ...words.toSorted(byLength),
    ...Array.from(providers, (provider) => ({ pattern: loosely(provider) + END, name: '[provider]' })).toSorted(
      byLength,
    ),
    ...families.map(({ makers }) => ({ pattern: `(?:${makers})${END}`, name: '[provider]' })),
    ...families.flatMap(({ unmistakable, name }) =>
      unmistakable === undefined
        ? []
        : [{ pattern: unmistakable + VERSION + END, name, isEverywhere: true, isFamily: true }],
    ),
  ]
}

export type Rename = (text: string) => string

/** Full-width letters, as Chinese and Japanese texts have them, name a model as others do. */
function readWideLetters(text: string, rename: Rename): string {
  return text.replaceAll(/[！-～]+/g, (wide) => {
    const plain = wide.normalize('NFKC')
    const renamed = rename(plain)
    return renamed === plain ? wide : renamed
  })
}

/** Replaces what names the models: ids in any spelling, families such as "Claude 3.5 Sonnet", providers and makers. */
export function createRename(names: ReadonlyMap<string, string>): Rename {
  const listed = listAliases(names)
  if (listed.length === 0) return (text) => text
  const atStart = listed.filter(({ isEverywhere = false }) => !isEverywhere)
  const everywhere = listed.filter(({ isEverywhere = false }) => isEverywhere)
  // Ids before what the start of a word may mean, families after it.
  const [first, last] = [
    everywhere.filter(({ isFamily = false }) => !isFamily),
    everywhere.filter(({ isFamily = false }) => isFamily),
  ]
  const aliases = [...first, ...atStart, ...last]
  const join = (some: readonly Alias[]) => some.map(({ pattern }) => `(${pattern})`).join('|')
  // One look at the start of words for all names: a look for each would take twice as long.
  const parts = [join(first), atStart.length > 0 ? `${START}(?:${join(atStart)})` : '', join(last)]
  const pattern = new RegExp(parts.filter((part) => part !== '').join('|'), 'giu')
  const rename = (text: string) =>
    text.replaceAll(pattern, (...groups: unknown[]) => {
      const index = aliases.findIndex((_, place) => groups[place + 1] !== undefined)
      return aliases[index]?.name ?? ''
    })
  return (text) => rename(readWideLetters(text, rename))
}
