import { readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'

const TYPES: Record<string, string> = { '.woff2': 'font/woff2', '.png': 'image/png', '.svg': 'image/svg+xml' }

/** Puts fonts and images into a style sheet: pages load neither, nor style sheets. Older font formats are left out. */
function embedFiles(folder: string, css: string): string {
  return css.replace(/url\((["']?)([^)"']+)\1\)/g, (whole, _quote: string, address: string) => {
    const path = address.replace(/[?#].*$/, '')
    const type = TYPES[extname(path)]
    if (/^(?:data:|#)/.test(address)) return whole
    return type === undefined
      ? 'url()'
      : `url(data:${type};base64,${readFileSync(join(folder, path)).toString('base64')})`
  })
}

/** A script that adds the style sheet where the script is, so that the page's own styles still come after it. */
export function writeStyleScript(path: string, css: string): string {
  const text = embedFiles(dirname(path), css).replace(/\/\*# sourceMappingURL=.*?\*\//, '')
  return `(() => { const style = document.createElement('style'); style.textContent = ${JSON.stringify(text)}; document.currentScript.before(style) })()`
}
