import { useQuery } from '@tanstack/react-query'
import { parseExactJson } from '../../contract/index.ts'
import type { HeldConversation } from '../../server/runs/conversation.ts'
import { api } from '../api.ts'

/** A conversation that goes on is read again this often. */
const LIVE_MS = 1000

/** `mayBegin`: there may be none yet. */
export function useConversation(
  { runId, testCaseId, modelId }: { runId: string; testCaseId: string; modelId: string },
  { mayBegin = false } = {},
) {
  return useQuery({
    queryKey: ['conversation', runId, testCaseId, modelId],
    queryFn: async () => {
      const query = { case: testCaseId, model: modelId }
      const reply = await api.runs[':id'].conversation.$get({ param: { id: runId }, query })
      return parseExactJson<HeldConversation>(await reply.text())
    },
    ...(mayBegin && { retry: false }),
    refetchInterval: ({ state: { data } }) => ((data ? !data.isOver : mayBegin) ? LIVE_MS : false),
  })
}

export function conversationAddress(runId: string, testCaseId: string, modelId: string): string {
  return `/conversations/${encodeURIComponent(runId)}?case=${encodeURIComponent(testCaseId)}&model=${encodeURIComponent(modelId)}`
}
