import { AsyncLocalStorage } from 'node:async_hooks'
import type { Account } from '../../contract/index.ts'

/** Who is signed in, and what the log should say about the request. */
export interface Signed {
  account: Account
  /** Set by a route if the address does not name what was changed. */
  object?: string
}

const current = new AsyncLocalStorage<Signed>()

/** Runs a request for a person: everything that it calls can find out who that is. */
export function actFor<Result>(signed: Signed, work: () => Result): Result {
  return current.run(signed, work)
}

/** The person who sent the request; undefined on a server for one person. */
export function currentAccount(): Account | undefined {
  return current.getStore()?.account
}

/** Tells the log what the request created. */
export function nameObject(object: string): void {
  const signed = current.getStore()
  if (signed) signed.object = object
}

const senders = new WeakMap<Request, string>()

/** For the log of requests: who sent this one. */
export function noteSender(request: Request, account: Account): void {
  senders.set(request, account.id)
}

/** The id of the account; undefined if nobody was signed in. */
export function senderOf(request: Request): string | undefined {
  return senders.get(request)
}
