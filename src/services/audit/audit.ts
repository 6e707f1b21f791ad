import {
  auditRequestSchema,
  ClientError,
  defaultConcurrency,
  InputError,
  toDollars,
  type CallModel,
  type CancelSignal,
  type Client,
} from '../../contract/index.ts'
import {
  llmJudgePrompt,
  pairwisePromptVersion,
  runAudits,
  type AuditDesign,
  type AuditFinding,
} from '../../scoring/index.ts'
import { requestDirectly, type DirectTools } from '../requesting/request-directly.ts'
import { BudgetReached, createBudget, type Budget } from '../requesting/budget.ts'
import { costOf } from '../requesting/check-answer.ts'
import { createLimiter, type Limiter } from '../requesting/limiter.ts'
import type { Price } from '../requesting/price.ts'
import { isUnbilled } from '../requesting/retry.ts'
import { createEstimator } from '../estimate.ts'
import type { Connections, RunTools } from '../run-tools.ts'
import { countAuditRequests } from './estimate-audit.ts'

export interface AuditSettings extends AuditDesign {
  judgeModelId: string
  /** The suite's instructions for its judges. */
  judgeSystemPrompt?: string | undefined
  /** US dollars: no request is sent that could exceed it. */
  maxCost?: number | undefined
}

export interface AuditProgress {
  /** Questions to the judge: a retry is not another question. */
  done: number
  total: number
  /** Without a usable reply. */
  failed: number
  /** Known costs, in US dollars. */
  cost: number
  /** Audits that are finished. */
  findings: readonly AuditFinding[]
}

/** What audits of a judge have found. */
export interface AuditResult {
  judgeModelId: string
  timestamp: number
  /** `cancelled` if it was stopped: the audits that were not finished are "not tested". */
  status: 'completed' | 'cancelled'
  findings: AuditFinding[]
  /** Questions asked, and those without a usable reply. */
  asked: number
  failed: number
  /** Known costs, in US dollars; null if none is known. */
  cost: number | null
  /** The judge prompts that were used. */
  promptVersions: string[]
  seed: number
}

export interface AuditTools extends DirectTools, Pick<RunTools, 'loadTokenCounter'> {
  connections: Connections
}

export interface AuditOptions {
  signal?: CancelSignal | undefined
  onProgress?: ((progress: AuditProgress) => void) | undefined
}

const DEFAULT_SEED = 1

/** The terminal and the web app check before; the library's callers may pass anything. */
function checkSettings({ judgeModelId, only, limit, maxCost, answers }: AuditSettings): void {
  const checked = auditRequestSchema.safeParse({ judgeModelId, only: only && [...only], limit, maxCost })
  if (!checked.success) {
    const [issue] = checked.error.issues
    throw new InputError(`${issue?.path[0]?.toString() ?? 'audit'}: ${issue?.message}`)
  }
  const wrong = answers?.findIndex(({ expectedScore = 0 }) => !(expectedScore >= 0 && expectedScore <= 1)) ?? -1
  if (wrong >= 0)
    throw new InputError(`answers[${wrong}]: expectedScore is ${answers?.[wrong]?.expectedScore}; it must be 0 to 1`)
}

/** A budget needs the judge's price. */
async function findPrice(
  { judgeModelId, maxCost }: AuditSettings,
  { readPrices }: Connections,
): Promise<Price | undefined> {
  if (maxCost === undefined) return (await readPrices([judgeModelId]).catch(() => new Map())).get(judgeModelId)
  const price = (await readPrices([judgeModelId])).get(judgeModelId)
  if (!price)
    throw new InputError(
      `the price of ${judgeModelId} is unknown, so a budget cannot be enforced; leave out the budget`,
    )
  return price
}

/** Questions without a reply in a row: the judge is gone, out of credit or misspelt, and asking on only takes time. */
const MAX_FAILURES = 8

/** Whether the judge still answers. */
interface Health {
  failuresInARow: number
  lastFailure?: ClientError
}

function watchHealth(callModel: CallModel, health: Health): CallModel {
  return async (request) => {
    try {
      const answer = await callModel(request)
      health.failuresInARow = 0
      return answer
    } catch (error) {
      if (error instanceof ClientError && error.kind !== 'cancelled') {
        health.failuresInARow++
        health.lastFailure = error
      }
      throw error
    }
  }
}

/** Not sent, so that it costs nothing; a retry would not help. */
const refuseRequest = (message: string, cause: unknown) =>
  new ClientError('refused', message, { cause, retryable: false, unbilled: true })

interface Paying {
  price: Price | undefined
  budget: Budget
  limiter: Limiter
  estimate: ReturnType<typeof createEstimator>
  health: Health
}

/** Every request waits for a slot and for room in the budget, and what it cost is counted, whether it succeeds or not. */
function payFor(client: Client, { price, budget, limiter, estimate, health }: Paying): Client {
  return {
    provider: client.provider,
    ...(client.limits && { limits: client.limits }),
    listModels: (options) => client.listModels(options),
    close: () => client.close(),
    async complete(request, options) {
      const release = await limiter.acquire(options?.signal)
      try {
        if (health.lastFailure && health.failuresInARow >= MAX_FAILURES)
          throw refuseRequest(health.lastFailure.message, health.lastFailure)
        const reservation = await budget.reserve(estimate(request), options?.signal)
        try {
          const answer = await client.complete(request, options)
          reservation.spend(costOf(answer, price))
          limiter.onAnswered()
          return answer
        } catch (error) {
          const isFree = error instanceof ClientError && isUnbilled(error)
          reservation.spend(isFree ? 0n : undefined)
          if (error instanceof ClientError && error.status === 429) limiter.onRateLimited()
          throw error
        } finally {
          reservation.release()
        }
      } catch (error) {
        if (!(error instanceof BudgetReached)) throw error
        throw refuseRequest(error.message, error)
      } finally {
        release()
      }
    },
  }
}

/**
 * Audits a judge. Resolves even if it is stopped, out of budget or unreachable: what could not be asked is "not tested".
 */
export async function auditJudge(
  settings: AuditSettings,
  { connections, clock, random, pacing, loadTokenCounter }: AuditTools,
  { signal, onProgress }: AuditOptions = {},
): Promise<AuditResult> {
  const { judgeModelId, judgeSystemPrompt, maxCost, seed = DEFAULT_SEED } = settings
  checkSettings(settings)
  const client = connections.clientOf(judgeModelId)
  client.checkModel?.(judgeModelId)
  const price = await findPrice(settings, connections)
  const prices = new Map(price ? [[judgeModelId, price]] : [])
  const countTokens = maxCost === undefined ? () => 0 : await loadTokenCounter()
  const budget = createBudget(maxCost)
  const health: Health = { failuresInARow: 0 }
  const paying = {
    price,
    budget,
    limiter: createLimiter(defaultConcurrency),
    estimate: createEstimator(prices, countTokens),
    health,
  }
  const paid = payFor(client, paying)
  const callModel = watchHealth(
    requestDirectly(() => paid, { clock, random, pacing }, signal),
    health,
  )

  const total = await countAuditRequests(settings)
  let findings: readonly AuditFinding[] = []
  let done = 0
  let failed = 0
  const spent = () => toDollars(budget.total().spent)
  const report = () => onProgress?.({ done, total, failed, cost: spent(), findings: [...findings] })
  report()
  const found = await runAudits(settings, {
    judgeModelId,
    judgeSystemPrompt,
    random,
    callModel,
    onAsked: (problem) => {
      // What a stop left out was not sent.
      if (problem !== undefined && signal?.aborted) return
      done++
      if (problem !== undefined) failed++
      report()
    },
    onFindings: (soFar) => {
      findings = soFar
      report()
    },
  })
  return {
    judgeModelId,
    timestamp: clock.now(),
    status: signal?.aborted ? 'cancelled' : 'completed',
    findings: found,
    asked: done,
    failed,
    cost: price || spent() > 0 ? spent() : null,
    promptVersions: [llmJudgePrompt.version, pairwisePromptVersion],
    seed,
  }
}
