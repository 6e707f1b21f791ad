import type { ToolCallRecord } from '../../server/tool-calls/routes.ts'

const MAX_LENGTH = 600

/** A value as one line of JSON, truncated if very long. */
export function writeJsonLine(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)` : text
}

type Reasons = NonNullable<ToolCallRecord['reasons']>

/** The call to look at first: one with wrong arguments, else one too many, else the first that counts. */
export function findCallInQuestion({ actions, extraCalls, credit }: Reasons): number | undefined {
  const wrong = actions.find(({ kind, call }) => kind === 'arguments differ' && call)
  const extra = credit === 'effects' ? extraCalls[0] : undefined
  return wrong?.call?.index ?? extra?.index ?? actions.find(({ call }) => call)?.call?.index
}
