import { messageOf } from '../../contract/index.ts'
import type { AuditRequest } from '../../contract/index.ts'
import { formatCount } from '../../report/words/index.ts'
import type { AuditFinding } from '../../scoring/index.ts'
import {
  auditJudge,
  deleteAudit,
  estimateAudit,
  findAudit,
  listAudits,
  loadRunAnswers,
  saveAudit,
  type AuditEstimate,
  type AuditProgress,
  type AuditSettings,
  type StoredAudit,
} from '../../services/index.ts'
import type { ServerContext } from '../context.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { fitTexts } from '../results/fit-texts.ts'

export type { AuditCase, AuditFigure } from '../../scoring/index.ts'

/** A finding without the cases behind it. */
export type ListedFinding = Omit<AuditFinding, 'cases'>

export interface ListedAudit extends Omit<StoredAudit, 'findings'> {
  findings: ListedFinding[]
}

/** An audit in progress, or one that could not be finished. */
export interface LiveAudit extends Omit<AuditProgress, 'findings'> {
  id: string
  judgeModelId: string
  source: string
  startedAt: number
  isStopping: boolean
  findings: ListedFinding[]
  /** Why it ended without a result. */
  problem?: string
}

/** GET /api/audits */
export interface Audits {
  live: LiveAudit[]
  /** Newest first. */
  audits: ListedAudit[]
}

const MAX_LISTED = 200
const MAX_BYTES = 900_000

const withoutCases = (findings: readonly AuditFinding[]): ListedFinding[] =>
  findings.map(({ cases: _cases, ...finding }) => finding)

/** Cuts texts that do not fit; leaves out the cases if that is not enough. */
function fit(audit: StoredAudit): StoredAudit {
  return (
    fitTexts(audit, MAX_BYTES) ?? { ...audit, findings: audit.findings.map((finding) => ({ ...finding, cases: [] })) }
  )
}

interface Prepared {
  settings: AuditSettings
  source: string
  runId?: string
}

/** Runs audits in the background, and lists, shows and deletes those that were kept. */
export function createAudits(context: ServerContext) {
  const live = new Map<string, { view: LiveAudit; controller: AbortController }>()

  async function prepare({ runId, ...request }: AuditRequest): Promise<Prepared> {
    if (runId === undefined) return { settings: request, source: 'built-in answers' }
    const { answers, judgeSystemPrompt, name } = await loadRunAnswers(context.storage, runId, { limit: request.limit })
    return {
      settings: { ...request, answers, judgeSystemPrompt },
      source: `${formatCount(answers.length, 'answer')} of run ${runId} (${name.slice(0, 100)})`,
      runId,
    }
  }

  function connect({ judgeModelId }: AuditRequest) {
    const tools = context.runTools()
    const connections = tools.connect({ cache: false }, 0)
    connections.clientOf(judgeModelId).checkModel?.(judgeModelId)
    return { tools, connections }
  }

  return {
    /** Calls no model. */
    async estimate(request: AuditRequest): Promise<AuditEstimate> {
      const { tools, connections } = connect(request)
      const { settings } = await prepare(request)
      const prices = await connections.readPrices([request.judgeModelId]).catch(() => new Map())
      return estimateAudit(settings, prices.get(request.judgeModelId), await tools.loadTokenCounter())
    },

    /** Starts it; the result is kept when it ends, and what is finished if it is stopped. */
    async start(request: AuditRequest): Promise<LiveAudit> {
      const { judgeModelId } = request
      const { tools, connections } = connect(request)
      const same = [...live.values()].find(({ view }) => view.judgeModelId === judgeModelId)
      if (same && same.view.problem === undefined)
        throw new Refusal(409, 'in-progress', `${judgeModelId} is being audited; wait for that or stop it.`)
      const { settings, source, runId } = await prepare(request)
      if (same) live.delete(same.view.id)
      const controller = new AbortController()
      const id = context.createId()
      const view: LiveAudit = {
        id,
        judgeModelId,
        source,
        startedAt: context.now(),
        isStopping: false,
        done: 0,
        total: 0,
        failed: 0,
        cost: 0,
        findings: [],
      }
      live.set(id, { view, controller })
      void auditJudge(
        settings,
        { ...tools, connections },
        {
          signal: controller.signal,
          onProgress: ({ findings, ...progress }) =>
            Object.assign(view, progress, { findings: withoutCases(findings) }),
        },
      )
        .then((result) => saveAudit(context.storage, { ...result, id, source, ...(runId !== undefined && { runId }) }))
        .then(() => live.delete(id))
        .catch((error: unknown) => {
          view.problem = messageOf(error)
        })
      return view
    },

    stop(id: string): LiveAudit {
      const found = live.get(id)
      if (!found) throw notFound('The audit in progress')
      found.view.isStopping = true
      found.controller.abort()
      return found.view
    },

    async list(): Promise<Audits> {
      const audits = (await listAudits(context.storage)).slice(0, MAX_LISTED)
      return {
        live: Array.from(live.values(), ({ view }) => view),
        audits: audits.map((audit) => ({ ...audit, findings: withoutCases(audit.findings) })),
      }
    },

    async find(id: string): Promise<StoredAudit> {
      const audit = await findAudit(context.storage, id)
      if (!audit) throw notFound('The audit')
      return fit(audit)
    },

    async remove(id: string): Promise<void> {
      const failed = live.get(id)?.view.problem !== undefined && live.delete(id)
      if (!failed && !(await deleteAudit(context.storage, id))) throw notFound('The audit')
    },
  }
}
