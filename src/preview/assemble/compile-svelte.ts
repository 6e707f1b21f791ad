import type { CodeFile } from '../extract/code-file.ts'
import { compileStyles } from './compile-styles.ts'
import { compilers } from './compilers.ts'

const STYLE = /(<style\b[^>]*?)\s+lang=["'](scss|sass)["']([^>]*>)([\s\S]*?)(<\/style>)/i

/** Compiles a Svelte component to a module that adds its own styles. */
export async function compileSvelte({
  name,
  code,
}: Pick<CodeFile, 'name' | 'code'>): Promise<{ script: string } | { problem: string }> {
  const { compile } = await compilers.svelte()
  try {
    const [whole, start = '', lang = '', rest = '', source = '', end = ''] = STYLE.exec(code) ?? []
    const styles = whole === undefined ? undefined : await compileStyles({ name: `${name}.${lang}`, code: source }, [])
    if (styles && 'problem' in styles) return styles
    const plain = whole !== undefined && styles ? code.replace(whole, () => `${start}${rest}${styles.css}${end}`) : code
    const { js } = compile(plain, { filename: name, generate: 'client', css: 'injected', dev: false })
    return { script: js.code }
  } catch (error) {
    const place = error instanceof Error && 'start' in error ? error.start : undefined
    const line = typeof place === 'object' && place !== null && 'line' in place ? ` at line ${String(place.line)}` : ''
    const message = error instanceof Error ? error.message.split('\n')[0]! : String(error)
    return { problem: `${name} cannot be compiled: ${message.replace(/\.$/, '')}${line}.` }
  }
}
