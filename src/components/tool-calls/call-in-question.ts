import type { ToolCallRecord } from '../../server/tool-calls/routes.ts'

type Reasons = NonNullable<ToolCallRecord['reasons']>

/** The call to look at first: one with wrong arguments, else one too many, else the first that counts. */
export function findCallInQuestion({ actions, extraCalls, credit }: Reasons): number | undefined {
  const wrong = actions.find(({ kind, call }) => kind === 'arguments differ' && call)
  const extra = credit === 'effects' ? extraCalls[0] : undefined
  return wrong?.call?.index ?? extra?.index ?? actions.find(({ call }) => call)?.call?.index
}
