import { toDollars, type CallModel, type ModelRequest, type Money } from '../../contract/index.ts'
import { runAudits, type AuditDesign, type AuditFinding } from '../../scoring/index.ts'
import { priceTokens, type Price } from '../requesting/price.ts'
import { countPrompt, createEstimator } from '../estimate.ts'

/** What an audit would send and cost at most. */
export interface AuditEstimate {
  judgeModelId: string
  audits: AuditFinding['audit'][]
  requests: number
  /** If every unreadable reply is asked for once more. */
  mostRequests: number
  promptTokens: number
  /** Upper bound in US dollars; null when the price is unknown. */
  cost: number | null
  /** If replies are as short as they usually are. */
  likelyCost: number | null
  /** Why an audit has nothing to ask. */
  notTestable: string[]
}

const GRADE = '{"score": 5, "winner": "tie", "reasoning": ""}'

/** A grade with its reason takes about so many tokens, unless the judge thinks first. */
const TYPICAL_REPLY_TOKENS = 100

/** Replies as a judge would, with what is needed to go on: the audits then show all that they would ask. */
function createRehearsal(onRequest: (request: ModelRequest) => void): CallModel {
  return async (request) => {
    onRequest(request)
    const content = request.messages.at(-1)?.content
    const text = typeof content === 'string' ? content : ''
    const rewritten = /<<<ANSWER (\w+)>>>\n([^]*)\n<<<END ANSWER \1>>>/.exec(text)?.[2]
    return { outcome: 'ok', response: rewritten === undefined ? GRADE : `That is: ${rewritten}`, latencyMs: 0 }
  }
}

/** Runs the audits without a judge. A mark as long as a real one makes the prompts as long as the real ones. */
async function rehearse(
  design: AuditDesign & { judgeModelId: string; judgeSystemPrompt?: string | undefined },
  onRequest: (request: ModelRequest) => void,
): Promise<AuditFinding[]> {
  const { judgeModelId, judgeSystemPrompt } = design
  let drawn = 0
  const random = () => (0.5 + drawn++ * 1e-9) % 1
  return runAudits(design, { judgeModelId, judgeSystemPrompt, callModel: createRehearsal(onRequest), random })
}

export async function countAuditRequests(
  design: AuditDesign & { judgeModelId: string; judgeSystemPrompt?: string | undefined },
): Promise<number> {
  let requests = 0
  await rehearse(design, () => requests++)
  return requests
}

/** Calls no model. */
export async function estimateAudit(
  design: AuditDesign & { judgeModelId: string; judgeSystemPrompt?: string | undefined },
  price: Price | undefined,
  countTokens: (text: string) => number,
): Promise<AuditEstimate> {
  const { judgeModelId } = design
  const estimate = createEstimator(new Map(price ? [[judgeModelId, price]] : []), countTokens)
  let [requests, mostRequests, promptTokens] = [0, 0, 0]
  let cost: Money = 0n
  const findings = await rehearse(design, (request) => {
    // Only a reply in a given form can be unreadable.
    const asks = request.responseSchema ? 2 : 1
    requests++
    mostRequests += asks
    promptTokens += countPrompt(request, countTokens)
    cost += (estimate(request) ?? 0n) * BigInt(asks)
  })
  return {
    judgeModelId,
    audits: findings.map(({ audit }) => audit),
    requests,
    mostRequests,
    promptTokens,
    cost: price ? toDollars(cost) : null,
    likelyCost: price ? toDollars(priceTokens(promptTokens, requests * TYPICAL_REPLY_TOKENS, price)) : null,
    notTestable: findings.flatMap(({ status, audit, sentence }) =>
      status === 'not-tested' ? [`${audit}: ${sentence}`] : [],
    ),
  }
}
