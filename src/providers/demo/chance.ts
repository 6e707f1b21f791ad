/** A number from 0 to 1 that depends only on the texts: the simulated models' randomness (FNV-1a, then mixed). */
export function drawNumber(...texts: string[]): number {
  let hash = 0x811c9dc5
  const text = texts.join('\u0000')
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** Picks one of the items, depending only on the texts. */
export function drawItem<Item>(items: readonly [Item, ...Item[]], ...texts: string[]): Item {
  return items[Math.floor(drawNumber(...texts) * items.length)] ?? items[0]
}
