import type { ConversationFinding } from '../../contract/index.ts'
import type { Finding } from './finding.ts'

const sentences: Record<ConversationFinding['kind'], (caseId: string) => string> = {
  'reference-fails': (id) =>
    `The reference of ${id} fails its own checks: an agent that does exactly that does not pass.`,
  'nothing-passes': (id) => `An agent that does nothing and says nothing passes ${id}.`,
  'unknown-reply': (id) =>
    `${id} expects words that no reply of a tool, no instruction and nothing in its world has: an agent can only guess them.`,
  'reference-page-fails': (id) =>
    `The reference page of ${id} fails its own tests: an answer that is right may not pass.`,
  'reference-page-unseen': (id) =>
    `The reference page of ${id} could not be tried, so nothing shows that its tests work.`,
  'tools-fail': (id) => `The tools of ${id} cannot be used, so that no answer to it gets a score.`,
}

/** In the words of the other findings. */
export function describeConversations(found: readonly ConversationFinding[]): Finding[] {
  return found.map(({ kind, caseId, details }) => ({
    kind,
    caseIds: [caseId],
    sentence: sentences[kind](caseId),
    evidence: [...details],
  }))
}
