/**
 * The family of a model: its vendor and the first word of its name. `openai/gpt-4o-mini@short` and `openai/gpt-5` are
 * both `openai/gpt`.
 */
export function familyOf(modelId: string): string {
  const path = modelId.toLowerCase().split('@')[0]!.split('/')
  const name = path.at(-1) ?? ''
  const word = name.match(/^\p{L}+/u)?.[0] ?? name
  return [...path.slice(0, -1), word].join('/')
}
