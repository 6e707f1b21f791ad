const EXTENSIONS =
  'html?|css|scss|sass|less|styl|mjs|cjs|js|jsx|mts|cts|ts|tsx|vue|svelte|astro|svg|json|md|py|rb|php|go|java|kt|swift|rs|c|cpp|h|cs|sh|sql|toml|ya?ml|txt|env|xml|ejs|erb'
const NAME = `(?:[\\w@.()[\\]$+-]+[\\\\/])*[\\w@()[\\]+-][\\w@.()[\\]+-]*\\.(?:${EXTENSIONS})`
const NAME_IN_TEXT = new RegExp(`(?<![\\w/.:@-])(?:\\.?[\\\\/])?(${NAME})(?![\\w/-])`, 'gi')
const WHOLE_NAME = new RegExp(`^(?:\\.?[\\\\/])?(${NAME})$`, 'i')
const NAMING_COMMENT = new RegExp(
  `^\\s*(?://+|/\\*+|<!--|#|\\{/\\*)\\s*[=*-]*\\s*(?:file(?:name)?|path)?\\s*:?\\s*(?:\\.?[\\\\/])?(${NAME})\\s*[=*-]*\\s*(?:\\*/\\}?|-->)?\\s*$`,
  'i',
)

/** Libraries whose names look like files: "in Vue.js:" does not name a file. */
const LIBRARIES =
  /^(?:vue|node|next|nuxt|react|three|d3|p5|alpine|chart|express|preact|ember|backbone|angular|matter|pixi|babylon|anime|highlight|prism|socket)\.?js$/i

function clean(name: string): string | undefined {
  const path = name.replaceAll('\\', '/').replace(/^\.?\/+/, '')
  const isLibrary = !path.includes('/') && LIBRARIES.test(path.replace('.', '')) && /^(?:[A-Z]|\w+\.js$)/.test(path)
  return isLibrary ? undefined : path
}

/** Reads the name after an opening fence: `html index.html`, `tsx title="src/App.tsx"`, `js:src/main.js`, or only a name. */
export function nameFromInfo(info: string): string | undefined {
  if (info.length > 200) return undefined
  const attribute = /(?:title|file|filename|path|name)\s*[=:]\s*["']?([^"'\s}]+)["']?/i.exec(info)?.[1]
  const [word = '', ...others] = info.split(/\s+/)
  const behindColon = /^[\w+#-]+:(.+)$/.exec(word)?.[1]
  for (const candidate of [attribute, behindColon, word, ...others]) {
    const found = candidate && WHOLE_NAME.exec(candidate.replace(/^[`"'({[]+|[`"')}\]:,]+$/g, ''))?.[1]
    if (found) return clean(found)
  }
  return undefined
}

/** Reads the name from the last line before a fence: a heading, a bold or quoted name, "Save this as index.html:". */
export function nameFromProse(prose: string): string | undefined {
  const line = prose.trimEnd().split('\n').at(-1)?.trim() ?? ''
  if (line === '' || line.length > 120) return undefined
  const names = new Set([...line.matchAll(NAME_IN_TEXT)].map(([, name]) => name!))
  const [name, ...others] = names
  if (name === undefined || others.length > 0) return undefined
  const around = line.replace(name, '')
  const isHeading = /^(?:#{1,6}\s|\*\*|__|`|\d+[.)]|[-*+]\s|file\b|filename\b)/i.test(line) || /^[\W_]*$/.test(around)
  const isLead = line.endsWith(':') || line.endsWith(':**') || line.endsWith('`')
  return isHeading || isLead ? clean(name) : undefined
}

/** Reads the name from a line that is only a comment with a name: `// src/App.jsx`, `<!-- index.html -->`. */
export function nameFromComment(line: string): string | undefined {
  const name = line.length < 200 ? NAMING_COMMENT.exec(line)?.[1] : undefined
  return name === undefined ? undefined : clean(name)
}

/** Splits code that contains several files, each under a comment with its name; `undefined` if it does not. */
export function splitNamedParts(code: string): { name: string; code: string }[] | undefined {
  const lines = code.split('\n')
  const starts = lines.flatMap((line, index) => {
    const name = nameFromComment(line)
    return name === undefined ? [] : [{ name, index }]
  })
  const before = lines.slice(0, starts[0]?.index ?? 0).join('')
  if (new Set(starts.map(({ name }) => name)).size < 2 || before.trim() !== '') return undefined
  return starts.map(({ name, index }, part) => ({ name, code: lines.slice(index, starts[part + 1]?.index).join('\n') }))
}
