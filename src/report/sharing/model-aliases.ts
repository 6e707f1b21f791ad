/** Families of models that answers name without their exact id, with who makes them. */
const FAMILIES: readonly { inId: RegExp; words: string; makers: string }[] = [
  { inId: /gpt|^o\d/i, words: 'chat-?gpt|gpt', makers: 'open-?ai' },
  { inId: /claude/i, words: 'claude', makers: 'anthropic' },
  { inId: /gemini|gemma|palm/i, words: 'gemini|gemma|palm', makers: 'google deepmind|deepmind|google' },
  { inId: /llama/i, words: 'llama', makers: 'meta ai|meta' },
  { inId: /mi[sx]tral|codestral|ministral/i, words: 'mistral|mixtral|codestral|ministral', makers: 'mistral ai' },
  { inId: /qwen|qwq/i, words: 'qwen|qwq|tongyi', makers: 'alibaba cloud|alibaba' },
  { inId: /deepseek/i, words: 'deepseek', makers: 'deepseek' },
  { inId: /grok/i, words: 'grok', makers: 'x\\.?ai' },
  { inId: /command-[ar]|cohere/i, words: 'command-[ar]', makers: 'cohere' },
  { inId: /kimi|moonshot/i, words: 'kimi', makers: 'moonshot(?: ai)?' },
  { inId: /glm|zhipu/i, words: 'chatglm|glm', makers: 'zhipu(?: ai)?|z\\.ai' },
  { inId: /\bphi-?\d/i, words: 'phi-?\\d', makers: 'microsoft' },
  { inId: /nova/i, words: 'amazon nova', makers: 'amazon' },
]

/** What may follow a family: `3.5 Sonnet`, `-4o-mini`. */
const VERSION =
  '(?:[\\s_.-]{0,2}(?:v?\\d+(?:\\.\\d+)*[a-z]?|opus|sonnet|haiku|mini|nano|pro|flash|lite|turbo|ultra|large|medium|small|instruct|preview|chat|coder|thinking|\\d+x?\\d*b)(?![\\p{L}\\p{N}]))*'

/** Between the parts of an id: as it is written, in words, in an address, or escaped. */
const SEPARATOR = '(?:[\\s_.:/\\\\@+-]|%2[Ff]|%3[Aa]|%40|\\\\u002[Ff])*'

const START = '(?<![\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`)

/** `gpt-4o` also as `GPT 4o`, `gpt_4o` and `GPT4o`. */
function loosely(name: string): string {
  const parts = name.split(/[\s_.:/\\@+-]+/).filter((part) => part !== '')
  return parts.length === 0 ? escape(name) : parts.map(escape).join(SEPARATOR)
}

/**
 * How texts may call a model: its whole id, the part after the last slash, and both without a date at the end. A plain
 * word such as "good" in `demo/good` stays: replacing it would change every text that contains it.
 */
function listNames(id: string): string[] {
  const short = id.slice(id.lastIndexOf('/') + 1)
  const undated = (name: string) => name.replace(/[-_@]?(?:\d{8}|\d{4}-\d{2}-\d{2}|latest|preview)$/, '')
  const isTelling = (name: string) => name.length >= 3 && /[\d/:@-]/.test(name)
  return [...new Set([id, short, undated(id), undated(short)])].filter(
    (name) => isTelling(name) || (name === id && name.length >= 4),
  )
}

const familiesOf = (id: string) =>
  FAMILIES.filter(({ inId }) => inId.test(id.slice(id.lastIndexOf('/') + 1)) || inId.test(id))

/** The part before the first slash, if it says who serves the model. */
function providerOf(id: string): string | undefined {
  const [provider = ''] = id.split('/')
  return id.includes('/') && provider.length >= 3 && provider !== 'demo' ? provider : undefined
}

interface Alias {
  pattern: string
  name: string
}

function listAliases(names: ReadonlyMap<string, string>): Alias[] {
  const ids = [...names].flatMap(([id, name]) => listNames(id).map((alias) => ({ pattern: loosely(alias), name })))
  const byFamily = Map.groupBy(
    [...names].flatMap(([id, name]) => familiesOf(id).map((family) => ({ family, name }))),
    ({ family }) => family,
  )
  const families = Array.from(byFamily, ([{ words }, members]) => {
    const found = new Set(members.map(({ name }) => name))
    return { pattern: `(?:${words})${VERSION}`, name: found.size === 1 ? [...found][0]! : '[model]' }
  })
  const makers = Array.from(byFamily, ([{ makers: pattern }]) => ({ pattern, name: '[provider]' }))
  const tiers = byFamily.has(FAMILIES[1]!)
    ? [{ pattern: '(?:opus|sonnet|haiku)[\\s-]?\\d(?:[.-]\\d)?', name: '[model]' }]
    : []
  const providers = [...new Set([...names.keys()].flatMap((id) => providerOf(id) ?? []))].map((provider) => ({
    pattern: loosely(provider),
    name: '[provider]',
  }))
  const byLength = (a: Alias, b: Alias) => b.pattern.length - a.pattern.length
  // Ids first: a family would otherwise take the beginning of one.
  return [...ids.toSorted(byLength), ...families, ...tiers, ...providers.toSorted(byLength), ...makers]
}

export type Rename = (text: string) => string

/** Replaces what names the models: ids in any spelling, families such as "Claude 3.5 Sonnet", providers and makers. */
export function createRename(names: ReadonlyMap<string, string>): Rename {
  const aliases = listAliases(names)
  if (aliases.length === 0) return (text) => text
  const pattern = new RegExp(`${START}(?:${aliases.map((alias) => `(${alias.pattern})`).join('|')})${END}`, 'giu')
  return (text) =>
    text.replaceAll(pattern, (...groups: unknown[]) => {
      const index = aliases.findIndex((_, place) => groups[place + 1] !== undefined)
      return aliases[index]?.name ?? ''
    })
}
