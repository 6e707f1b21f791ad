import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'rolldown'
import { writeDrawings, type IconNode } from '../in-page/libraries/icon-drawings.ts'

const require = createRequire(import.meta.url)

/** Reads the drawings and all names from the package lucide-react. */
function readIcons(): string {
  const folder = join(dirname(require.resolve('lucide-react/package.json')), 'dist/esm')
  const icons: Record<string, IconNode[]> = {}
  for (const file of readdirSync(join(folder, 'icons'))) {
    const [, literal] =
      /const __iconData = (\{[\s\S]*?\n\});/.exec(
        file.endsWith('.mjs') ? readFileSync(join(folder, 'icons', file), 'utf8') : '',
      ) ?? []
    if (literal === undefined) continue
    const { name, node }: { name: string; node: IconNode[] } = new Function(`return ${literal}`)()
    icons[name] = node.map(([tag, { key: _key, ...attributes }]) => [tag, attributes])
  }
  const aliases: Record<string, string> = {}
  const barrel = readFileSync(join(folder, 'lucide-react.mjs'), 'utf8')
  for (const [, names = '', file = ''] of barrel.matchAll(/export \{([^}]*)\} from '\.\/icons\/([\w-]+)\.mjs'/g)) {
    for (const [, alias = ''] of names.matchAll(/default as (\w+)/g)) {
      const key = alias.toLowerCase()
      if (!/^lucide|icon$/.test(key) && key !== file.replaceAll('-', '') && file in icons) aliases[key] = file
    }
  }
  return `export const drawings = ${JSON.stringify(writeDrawings(icons, aliases))}`
}

/** Provides `virtual:lucide-icons`. */
export const iconData: Plugin = {
  name: 'lucide-icons',
  resolveId: (id) => (id === 'virtual:lucide-icons' ? id : undefined),
  load: (id) => (id === 'virtual:lucide-icons' ? readIcons() : undefined),
}
