/**
 * All icons as one text, one per line: making two thousand objects, of which a page uses ten, would take longer than everything else
 * before the first paint.
 *
 * `key`, `name` and the drawing, between tabs; in place of the last two, `=` and the key of the icon that another name stands for.
 */
export type IconNode = [tag: string, attributes: Record<string, string>]

/** Normalises a name: `CheckCircle` and `check-circle` are the same. */
export function iconKey(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Most nodes are paths with only a `d`, so these are written as that alone. */
function writeNode([tag, attributes]: IconNode): string {
  const entries = Object.entries(attributes)
  const unfit = [tag, ...entries.flat()].find((text) => /[<|~\t\n]/.test(text))
  if (unfit !== undefined) throw new Error(`an icon has ${JSON.stringify(unfit)}, which contains a separator`)
  if (tag === 'path' && entries.length === 1 && attributes.d !== undefined) return attributes.d
  return [`<${tag}`, ...entries.map(([name, value]) => `${name}=${value}`)].join('~')
}

function readNode(text: string): IconNode {
  if (!text.startsWith('<')) return ['path', { d: text }]
  const [tag = '', ...attributes] = text.slice(1).split('~')
  return [
    tag,
    Object.fromEntries(
      attributes.map((attribute) => [
        attribute.slice(0, attribute.indexOf('=')),
        attribute.slice(attribute.indexOf('=') + 1),
      ]),
    ),
  ]
}

export function writeDrawings(icons: Record<string, IconNode[]>, aliases: Record<string, string>): string {
  const known = new Set(Object.keys(icons).map(iconKey))
  const drawn = Object.entries(icons).map(
    ([name, nodes]) => `${iconKey(name)}\t${name}\t${nodes.map(writeNode).join('|')}`,
  )
  const others = Object.entries(aliases)
    .filter(([alias]) => !known.has(alias))
    .map(([alias, name]) => `${alias}\t=${iconKey(name)}`)
  return `\n${[...drawn, ...others].join('\n')}\n`
}

export function findDrawing(drawings: string, key: string): { name: string; nodes: IconNode[] } | undefined {
  const start = drawings.indexOf(`\n${key}\t`)
  if (start < 0) return undefined
  const [, name = '', nodes = ''] = drawings.slice(start + 1, drawings.indexOf('\n', start + 1)).split('\t')
  return name.startsWith('=') ? findDrawing(drawings, name.slice(1)) : { name, nodes: nodes.split('|').map(readNode) }
}
