import type { CodeKind } from './code-file.ts'

const BY_WORD = new Map<string, CodeKind>(
  Object.entries({
    html: 'html',
    htm: 'html',
    html5: 'html',
    xhtml: 'html',
    css: 'css',
    css3: 'css',
    postcss: 'css',
    js: 'js',
    javascript: 'js',
    mjs: 'js',
    cjs: 'js',
    es6: 'js',
    ecmascript: 'js',
    ts: 'ts',
    typescript: 'ts',
    mts: 'ts',
    cts: 'ts',
    jsx: 'jsx',
    react: 'jsx',
    javascriptreact: 'jsx',
    reactjs: 'jsx',
    tsx: 'tsx',
    typescriptreact: 'tsx',
    vue: 'vue',
    'vue-html': 'vue',
    vue3: 'vue',
    sfc: 'vue',
    svelte: 'svelte',
    scss: 'css',
    sass: 'css',
    svg: 'svg',
    json: 'json',
    jsonc: 'json',
    diff: 'diff',
    patch: 'diff',
  }),
)

/** Words that do not tell the language. */
const NO_LANGUAGE = new Set([
  '',
  'text',
  'txt',
  'plain',
  'plaintext',
  'code',
  'source',
  'xml',
  'output',
  'example',
  'artifact',
])

/** Display names of languages that do not run here. */
const LANGUAGE_NAMES = new Map(
  Object.entries({
    py: 'Python',
    python: 'Python',
    python3: 'Python',
    rb: 'Ruby',
    ruby: 'Ruby',
    erb: 'Ruby',
    php: 'PHP',
    go: 'Go',
    golang: 'Go',
    java: 'Java',
    kt: 'Kotlin',
    kotlin: 'Kotlin',
    swift: 'Swift',
    rs: 'Rust',
    rust: 'Rust',
    c: 'C',
    h: 'C',
    cpp: 'C++',
    'c++': 'C++',
    cs: 'C#',
    csharp: 'C#',
    'c#': 'C#',
    dart: 'Dart',
    sql: 'SQL',
    bash: 'shell commands',
    sh: 'shell commands',
    shell: 'shell commands',
    zsh: 'shell commands',
    console: 'shell commands',
    powershell: 'shell commands',
    yaml: 'YAML',
    yml: 'YAML',
    toml: 'TOML',
    dockerfile: 'a Dockerfile',
    astro: 'Astro',
    less: 'Less',
    styl: 'Stylus',
    elixir: 'Elixir',
    scala: 'Scala',
    r: 'R',
    json: 'JSON',
    haskell: 'Haskell',
    lua: 'Lua',
    perl: 'Perl',
    ejs: 'EJS',
  }),
)

/** Returns the display name of a language that browsers do not run: Python for `python`. */
export function nameLanguage(language: string): string | undefined {
  return LANGUAGE_NAMES.get(language)
}

const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|main|div|section|header|footer|nav|article|form|button|style|script|link|meta|h[1-6]|p|ul|ol|table|canvas|input|label|figure|aside|dialog|details|img|span|a|video)\b/i
const SVG_START = /^<svg\b/i
const VUE_START = /^<(?:template|script\s+setup|script\s+lang="ts"\s+setup|script\s+setup\s+lang="ts")(?:\s[^>]*)?>/i
const JSX_SIGN =
  /(?:\breturn\s*\(?|=>\s*\(?|=\s*\(?|\?\s*\(?|&&\s*\(?|\brender\s*\(|\bcreateRoot\([^)]*\)\.render\(|[(,:]\s*)\s*<(?:[A-Za-z][\w.]*(?:\s+[\w:-]+\s*=|\s+\{\.\.\.|\s*\/?>|\s*\n)|>)/
const TYPE_SIGN =
  /^\s*(?:export\s+)?(?:interface|type)\s+\w+[^=\n]*[={]|:\s*(?:string|number|boolean|void|unknown|any|React\.\w+)\b|\buse(?:State|Ref|Reducer)<|\bas\s+(?:const|HTML\w+|string|number)\b/m
const JS_SIGN =
  /^\s*(?:import\s[^\n]*from\s|export\s+(?:default|const|function|class)|'use (?:strict|client)'|"use (?:strict|client)"|(?:async\s+)?function\s+\w+\s*\(|(?:const|let|var)\s+[\w{[]|class\s+\w+|document\.|window\.|\(\s*(?:async\s*)?(?:function|\())/m
const CSS_SIGN =
  /^\s*(?:@(?:import|media|keyframes|layer|charset|font-face|tailwind|theme)\b|[^{}<>;()]+\{\s*(?:\/\*[\s\S]*?\*\/\s*)?(?:--)?[a-z-]+\s*:[^{}]*;?)/m
const DIFF_SIGN = /^(?:diff --git |--- \S+[^\n]*\n\+\+\+ \S+|@@ -\d+(?:,\d+)? \+\d+)/m

/** Returns true for HTML that is really a Vue single-file component. */
function looksLikeVue(code: string): boolean {
  return (
    VUE_START.test(skipComments(code)) ||
    (/^\s*<script\b/i.test(code) && /^<template>/m.test(code) && !/<(?:html|body)\b/i.test(code))
  )
}

const SVELTE_SIGN =
  /\{[#@/](?:if|each|await|key|html|snippet|render)\b|\$(?:state|derived|props|effect|bindable)(?:\.\w+)?\(|\bon:\w+(?:\|\w+)*=\{|\bbind:\w+=\{|<svelte:\w+/

/** Returns true for markup that is a Svelte component. Vue writes `{{ }}`, a whole page has a body. */
function looksLikeSvelte(code: string): boolean {
  return /^\s*</.test(code) && SVELTE_SIGN.test(code) && !/<(?:html|body)\b|<template>|\{\{/i.test(code)
}

/**
 * Removes strings, templates and comments, so that markup inside them does not count as JSX. One pattern for a whole
 * string would overflow the engine's stack on one of many million characters.
 */
export function stripText(code: string): string {
  const opening = /[`'"]|\/\*|(?<!:)\/\//g
  let stripped = ''
  let position = 0
  for (let found = opening.exec(code); found; found = opening.exec(code)) {
    const end = endOfText(code, found[0], opening.lastIndex)
    if (end === undefined) continue
    stripped += `${code.slice(position, found.index)}\`\``
    position = end
    opening.lastIndex = end
  }
  return stripped + code.slice(position)
}

/** Undefined if what opens here is never closed. Only templates may span several lines. */
function endOfText(code: string, opening: string, start: number): number | undefined {
  if (opening === '//') return indexAfter(code, /(?=\n)|$/g, start)
  if (opening === '/*') return indexAfter(code, /\*\//g, start)
  const tokens = opening === '`' ? /\\[\s\S]|`/g : new RegExp(String.raw`\\.|[${opening}\n]`, 'g')
  tokens.lastIndex = start
  let token = tokens.exec(code)?.[0]
  while (token?.startsWith('\\')) token = tokens.exec(code)?.[0]
  return token === opening ? tokens.lastIndex : undefined
}

function indexAfter(code: string, pattern: RegExp, start: number): number | undefined {
  pattern.lastIndex = start
  const found = pattern.exec(code)
  return found ? found.index + found[0].length : undefined
}

/** Without the declaration, comments and blanks that it begins with. */
function skipComments(markup: string): string {
  let rest = markup.trimStart().replace(/^<\?xml[^>]*>\s*/i, '')
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', 4)
    if (end === -1) return rest
    rest = rest.slice(end + 3).trimStart()
  }
  return rest
}

/** `js` or `ts` that contains markup is JSX. A lone type parameter (`=> <T>`) is not markup. */
function refineScript(kind: 'js' | 'ts' | 'jsx' | 'tsx', code: string): CodeKind {
  const hasTypes = kind === 'ts' || kind === 'tsx' || (kind === 'jsx' && TYPE_SIGN.test(code))
  const hasMarkup = kind === 'jsx' || kind === 'tsx' || JSX_SIGN.test(stripText(code))
  return hasMarkup ? (hasTypes ? 'tsx' : 'jsx') : hasTypes ? 'ts' : 'js'
}

/** Recognises code by its text alone; `undefined` for prose and for what browsers do not run. */
export function sniffKind(code: string): CodeKind | undefined {
  if (DIFF_SIGN.test(code)) return 'diff'
  if (looksLikeVue(code)) return 'vue'
  if (looksLikeSvelte(code)) return 'svelte'
  if (SVG_START.test(skipComments(code))) return 'svg'
  if (HTML_START.test(skipComments(code))) return 'html'
  if (JS_SIGN.test(code)) return refineScript(TYPE_SIGN.test(code) ? 'ts' : 'js', code)
  return CSS_SIGN.test(code) ? 'css' : undefined
}

/** Returns the language: the file's extension if it has a name, or else the first word after the fence. */
export function languageOf(info: string, name: string | undefined): string {
  const extension = name?.match(/\.([a-z0-9]+)$/i)?.[1]
  return (extension ?? /^\{?\.?([\w+#-]+)/.exec(info)?.[1] ?? '').toLowerCase()
}

/** Returns the kind of a piece of code: by its language if that is known, or else by its text. */
export function recogniseKind(language: string, code: string): CodeKind {
  const declared = BY_WORD.get(language)
  if (declared === 'diff' || DIFF_SIGN.test(code)) return 'diff'
  switch (declared) {
    case 'js':
    case 'ts':
    case 'jsx':
    case 'tsx': {
      const isMarkup = HTML_START.test(skipComments(code)) || SVG_START.test(skipComments(code))
      return isMarkup && !JS_SIGN.test(code.replace(/<script[\s\S]*$/i, ''))
        ? (sniffKind(code) ?? declared)
        : refineScript(declared, code)
    }
    case 'html':
      return looksLikeVue(code) ? 'vue' : looksLikeSvelte(code) ? 'svelte' : declared
    case undefined:
      return NO_LANGUAGE.has(language) ? (sniffKind(code) ?? 'other') : 'other'
    default:
      return declared
  }
}
