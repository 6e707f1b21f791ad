import type { ResumeChange, RunRequest, RunInput } from '../../contract/index.ts'
import { formatCost } from '../../report/words/index.ts'
import { describeAllowance } from '../../report/words/runs/estimate.ts'
import type { ServerContext } from '../context.ts'
import { Refusal } from '../http/refusal.ts'
import { estimateSuite } from '../runs/estimate.ts'
import type { RunManager } from '../runs/run-manager.ts'
import { loadRunnableSuite } from '../suites/suite-documents.ts'
import { refuseSpent, type Payers } from './budgets.ts'
import { currentAccount, nameObject } from './people.ts'
import { refuseInternal } from './refuse-internal.ts'

/** The person of the request. Runs of a team server always have one. */
function currentPerson() {
  const account = currentAccount()
  if (!account) throw new Refusal(401, 'signed-out', 'Sign in to continue.')
  return { id: account.id, name: account.name }
}

/**
 * The run as it may be sent: with the person's name, and within what is left of the month. Refused if it could pass
 * that, unless its own budget keeps it below.
 */
async function limitRequest(input: RunInput, context: ServerContext): Promise<RunRequest> {
  const { request } = input
  const startedBy = currentPerson()
  const { storage } = context
  await refuseInternal(request.endpoint, context)
  const own = { ...request, startedBy }
  const payers = { person: startedBy, project: request.project }
  const allowance = await refuseSpent(payers, { storage, now: context.now() })
  if (!allowance) return own
  const { left } = allowance
  if (request.maxCost === undefined || request.maxCost > left) {
    const { cost } = await estimateSuite({ ...input, request: own }, context)
    if (cost !== null && cost > left) {
      const message = `This could cost up to ${formatCost(cost)}, and ${formatCost(left)} is left of ${describeAllowance(allowance, payers)}. Set the run's own budget to at most ${formatCost(left)}, or choose fewer cases or models.`
      throw new Refusal(422, 'month-budget', message, [{ path: ['maxCost'], message }])
    }
  }
  return { ...own, maxCost: Math.min(request.maxCost ?? left, left) }
}

/**
 * A resume counts for whoever started the run, and needs room in the budget of whoever resumes it, too. A run of the
 * terminal belongs to whoever resumes it from then on: they may name its endpoint, so workers must check addresses.
 */
async function limitResume(runId: string, change: ResumeChange, context: ServerContext): Promise<ResumeChange> {
  const person = currentPerson()
  const { storage, now } = context
  const run = await storage.loadRun(runId, { texts: false, suite: false })
  if (!run) return change
  const { startedBy = person, project, maxCost, endpoint } = run.request ?? {}
  await refuseInternal(change.endpoint ?? endpoint, context)
  const owned = { ...change, startedBy }
  const payers: Payers[] = [{ person, project }]
  if (startedBy.id !== person.id) payers.push({ person: startedBy, isSomebodyElse: true })
  const allowances = []
  for (const payer of payers) allowances.push(await refuseSpent(payer, { storage, now: now() }))
  const left = Math.min(...allowances.map((allowance) => allowance?.left ?? Infinity))
  if (left === Infinity) return owned
  const ids = run.seriesId === undefined ? [runId] : await storage.runsOfSeries(run.seriesId)
  const spent = (await storage.listRuns({ ids })).reduce((sum, { cost }) => sum + cost, 0)
  return { ...owned, maxCost: Math.min(change.maxCost ?? maxCost ?? Infinity, spent + left) }
}

/** The runs of a team server: every one belongs to a person and stays within the budgets. */
export function createTeamRuns(context: ServerContext): RunManager {
  const { runs } = context
  return {
    ...runs,
    async start(request, options) {
      const { suite } = await loadRunnableSuite(context.storage, request.suiteId)
      const started = await runs.start(await limitRequest({ kind: 'suite', request, suite }, context), options)
      nameObject(started.runId)
      return started
    },
    async startSuite(input) {
      const started = await runs.startSuite({ ...input, request: await limitRequest(input, context) })
      nameObject(started.runId)
      return started
    },
    async resume(runId, change = {}, options) {
      return runs.resume(runId, await limitResume(runId, change, context), options)
    },
    async rescore(runId) {
      const payer = currentPerson()
      const { storage, now } = context
      const [run] = await storage.listRuns({ ids: [runId] })
      await refuseSpent({ person: payer, project: run?.project }, { storage, now: now() })
      return runs.rescore(runId, { payer })
    },
  }
}
