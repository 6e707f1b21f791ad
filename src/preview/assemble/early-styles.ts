import { vendorScript } from './assemble-html.ts'
import { LATE_SCRIPT } from '../in-page/late-script.ts'
import { readHtml } from './read-html.ts'
import { vendorUrl } from '../vendor/vendored-files.ts'
import { inlineStyle } from './write-html.ts'

/** More words than any page has; looking at each takes a few microseconds. */
const MOST_WORDS = 50_000

/** Everything that could be a class, wherever the code has it; Tailwind passes over what is none. */
function findWords(html: string): string[] {
  return [...new Set(html.split(/[\s"'`\\]+/))]
}

/** What Tailwind makes of a page by its text alone; `undefined` where that cannot be told. */
async function compileStyles(html: string, readBaseStyles: () => Promise<string>): Promise<string | undefined> {
  const { tags } = readHtml(html)
  // Settings that a script makes are known when it runs.
  if (tags.some(({ name, text }) => name === 'script' && /\btailwind\b/.test(text))) return undefined
  const words = findWords(html)
  if (words.length > MOST_WORDS) return undefined
  const source = tags
    .flatMap(({ name, attributes, text }) =>
      name === 'style' && attributes.get('type') === 'text/tailwindcss' ? [text] : [],
    )
    .join('\n')
  // With an import of its own, a page has to name Tailwind's too.
  if (source.includes('@import')) return undefined
  try {
    const [{ compile }, baseStyles] = await Promise.all([import('tailwindcss'), readBaseStyles()])
    const { build } = await compile(`@import "tailwindcss";\n${source}`, {
      loadStylesheet: async (id, base) => {
        if (id !== 'tailwindcss') throw new Error(`${id} is not there`)
        return { path: id, base, content: baseStyles }
      },
    })
    return build(words)
  } catch {
    // What is wrong with a style sheet is told in the page, by Tailwind there; and without its base the page is only painted later.
    return undefined
  }
}

/**
 * The page with the styles that Tailwind would make for it in the browser, which takes longer there than all else up to the
 * first paint. Tailwind itself comes afterwards: for classes that are put together while the page runs.
 */
export async function addEarlyStyles(html: string, readBaseStyles: () => Promise<string>): Promise<string> {
  const script = vendorScript('tailwind')
  if (!html.includes(script)) return html
  const styles = await compileStyles(html, readBaseStyles)
  return styles === undefined
    ? html
    : html.replace(
        script,
        () => `${inlineStyle(styles)}\n<script type="${LATE_SCRIPT}" src="${vendorUrl('tailwind')}"></script>`,
      )
}
