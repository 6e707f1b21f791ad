import type { CodeFile } from '../extract/code-file.ts'
import { compileStyles } from './compile-styles.ts'
import { compilers } from './compilers.ts'

/** A Vue single-file component as a TypeScript module, with its styles separate. */
export interface CompiledComponent {
  script: string
  styles: string
  notes: string[]
}

/** Returns an id that depends only on the file name, so that scoped styles match their elements. */
function scopeOf(name: string): string {
  let hash = 7
  for (const character of name) hash = (Math.imul(hash, 31) + character.codePointAt(0)!) >>> 0
  return hash.toString(36)
}

/** Compiles the template, the script (including `<script setup>` and TypeScript) and plain or scoped styles. */
export async function compileVue(
  { name, code }: Pick<CodeFile, 'name' | 'code'>,
  files: CodeFile[] = [],
): Promise<CompiledComponent | { problem: string }> {
  const { compileScript, compileStyle, compileTemplate, parse } = await compilers.vue()
  const notes: string[] = []
  try {
    const { descriptor, errors } = parse(code, { filename: name, sourceMap: false })
    if (errors[0]) return { problem: `${name} cannot be compiled: ${errors[0].message}` }
    const { template, script, scriptSetup, styles } = descriptor
    if (!template && !script && !scriptSetup) return { problem: `${name} has neither a template nor a script.` }
    if (template?.lang && template.lang !== 'html')
      return { problem: `${name}: a template in ${template.lang} is not supported.` }

    const id = scopeOf(name)
    const isScoped = styles.some((style) => style.scoped)
    const options = { id: `data-v-${id}`, scoped: isScoped, isProd: true }
    const css: string[] = []
    for (const style of styles) {
      const { lang = 'css' } = style
      const isSass = lang === 'scss' || lang === 'sass'
      if (!isSass && lang !== 'css' && lang !== 'postcss')
        notes.push(`${name}: its styles are in ${lang}; only the plain CSS in them is used.`)
      const plain = isSass ? await compileStyles({ name: `${name}.${lang}`, code: style.content }, files) : undefined
      if (plain && 'problem' in plain) return plain
      const source = plain?.css ?? style.content
      css.push(compileStyle({ source, filename: name, id: options.id, scoped: style.scoped ?? false }).code)
    }

    const parts: string[] = []
    if (script || scriptSetup) {
      const compiled = compileScript(descriptor, {
        id: options.id,
        inlineTemplate: Boolean(scriptSetup),
        isProd: true,
        genDefaultAs: '__component',
        templateOptions: { ...options, filename: name },
      })
      parts.push(compiled.content)
    } else parts.push('const __component = {}')
    if (template && !scriptSetup) {
      const compiled = compileTemplate({ source: template.content, filename: name, ...options })
      const [error] = compiled.errors
      if (error) return { problem: `${name} cannot be compiled: ${typeof error === 'string' ? error : error.message}` }
      parts.push(compiled.code, '__component.render = render')
    }
    if (isScoped) parts.push(`__component.__scopeId = ${JSON.stringify(options.id)}`)
    parts.push('export default __component')
    return { script: parts.join('\n'), styles: css.join('\n'), notes }
  } catch (error) {
    return {
      problem: `${name} cannot be compiled: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
    }
  }
}
