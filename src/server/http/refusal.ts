import type { Problem } from '../../contract/index.ts'

type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 502 | 503

/** Why a request was refused: becomes an `ApiError` with this status. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly status: RefusalStatus
  readonly code: string
  readonly problems: Problem[] | undefined

  constructor(status: RefusalStatus, code: string, message: string, problems?: Problem[]) {
    super(message)
    this.status = status
    this.code = code
    this.problems = problems
  }
}

export function notFound(what: string): Refusal {
  return new Refusal(404, 'not-found', `${what} was not found. It may have been deleted.`)
}
