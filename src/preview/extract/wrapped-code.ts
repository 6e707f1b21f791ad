/** Code that is not in a fence but in tags, in JSON or in escaped text. */
export interface TaggedCode {
  /** A path, if the answer gives one. */
  name: string | undefined
  language: string
  code: string
  isComplete: boolean
}

const TAG =
  /<(antArtifact|artifact|boltAction|dyad-write|lov-write|create_file|write_file|code_file|file)\b([^>]*)>([\s\S]*?)(<\/\1\s*>|$)/gi
const ATTRIBUTE = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const PATH_NAMES = ['path', 'filepath', 'file_path', 'file', 'filename', 'name']

const LANGUAGES: Record<string, string> = {
  'text/html': 'html',
  'image/svg+xml': 'svg',
  'application/vnd.ant.react': 'jsx',
  'application/vnd.ant.code': '',
}

/** Removes a fence around the whole code, which some models put inside the tag. */
function unfence(code: string): string {
  return code
    .replace(/^\s*(`{3,})[^\n]*\n([\s\S]*?)\n?\1?\s*$/, '$2')
    .replace(/^\s*\n/, '')
    .trimEnd()
}

function readAttributes(text: string): Map<string, string> {
  return new Map([...text.matchAll(ATTRIBUTE)].map(([, name, one, two]) => [name!.toLowerCase(), one ?? two ?? '']))
}

/** Takes out `<antArtifact>`, `<boltAction type="file">`, `<file path="…">` and the like; returns the text without them. */
export function takeTagged(text: string): { pieces: TaggedCode[]; rest: string } {
  const pieces: TaggedCode[] = []
  const rest = text.replace(TAG, (whole, tag: string, attributes: string, code: string, end: string) => {
    const given = readAttributes(attributes)
    const isArtifact = /artifact$/i.test(tag)
    const path = PATH_NAMES.map((name) => given.get(name)).find((value) => value !== undefined && /\.\w+$/.test(value))
    const isFile = path !== undefined || isArtifact
    // `<boltArtifact>` only groups; shell commands are no code of the page.
    if (!isFile || (given.get('type') ?? 'file') === 'shell' || /<boltAction\b/i.test(code)) return whole
    const language = given.get('language') ?? LANGUAGES[given.get('type') ?? ''] ?? ''
    pieces.push({ name: path, language, code: unfence(code), isComplete: end !== '' })
    return '\n'
  })
  return { pieces, rest }
}

const CODE_KEYS: Record<string, string> = {
  html: 'html',
  css: 'css',
  js: 'js',
  javascript: 'js',
  jsx: 'jsx',
  tsx: 'tsx',
  vue: 'vue',
  svelte: 'svelte',
  svg: 'svg',
  code: '',
  content: '',
  page: '',
  source: '',
  answer: '',
  output: '',
}
const CONTENT_KEYS = ['content', 'contents', 'code', 'source', 'text']

function walk(value: unknown, found: TaggedCode[], depth = 0): void {
  if (depth > 5 || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const item of value) walk(item, found, depth + 1)
    return
  }
  const entries = new Map<string, unknown>(Object.entries(value))
  const path = PATH_NAMES.map((name) => entries.get(name) ?? entries.get('filePath')).find(
    (name) => typeof name === 'string' && /\.\w+$/.test(name),
  )
  const content = CONTENT_KEYS.map((name) => entries.get(name)).find((text) => typeof text === 'string')
  if (typeof path === 'string' && typeof content === 'string') {
    found.push({ name: path, language: '', code: unfence(content), isComplete: true })
    return
  }
  for (const [key, inner] of entries) {
    const language = CODE_KEYS[key.toLowerCase()]
    const isPath = /^[\w@./()[\]+-]+\.[a-z]{2,6}$/i.test(key)
    if (typeof inner !== 'string') walk(inner, found, depth + 1)
    else if (isPath) found.push({ name: key.replace(/^\//, ''), language: '', code: unfence(inner), isComplete: true })
    else if (language !== undefined && /[<{;]/.test(inner))
      found.push({ name: undefined, language, code: unfence(inner), isComplete: true })
  }
}

/** Reads code from an answer that is JSON, whole or in a fence: `{ "html": "…" }`, `{ "files": [{ "path", "content" }] }`. */
export function readJson(text: string): TaggedCode[] {
  const fenced = [...text.matchAll(/^[ \t]*```(?:json\w*)?[ \t]*\n([\s\S]*?)\n[ \t]*```/gim)].map(([, inner]) => inner!)
  const found: TaggedCode[] = []
  for (const candidate of [text, ...fenced]) {
    const json = /[{[][\s\S]*[}\]]/.exec(candidate)?.[0]
    if (json === undefined || !/^\s*[{[]/.test(candidate)) continue
    try {
      walk(JSON.parse(json), found)
    } catch {
      // Not JSON, or not all of it yet.
    }
    if (found.length > 0) break
  }
  return found
}

const ENTITIES: Record<string, string> = {
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  '#34': '"',
  apos: "'",
  nbsp: ' ',
  amp: '&',
}

/** Decodes an answer whose page is escaped as a whole: `&lt;!DOCTYPE html&gt;`. */
export function unescapeMarkup(text: string): string {
  if (
    !/&lt;(?:!doctype\s+html|html|body|script|template)\b/i.test(text) ||
    /<(?:html|body|script|template|div)\b/i.test(text)
  )
    return text
  return text.replace(
    /&(lt|gt|quot|apos|nbsp|amp|#39|#x27|#34);/gi,
    (_whole, name: string) => ENTITIES[name.toLowerCase()] ?? '',
  )
}
