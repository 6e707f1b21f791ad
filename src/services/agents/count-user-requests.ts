import type { PlannedConversation } from './planned-conversation.ts'

/** How often the simulated user is asked at most: before each turn of the agent, and after each call of its own. */
export function countUserRequests({ user, turns, prompt, limits }: PlannedConversation): number {
  if (!user || turns) return 0
  const spoken = limits.turns - (prompt === undefined ? 0 : 1)
  return spoken + (user.tools.length > 0 ? limits.toolCalls + 1 : 0)
}
