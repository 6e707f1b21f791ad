/** Names a case without a prompt of its own by its variables: `language: French, input: Hello`. */
export function describeVariables(vars: unknown): string {
  if (typeof vars !== 'object' || vars === null) return ''
  return Object.entries(vars)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')
}
