import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { InputError, type CancelSignal, type Claim, type Storage } from '../contract/index.ts'
import type { Clock } from './asking/clock.ts'

/** A claim that is not renewed for this long expires. */
const LEASE_MS = 30_000
const RENEW_EVERY_MS = 10_000

/** Claims that this process holds. */
const held = new Set<string>()

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process is alive but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** A dead process on this machine is noticed at once; the claim of one elsewhere runs out. */
function isExpired({ host, pid, token, renewedAt }: Claim, now: number): boolean {
  if (renewedAt < now - LEASE_MS) return true
  if (host !== hostname()) return false
  return pid === process.pid ? !held.has(token) : !isAlive(pid)
}

/** The claims of live processes, keyed by the id of the run or series. */
export async function listLiveClaims(storage: Storage, now: number): Promise<Map<string, Claim>> {
  const claims = await storage.listClaims()
  return new Map(claims.filter((claim) => !isExpired(claim, now)).map((claim) => [claim.id, claim]))
}

/** A process working on a run holds a claim on it; one working on a series holds a claim on the series too. */
export function isClaimed(
  { id, seriesId }: { id: string; seriesId?: string | undefined },
  claims: ReadonlyMap<string, Claim>,
): boolean {
  return claims.has(id) || (seriesId !== undefined && claims.has(seriesId))
}

function describeHolder(id: string, { pid, host, since }: Claim): string {
  const startedAt = new Date(since).toISOString().slice(0, 19).replace('T', ' ')
  return `run ${id} is being worked on by process ${pid} on host ${host} since ${startedAt} UTC; wait for it, or use --take-over when you know that it is dead`
}

/** Another process holds the run: nothing was sent or written. */
export class RunClaimed extends InputError {
  override name = 'RunClaimed'
}

interface Claiming {
  storage: Storage
  clock: Clock
  signal?: CancelSignal | undefined
  takeOver?: boolean | undefined
  renewEveryMs?: number
}

async function takeClaim(id: string, { storage, clock, takeOver = false }: Claiming): Promise<Claim> {
  const now = clock.now()
  const claim: Claim = { id, host: hostname(), pid: process.pid, token: randomUUID(), since: now, renewedAt: now }
  const staleBefore = now - LEASE_MS
  const holder = await storage.claim(claim, { staleBefore })
  if (holder) {
    if (!takeOver && !isExpired(holder, now)) throw new RunClaimed(describeHolder(id, holder))
    // Replaces this token only: if a third process took the claim first, that process keeps it.
    const newHolder = await storage.claim(claim, { staleBefore, replace: holder.token })
    if (newHolder) throw new RunClaimed(describeHolder(id, newHolder))
  }
  held.add(claim.token)
  return claim
}

/**
 * Holds the claim on a run or series during the work. The signal passed to the work aborts when the caller's does, and
 * when another process takes over the claim.
 */
export async function withClaim<Result>(
  id: string,
  claiming: Claiming,
  work: (signal: CancelSignal) => Promise<Result>,
): Promise<Result> {
  const { storage, clock, signal, renewEveryMs = RENEW_EVERY_MS } = claiming
  const { token } = await takeClaim(id, claiming)
  const controller = new AbortController()
  const cancel = () => controller.abort()
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  const renewal = setInterval(() => {
    // A database that cannot be reached now may be back before the lease runs out.
    storage.renewClaim(id, token, clock.now()).then(
      (isOurs) => (isOurs ? undefined : cancel()),
      () => undefined,
    )
  }, renewEveryMs)
  renewal.unref()
  try {
    return await work(controller.signal)
  } finally {
    clearInterval(renewal)
    signal?.removeEventListener('abort', cancel)
    held.delete(token)
    await storage.releaseClaim(id, token).catch(() => undefined)
  }
}
