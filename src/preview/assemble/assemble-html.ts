import { belongsToPage } from '../extract/choose-runnable.ts'
import type { CodeFile } from '../extract/code-file.ts'
import { compileGlobalScript, hasModuleSyntax, isScriptKind } from './compile-script.ts'
import { findLibrary, findStyles, findUnneeded, isOldTailwind, isOldVue } from './known-libraries.ts'
import { inlinePictures, inlineStylePictures, showPicture } from './answer-pictures.ts'
import { findFile } from './find-file.ts'
import { linkModules, type AssemblyReport } from './link-modules.ts'
import { readHtml, type HtmlTag } from './read-html.ts'
import { recogniseKind } from '../extract/recognise-language.ts'
import { cleanStyles, isRemote, styleUse } from './remote-addresses.ts'
import { compileStyles, isStyleSource } from './compile-styles.ts'
import { writeShadcnTheme } from './shadcn-theme.ts'
import { adaptTailwindSource, isTailwindSource } from './tailwind-classes.ts'
import { vendorUrl, withNeeded } from '../vendor/vendored-files.ts'
import { applyReplacements, inlineScript, inlineStyle, insertInHead, writeTag, type Replacement } from './write-html.ts'

/** Makes `new Vue({ el, data: {} })` work with Vue 3. */
const OLD_VUE = `(function () {
  var Vue3 = window.Vue
  var components = {}
  function Vue(options) {
    var own = Object.assign({}, options)
    if (options.data && typeof options.data !== 'function') own.data = function () { return options.data }
    own.components = Object.assign({}, components, options.components)
    if (options.filters) own.methods = Object.assign({}, options.filters, options.methods)
    var app = Vue3.createApp(own)
    if (options.el) return app.mount(options.el)
    return { $mount: function (target) { return app.mount(target) } }
  }
  Object.assign(Vue, Vue3)
  Vue.component = function (name, definition) { components[name] = definition }
  Vue.filter = Vue.directive = Vue.use = function () {}
  Vue.config = {}
  window.Vue = Vue
})()`

/** A document after its libraries and module scripts have been taken out. */
export interface HtmlParts {
  html: string
  /** Markup for the end of the body: modules and deferred scripts, which run last. */
  atEnd: string[]
  /** Names of the files that were put into the document. */
  used: Set<string>
  usesOldTailwind: boolean
}

const SCRIPT_TYPES =
  /^(?:|text\/javascript|application\/javascript|text\/ecmascript|module|text\/babel|text\/jsx|text\/typescript|application\/typescript|text\/tsx|text\/typescript-jsx)$/i

export function vendorScript(name: string): string {
  return `<script src="${vendorUrl(name)}" crossorigin="anonymous"></script>`
}

/** Finds the file for an address; an address that fits none means the only unnamed file of its kind. */
function findReferenced(
  files: CodeFile[],
  address: string,
  isOfKind: (file: CodeFile) => boolean,
  used: Set<string>,
): CodeFile | undefined {
  const found = findFile(files, address)
  if (found) return found
  const unnamed = files.filter((file) => !file.isNamed && isOfKind(file) && !used.has(file.name))
  return unnamed.length === 1 ? unnamed[0] : undefined
}

function readImportMap(tags: HtmlTag[]): Map<string, string> {
  const map = new Map<string, string>()
  for (const tag of tags) {
    if (tag.name !== 'script' || tag.attributes.get('type') !== 'importmap') continue
    try {
      const { imports }: { imports?: Record<string, unknown> } = JSON.parse(tag.text)
      for (const [name, address] of Object.entries(imports ?? {}))
        if (typeof address === 'string') map.set(name, address)
    } catch {
      // An unreadable map maps nothing; the imports that needed it are reported one by one.
    }
  }
  return map
}

/** Makes a document self-contained: inlines the answer's scripts and styles, swaps remote libraries for ours, removes the rest. */
export async function inlineResources(
  page: CodeFile,
  allFiles: CodeFile[],
  report: AssemblyReport,
  { runScripts }: { runScripts: boolean },
): Promise<HtmlParts> {
  const { vendors, blocked, notes, problems, packages } = report
  const files = allFiles.filter((file) => file !== page)
  const { tags } = readHtml(page.code)
  const importMap = readImportMap(tags)
  const replacements: Replacement[] = []
  const used = new Set<string>()
  const atEnd: string[] = []
  const placed = new Set<string>()
  let usesOldTailwind = false
  let scripts = 0

  /** Returns a library's script, and those of what it needs, where the page first loads it; nothing after that. */
  const placeVendor = (name: string): string => {
    const missing = withNeeded([name]).filter((needed) => !placed.has(needed))
    for (const needed of missing) placed.add(needed)
    return missing.map(vendorScript).join('\n')
  }

  /** Script builds of three ended with version 0.160; what changed since shows. */
  const noteVersion = (source: string): void => {
    if (/\bthree(?:\.js)?[/@]/.test(source) && /r?1[0-4]\d\b|0\.1[0-4]\d\b/.test(source))
      notes.add(
        'The page was written for an old version of three and runs on the current one; light and colours can differ.',
      )
  }

  const takeScript = async (
    source: string,
    { name, type, isDeferred }: { name: string; type: string; isDeferred: boolean },
  ): Promise<string> => {
    const code = inlinePictures(source, files, page.name)
    const isTyped = /typescript|tsx/i.test(type) || /\.tsx?$/.test(name)
    const kind = recogniseKind(isTyped ? 'ts' : /babel|jsx/i.test(type) ? 'jsx' : 'js', code)
    const scriptKind = isScriptKind(kind) ? kind : 'js'
    if (hasModuleSyntax(code) || (type === 'module' && scriptKind !== 'js')) {
      const linked = await linkModules(
        { name, isNamed: true, kind: scriptKind, language: '', code, isComplete: true },
        files,
        report,
        importMap,
      )
      if (linked)
        atEnd.push(
          inlineScript(`${linked.code}\npreviewModules.run(${JSON.stringify(name)}, { isAsync: ${linked.isAsync} })`),
        )
      return ''
    }
    if (type === 'module') {
      atEnd.push(writeTag('script', [['type', 'module']]) + inlineScript(code).replace('<script>', ''))
      return ''
    }
    if (scriptKind === 'js' && !isDeferred) return inlineScript(code)
    if (scriptKind !== 'js') vendors.add('react')
    const compiled = await compileGlobalScript({ name, kind: scriptKind, code })
    if ('problem' in compiled) {
      problems.push(compiled.problem)
      return ''
    }
    atEnd.push(inlineScript(compiled.code))
    return ''
  }

  const takeScriptTag = async (tag: HtmlTag): Promise<string | undefined> => {
    const { attributes } = tag
    const type = (attributes.get('type') ?? '').trim().toLowerCase()
    if (type === 'importmap') return ''
    if (!SCRIPT_TYPES.test(type)) return undefined
    const source = attributes.get('src')
    scripts++
    if (source === undefined) {
      if (!runScripts) return ''
      // A plain script stays unchanged.
      const isPlain = (type === '' || /javascript|ecmascript/.test(type)) && !hasModuleSyntax(tag.text)
      if (!isPlain) return takeScript(tag.text, { name: `script ${scripts} of ${page.name}`, type, isDeferred: false })
      const text = inlinePictures(tag.text, files, page.name)
      return text === tag.text ? undefined : `${writeTag('script', attributes)}${text}</script>`
    }
    if (/^(?:data|blob):/i.test(source)) return undefined
    if (isRemote(source)) {
      const located = packages.locate(source)
      const library = located !== undefined && packages.isRequested(located) ? undefined : findLibrary(source)
      if (library) {
        vendors.add(library.vendor)
        usesOldTailwind ||= isOldTailwind(source)
        noteVersion(source)
        if (!isOldVue(source)) {
          const start = library.starts === undefined || placed.has(library.vendor) ? '' : inlineScript(library.starts)
          return placeVendor(library.vendor) + start
        }
        notes.add('The page was written for Vue 2 and runs on Vue 3; some things behave differently.')
        return placeVendor('vue') + inlineScript(OLD_VUE)
      }
      if (located !== undefined && type === 'module')
        return runScripts
          ? takeScript(`import ${JSON.stringify(located)}`, { name: `script ${scripts}`, type, isDeferred: true })
          : ''
      const script = located === undefined ? undefined : await packages.readScript(located)
      if (script !== undefined) return inlineScript(script)
      const styles = findStyles(source)
      if (styles === 'font-awesome') {
        vendors.add(styles)
        return placeVendor(styles)
      }
      const unneeded = findUnneeded(source)
      if (!unneeded) blocked.add(source, 'script')
      return ''
    }
    const file = findReferenced(files, source, ({ kind }) => isScriptKind(kind), used)
    if (!file) {
      notes.add(`The page loads ${source}, which is not in the answer.`)
      return ''
    }
    used.add(file.name)
    if (!runScripts) return ''
    if (file.kind === 'vue') return ''
    return takeScript(file.code, {
      name: file.name,
      type,
      isDeferred: attributes.has('defer') || attributes.has('async') || type === 'module',
    })
  }

  const takeLinkTag = async ({ attributes }: HtmlTag): Promise<string | undefined> => {
    const relation = (attributes.get('rel') ?? '').toLowerCase()
    const address = attributes.get('href') ?? ''
    if (!relation.split(/\s+/).includes('stylesheet')) return /^data:/i.test(address) ? undefined : ''
    if (isRemote(address)) {
      if (findLibrary(address)?.vendor === 'tailwind') {
        vendors.add('tailwind')
        usesOldTailwind = true
        return placeVendor('tailwind')
      }
      const located = packages.locate(address)
      const isChosen = located !== undefined && packages.isRequested(located)
      const styles = isChosen ? undefined : findStyles(address)
      const css = styles === undefined && located !== undefined ? await packages.readStyles(located) : undefined
      if (css !== undefined) return inlineStyle(cleanStyles(css, blocked))
      if (styles !== undefined) {
        vendors.add(styles)
        return placeVendor(styles)
      }
      blocked.add(address, styleUse(address))
      return ''
    }
    if (/^data:/i.test(address)) return undefined
    const file = findReferenced(files, address, ({ kind }) => kind === 'css', used)
    if (!file) {
      notes.add(`The page loads ${address}, which is not in the answer.`)
      return ''
    }
    used.add(file.name)
    return placeStyle(file, attributes.get('media'))
  }

  const placeStyle = async (file: CodeFile, media?: string): Promise<string> => {
    const styles = isStyleSource(file) ? await compileStyles(file, allFiles) : { css: file.code }
    if ('problem' in styles) {
      problems.push(styles.problem)
      return ''
    }
    const css = inlineStylePictures(styles.css, files, file.name)
    if (isTailwindSource(css)) {
      vendors.add('tailwind')
      return inlineStyle(adaptTailwindSource(css), 'text/tailwindcss')
    }
    const cleaned = cleanStyles(css, blocked)
    return inlineStyle(media === undefined || media === 'all' ? cleaned : `@media ${media} {\n${cleaned}\n}`)
  }

  const takeStyleTag = ({ text, attributes }: HtmlTag): string | undefined => {
    if (attributes.get('type') === 'text/tailwindcss') {
      vendors.add('tailwind')
      return inlineStyle(adaptTailwindSource(inlineStylePictures(text, files, page.name)), 'text/tailwindcss')
    }
    const cleaned = cleanStyles(inlineStylePictures(text, files, page.name), blocked)
    return cleaned === text ? undefined : `${writeTag('style', attributes)}${cleaned}</style>`
  }

  const listAddresses = ({ name, attributes }: HtmlTag): void => {
    const source = attributes.get(name === 'object' ? 'data' : 'src') ?? ''
    if (isRemote(source))
      blocked.add(
        source,
        name === 'img' || name === 'input'
          ? 'image'
          : name === 'iframe' || name === 'frame' || name === 'embed' || name === 'object'
            ? 'frame'
            : 'media',
      )
    const style = attributes.get('style')
    if (style?.includes('url(')) cleanStyles(style, blocked)
  }

  const takeTag = async (tag: HtmlTag): Promise<string | undefined> => {
    const equivalent = tag.attributes.get('http-equiv')?.toLowerCase()
    switch (tag.name) {
      case 'script':
        return takeScriptTag(tag)
      case 'link':
        return takeLinkTag(tag)
      case 'style':
        return takeStyleTag(tag)
      case 'base':
        return ''
      case 'meta':
        if (equivalent !== 'refresh' && equivalent !== 'content-security-policy') return undefined
        notes.add(`<meta http-equiv="${equivalent}"> is left out of the preview.`)
        return ''
      default:
        listAddresses(tag)
        return undefined
    }
  }

  let done = 0
  for (const tag of tags) {
    if (tag.start < done) continue
    const text = await takeTag(tag)
    const replacement =
      text === undefined
        ? tag.name === 'script' || tag.name === 'style'
          ? undefined
          : showPicture(tag, page.code, files, page.name)
        : { start: tag.start, end: tag.end, text }
    if (!replacement) continue
    replacements.push(replacement)
    done = replacement.end
  }

  // Style sheets and scripts that the page does not load belong to it if it has none of its own.
  const hasOwnStyles = tags.some(({ name }) => name === 'style')
  const hasOwnScripts = tags.some(
    ({ name, attributes, text }) => name === 'script' && !attributes.has('src') && text.trim() !== '',
  )
  const loose = files.filter((file) => !used.has(file.name) && belongsToPage(file))
  const looseStyles = loose.filter(({ kind, isNamed }) => kind === 'css' && (isNamed || !hasOwnStyles))
  const looseScripts = loose.filter(
    ({ kind, isNamed }) => isScriptKind(kind) && !hasOwnScripts && (used.size === 0 || !isNamed),
  )
  for (const file of looseScripts) {
    if (!runScripts) continue
    used.add(file.name)
    const text = await takeScript(file.code, { name: file.name, type: '', isDeferred: true })
    if (text !== '') atEnd.push(text)
  }
  const styles: string[] = []
  for (const file of looseStyles) {
    used.add(file.name)
    styles.push(await placeStyle(file))
  }
  const left = loose.filter(
    (file) => (file.kind === 'css' || isScriptKind(file.kind)) && !used.has(file.name) && !file.isNamed,
  )
  if (left.length > 0 && runScripts) notes.add(`Not used by the page: ${left.map(({ name }) => name).join(', ')}.`)

  // Libraries must come before the modules that import them; those that the page loads itself stay in place.
  const unplaced = withNeeded(vendors).filter((name) => !placed.has(name))
  if (unplaced.includes('shadcn')) styles.unshift(inlineStyle(writeShadcnTheme(page.code), 'text/tailwindcss'))
  styles.unshift(...unplaced.map(vendorScript))
  if (atEnd.some((part) => part.includes('previewModules.'))) styles.push(vendorScript('modules'))
  return {
    html: insertInHead(applyReplacements(page.code, replacements), styles.join('\n')),
    atEnd,
    used,
    usesOldTailwind,
  }
}
