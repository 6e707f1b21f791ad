/** FNV-1a with a final mix, so that similar texts do not end up side by side. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/**
 * The models of a run in an order drawn for this person and this run: the same after a reload, and no guide to the names
 * in the next run.
 */
export function drawOrder(modelIds: readonly string[], { runId, voter }: { runId: string; voter: string }): string[] {
  const drawn = new Map(modelIds.map((modelId) => [modelId, hash(JSON.stringify([voter, runId, modelId]))]))
  return modelIds.toSorted((a, b) => drawn.get(a)! - drawn.get(b)!)
}
