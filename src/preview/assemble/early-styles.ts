import { vendorScript } from './assemble-html.ts'
import { LATE_SCRIPT } from '../in-page/late-script.ts'
import { readHtml } from './read-html.ts'
import { vendorUrl } from '../vendor/vendored-files.ts'
import { inlineStyle } from './write-html.ts'
import { compilers } from './compilers.ts'

/** More words than any real page has; each takes a few microseconds. */
const MOST_WORDS = 50_000

/** Lists every word that could be a class, wherever it is; Tailwind ignores the others. */
function findWords(html: string): string[] {
  return [...new Set(html.split(/[\s"'`\\]+/))]
}

/** Compiles the Tailwind styles of a page from its text; `undefined` if the text alone is not enough. */
async function compileTailwind(html: string, readBaseStyles: () => Promise<string>): Promise<string | undefined> {
  const { tags } = readHtml(html)
  // Settings made by a script are known only when it runs.
  if (tags.some(({ name, text }) => name === 'script' && /\btailwind\b/.test(text))) return undefined
  const words = findWords(html)
  if (words.length > MOST_WORDS) return undefined
  const source = tags
    .flatMap(({ name, attributes, text }) =>
      name === 'style' && attributes.get('type') === 'text/tailwindcss' ? [text] : [],
    )
    .join('\n')
  // A page with an import of its own must import Tailwind itself.
  if (source.includes('@import')) return undefined
  try {
    const [{ compile }, baseStyles] = await Promise.all([compilers.tailwind(), readBaseStyles()])
    const { build } = await compile(`@import "tailwindcss";\n${source}`, {
      loadStylesheet: async (id, base) => {
        if (id !== 'tailwindcss') throw new Error(`${id} is not there`)
        return { path: id, base, content: baseStyles }
      },
    })
    return build(words)
  } catch {
    // Tailwind in the page reports errors in style sheets. Without the base styles the page is only painted later.
    return undefined
  }
}

/**
 * Adds the styles that Tailwind would make in the browser, where that takes longer than everything else before the first paint.
 * Tailwind itself loads afterwards, for classes that are composed while the page runs.
 */
export async function addEarlyStyles(html: string, readBaseStyles: () => Promise<string>): Promise<string> {
  const script = vendorScript('tailwind')
  if (!html.includes(script)) return html
  const styles = await compileTailwind(html, readBaseStyles)
  return styles === undefined
    ? html
    : html.replace(
        script,
        () => `${inlineStyle(styles)}\n<script type="${LATE_SCRIPT}" src="${vendorUrl('tailwind')}"></script>`,
      )
}
