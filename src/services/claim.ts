import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import {
  whereRunning,
  InputError,
  runStateOf,
  type CancelSignal,
  type Claim,
  type RunOwner,
  type RunState,
  type RunStatus,
  type Storage,
  nameOwner,
} from '../contract/index.ts'
import type { Clock } from './requesting/clock.ts'
import type { ClaimedOptions } from './run-tools.ts'

/** A claim that is not renewed for this long expires. */
const LEASE_MS = 30_000
const RENEW_EVERY_MS = 3_000

/** Of Linux, in /proc. */
const TICKS_PER_SECOND = 100

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

/** Milliseconds since 1970, on Linux; undefined elsewhere. */
function readStart(pid: number): number | undefined {
  try {
    const ticks = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')[19]
    const boot = /^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]
    return 1000 * (Number(boot) + Number(ticks) / TICKS_PER_SECOND)
  } catch {
    return undefined
  }
}

/**
 * A dead process on this machine is noticed at once. The claim of one elsewhere runs out, and so does one whose process id
 * may belong to another program by now; a process that was only suspended keeps its claim.
 */
function isExpired({ host, pid, token, since, renewedAt }: Claim, now: number): boolean {
  const isOverdue = renewedAt < now - LEASE_MS
  if (host !== hostname()) return isOverdue
  if (pid === process.pid) return !held.has(token)
  return !isAlive(pid) || (isOverdue && !((readStart(pid) ?? Infinity) <= since))
}

/** Whether the process that holds the claim still works. */
export const isLiveClaim = (claim: Claim, now: number): boolean => !isExpired(claim, now)

/** The claims of live processes, keyed by the id of the run or series. */
async function listLiveClaims(storage: Storage, now: number): Promise<Map<string, Claim>> {
  const claims = await storage.listClaims()
  return new Map(claims.filter((claim) => !isExpired(claim, now)).map((claim) => [claim.id, claim]))
}

/** The ids of runs and series that live processes work on. */
export async function findClaimed(storage: Storage, now: number): Promise<string[]> {
  return [...(await listLiveClaims(storage, now)).keys()]
}

export interface UnfinishedRun {
  id: string
  seriesId?: string | undefined
  status?: RunStatus | undefined
}

export interface RunActivity {
  state: RunState
  /** The live process that works on the run, or on its series while the run is unfinished. */
  workedOnBy?: RunOwner
  /** Why the workers that have it do not work on it. */
  waiting?: string
}

/** Tells a live run from a killed one, by the claims of live processes. */
export async function findActivity(
  runs: readonly UnfinishedRun[],
  { storage, now }: { storage: Storage; now: number },
): Promise<Map<string, RunActivity>> {
  const claims = runs.length === 0 ? new Map<string, Claim>() : await listLiveClaims(storage, now)
  return new Map(
    runs.map(({ id, seriesId, status = 'completed' }): [string, RunActivity] => {
      // A process that works on a series claims the series too, and may be between two of its runs.
      const claim = claims.get(id) ?? (status === 'running' ? claims.get(seriesId ?? '') : undefined)
      const state = runStateOf(status, { isHeld: claim !== undefined })
      if (!claim) return [id, { state }]
      const { host, pid, since, waiting } = claim
      const workedOnBy = { host, pid, since }
      return [id, waiting === undefined ? { state, workedOnBy } : { state: 'waiting', waiting, workedOnBy }]
    }),
  )
}

/** Another process holds the run: nothing was sent or written. */
export class RunClaimed extends InputError {
  override name = 'RunClaimed'
  readonly owner: RunOwner

  constructor(id: string, { host, pid, since }: Claim) {
    const owner = { host, pid, since }
    super(`run ${id} is running ${whereRunning(owner)}; wait for it, or use --take-over when you know that it is dead`)
    this.owner = owner
  }
}

/** Another process took over the run while this one worked on it. What this one had finished is kept. */
export class RunTakenOver extends InputError {
  override name = 'RunTakenOver'

  constructor(id: string, owner: RunOwner | undefined) {
    const who = owner ? nameOwner(owner) : 'another process, which has ended'
    super(`run ${id} was taken over by ${who}; this process stopped working on it, and what it had finished is kept`)
  }
}

interface Claiming extends Pick<ClaimedOptions, 'signal' | 'confirmClaim'> {
  storage: Storage
  clock: Clock
  takeOver?: boolean | undefined
  renewEveryMs?: number
}

async function takeClaim(id: string, { storage, clock, takeOver = false }: Claiming): Promise<Claim> {
  const now = clock.now()
  const claim: Claim = { id, host: hostname(), pid: process.pid, token: randomUUID(), since: now, renewedAt: now }
  const holder = await storage.claim(claim)
  if (holder) {
    if (!takeOver && !isExpired(holder, now)) throw new RunClaimed(id, holder)
    // Replaces this token only: if a third process took the claim first, that process keeps it.
    const newHolder = await storage.claim(claim, { replace: holder.token })
    if (newHolder) throw new RunClaimed(id, newHolder)
  }
  held.add(claim.token)
  return claim
}

/** For the work, instead of what the caller has. */
interface Held {
  signal: CancelSignal
  confirmClaim: () => Promise<void>
  claimToken: string
}

/**
 * Holds the claim on a run or series during the work. The signal passed to the work aborts when the caller's does, and
 * when another process takes over the claim; the latter ends in `RunTakenOver`.
 */
export async function withClaim<Result>(
  id: string,
  claiming: Claiming,
  work: (held: Held) => Promise<Result>,
): Promise<Result> {
  const { storage, clock, signal, confirmClaim, renewEveryMs = RENEW_EVERY_MS } = claiming
  const { token } = await takeClaim(id, claiming)
  const controller = new AbortController()
  const cancel = () => controller.abort()
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  let isLost = false
  const renewOnce = async (now: number) => {
    if (isLost || (await storage.renewClaim(id, token, now))) return
    isLost = true
    cancel()
  }
  const refuseLost = async () => {
    if (!isLost) return
    const claims = await storage.listClaims().catch(() => [])
    throw new RunTakenOver(
      id,
      claims.find((claim) => claim.id === id),
    )
  }
  const confirm = async () => {
    await confirmClaim?.()
    // Whether a database that is away can be written to shows when something is written.
    await renewOnce(clock.now()).catch(() => undefined)
    await refuseLost()
  }
  let isRenewing = false
  const renew = async () => {
    // One at a time: a database that was away would otherwise receive old renewals after new ones.
    if (isRenewing) return
    isRenewing = true
    try {
      for (let asked = -Infinity; clock.now() - asked > renewEveryMs && held.has(token);) {
        asked = clock.now()
        await renewOnce(asked)
      }
    } catch {
      // A database that cannot be reached now may be back before the lease runs out.
    } finally {
      isRenewing = false
    }
  }
  const renewal = setInterval(() => void renew(), renewEveryMs)
  renewal.unref()
  try {
    const result = await work({ signal: controller.signal, confirmClaim: confirm, claimToken: token })
    await refuseLost()
    return result
  } finally {
    clearInterval(renewal)
    signal?.removeEventListener('abort', cancel)
    held.delete(token)
    await storage.releaseClaim(id, token).catch(() => undefined)
  }
}
