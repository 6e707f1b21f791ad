import { answerName, type CellKey, type ClientError } from '../contract/index.ts'
import { processCell, type Engine, type OpenCell } from './engine.ts'
import { weighFailure } from './requesting/hopeless.ts'
import { ModelGivenUp, type RequestWatch, type SentRequest } from './requesting/request-answer.ts'

/**
 * So many cells have clearly failed for a reason that holds for all of them, and none was answered: the problem is the
 * key, the account, the model or the address, and more requests would not help.
 */
const MAX_REFUSALS = 3

/** Requests for a cell with replies that cannot be read, once another cell had such a reply too. */
const MAX_UNREADABLE = 3
const MAX_WRONG_PROTOCOL = 2

/** The models whose every request was refused. They are asked no more; the rest of their cells is left for a resume. */
export interface Refusals {
  /** Takes one cell from request to stored score, unless its model is refused: then returns false. */
  process(open: OpenCell, engine: Engine): Promise<boolean>
  /** True if a cell was left because its model is refused. */
  readonly hasLeft: boolean
  /** Contestants, in the order of the run. */
  list(engine: Engine): string[]
  /** In the words of the provider; undefined if no model is refused. */
  readonly message: string | undefined
}

/** The providers that have answered, and whether any of them may have before. */
interface Served {
  providers: Set<string>
  before: boolean
}

/** What is known about the requests to one model. */
class ModelReplies {
  /** By cell: how clear its failure is. */
  readonly #failures = new Map<string, number>()
  #hasAnswered = false
  /** Why it is refused. */
  message: string | undefined
  readonly #provider: string
  readonly #served: Served

  constructor(provider: string, served: Served) {
    this.#provider = provider
    this.#served = served
  }

  watch({ runId, testCaseId, modelId }: CellKey): RequestWatch {
    const cell = answerName({ runId, testCaseId, modelId })
    return {
      onAnswered: () => {
        this.#hasAnswered = true
        this.#served.providers.add(this.#provider)
      },
      onFailed: (failure, sent) => this.#isInVain(cell, failure, sent),
      isGivenUp: () => this.message !== undefined,
    }
  }

  /** True if the cell should not be tried again. */
  #isInVain(cell: string, failure: ClientError, sent: SentRequest): boolean {
    if (this.message !== undefined) return true
    const hasServed = this.#served.before || this.#served.providers.has(this.#provider)
    const weight = this.#hasAnswered ? 0 : weighFailure(failure, { ...sent, hasServed })
    if (weight === 0) return false
    this.#failures.set(cell, weight)
    const sum = [...this.#failures.values()].reduce((total, each) => total + each)
    if (sum >= MAX_REFUSALS) this.message = failure.message
    if (this.message !== undefined) return true
    const most = failure.wrongProtocol ? MAX_WRONG_PROTOCOL : MAX_UNREADABLE
    return failure.kind === 'broken' && this.#failures.size > 1 && sent.requests >= most
  }
}

/** `isFirst`: nothing was answered yet in the run or its series. */
export function createRefusals({ isFirst = false } = {}): Refusals {
  const models = new Map<string, ModelReplies>()
  const served: Served = { providers: new Set(), before: !isFirst }
  const repliesOf = (modelId: string, engine: Engine) => {
    const found = models.get(modelId) ?? new ModelReplies(engine.clientOf(modelId).provider, served)
    models.set(modelId, found)
    return found
  }
  const messageOf = (modelId: string) => models.get(modelId)?.message
  let hasLeft = false
  return {
    async process(open, engine) {
      if (open.answer) {
        await processCell(open, engine)
        return true
      }
      const replies = repliesOf(engine.contestants.get(open.cell.modelId)!.modelId, engine)
      try {
        if (replies.message === undefined) {
          await processCell(open, engine, replies.watch(open.cell))
          return true
        }
      } catch (error) {
        if (!(error instanceof ModelGivenUp)) throw error
      }
      hasLeft = true
      return false
    },
    get hasLeft() {
      return hasLeft
    },
    list: ({ prepared }) =>
      prepared.contestants.filter(({ modelId }) => messageOf(modelId) !== undefined).map(({ id }) => id),
    get message() {
      return [...models.values()].find(({ message }) => message !== undefined)?.message
    },
  }
}

export function areAllRefused(refusals: Refusals, engine: Engine): boolean {
  return refusals.list(engine).length === engine.prepared.contestants.length
}

/** Says which models are refused; without names if it is all of them. */
export function reportRefusals(refusals: Refusals, engine: Engine): void {
  const { message: error } = refusals
  if (error === undefined) return
  const named = areAllRefused(refusals, engine) ? {} : { models: refusals.list(engine) }
  engine.context.emit({ type: 'provider-refused', error, ...named })
}
