import type { EndReason, JsonEdit, ScoringResult, Unscored } from '../../contract/index.ts'
import type { Trajectory } from '../../scoring/index.ts'
import { toTrajectory } from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound } from '../http/refusal.ts'
import { fitTexts } from '../results/fit-texts.ts'

/** GET /api/runs/:id/conversation?case=&model=: a conversation of an agent, as far as it has come. */
export interface HeldConversation {
  suite: string
  trajectory: Trajectory
  /** What the last calls that changed the world changed in it, and how many did. */
  changes: { id: string; tool: string; edits: JsonEdit[] }[]
  changed: number
  isOver: boolean
  end?: EndReason
  score?: ScoringResult
  unscored?: Unscored
}

/** Bytes of a reply. */
const ROOM = 700_000
const ROOM_FOR_CHANGES = 100_000
/** Of a long conversation the last changes are shown. */
const MAX_CHANGES = 100

export async function loadConversation(
  runId: string,
  cell: { testCaseId: string; modelId: string },
  { storage }: Pick<ServerContext, 'storage'>,
): Promise<HeldConversation> {
  const [run] = await storage.describeRuns({ ids: [runId] })
  const log = run ? await storage.loadEvents({ runId, ...cell }) : []
  if (!run || log.length === 0) throw notFound('The conversation')
  const stored = await storage.loadCell({ runId, ...cell })
  const names = new Map(log.flatMap((event) => (event.kind === 'called' ? [[event.id, event.name] as const] : [])))
  const changes = log.flatMap((event) =>
    event.kind === 'replied' && event.edits.length > 0
      ? [{ id: event.id, tool: names.get(event.id) ?? '', edits: event.edits }]
      : [],
  )
  const trajectory = toTrajectory(log, { caseId: cell.testCaseId, model: cell.modelId })
  const { score, unscored } = stored?.result ?? {}
  const end = log.findLast((event) => event.kind === 'ended')?.reason
  return {
    suite: run.testSuiteName ?? '',
    trajectory: fitTexts(trajectory, ROOM) ?? { ...trajectory, steps: [] },
    changes: fitTexts(changes.slice(-MAX_CHANGES), ROOM_FOR_CHANGES) ?? [],
    changed: changes.length,
    // Until it has its score, there is more to come.
    isOver: (score ?? unscored ?? stored?.result.error) !== undefined,
    ...(end && { end }),
    ...(score && { score }),
    ...(unscored && { unscored }),
  }
}
