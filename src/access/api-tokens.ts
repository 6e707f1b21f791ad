import { InputError, isAtLeast, type Account, type ApiToken, type Role, type Storage } from '../contract/index.ts'
import { drawSecret, hashSecret } from './accounts.ts'

interface Tools {
  storage: Storage
  now(): number
}

const DAY_MS = 24 * 3_600_000

/** Recognisable, so that whoever finds one in a file knows what it is. */
export const TOKEN_PREFIX = 'benchmaker_'

const MAX_TOKENS = 50

/** Makes a token of at most the owner's own role. It is shown once and stored nowhere. */
export async function createApiToken(
  owner: Account,
  { name, role, days }: { name: string; role: Role; days: number },
  { storage, now }: Tools,
): Promise<{ token: string; stored: ApiToken }> {
  if (!isAtLeast(owner.role, role)) throw new InputError(`role: a token has at most your own role, ${owner.role}`)
  if ((await storage.access.listApiTokens(owner.id)).length >= MAX_TOKENS)
    throw new InputError(`you have ${MAX_TOKENS} tokens: revoke one that is not used any more`)
  const token = TOKEN_PREFIX + drawSecret()
  const createdAt = now()
  const stored = {
    hash: hashSecret(token),
    account: owner.id,
    name,
    role,
    createdAt,
    endsAt: createdAt + days * DAY_MS,
  }
  await storage.access.saveApiToken(stored)
  return { token, stored }
}

/** A request for each would be a write for each read. */
const NOTE_EVERY_MS = 60_000

/** Who a token acts for, with the lower of its own role and the one that the owner has now. */
export async function findTokenAccount(
  token: string,
  { storage, now }: Tools,
): Promise<{ account: Account; token: ApiToken } | undefined> {
  const found = await storage.access.findApiToken(hashSecret(token))
  if (!found || found.endsAt <= now()) return undefined
  const owner = await storage.access.findAccount({ id: found.account })
  if (!owner || owner.disabledAt !== undefined) return undefined
  if (now() - (found.usedAt ?? 0) >= NOTE_EVERY_MS) await storage.access.noteApiTokenUse(found.hash, now())
  const role = isAtLeast(owner.role, found.role) ? found.role : owner.role
  return { account: { ...owner, role }, token: found }
}
