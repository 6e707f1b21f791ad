import { randomUUID, randomBytes, scrypt, timingSafeEqual, type ScryptOptions, createHash } from 'node:crypto'
import {
  InputError,
  loginSchema,
  type Account,
  type AccountChange,
  type Invitation,
  type Person,
  type Role,
  type Storage,
} from '../contract/index.ts'

/** For links and cookies: 256 random bits. */
export function drawSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Only hashes are stored, so that reading the database reveals no secret. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** OWASP's first choice for scrypt: 128 MiB and about a third of a second. */
const COST = { N: 2 ** 17, r: 8, p: 1 }
const HASH_BYTES = 32

/** Each takes 128 MiB, so few are computed at once. */
const MAX_AT_ONCE = 2

let running = 0
const waiting: (() => void)[] = []

async function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: 256 * cost.N * cost.r }
  return takeTurn(
    () =>
      new Promise((resolve, reject) =>
        // The same password typed on another keyboard may have other code points.
        scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, hash) =>
          error ? reject(error) : resolve(hash),
        ),
      ),
  )
}

/** `scrypt$N$r$p$salt$hash`: names its cost, so that a later version can raise it. */
async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Takes as long without a hash, so that the time does not tell which accounts exist. */
async function isPasswordOf(password: string, stored: string | undefined): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = (stored ?? '').split('$')
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) {
    await derive(password, randomBytes(16), COST)
    return false
  }
  const expected = Buffer.from(hash, 'base64url')
  const found = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return expected.length === found.length && timingSafeEqual(expected, found)
}

export const INVITATION_DAYS = 7
const DAY_MS = 24 * 3_600_000

/** A session ends after this long, whether it is used or not. */
export const SESSION_LIFE_MS = 7 * DAY_MS

interface Tools {
  storage: Storage
  now(): number
}

/** The link of an invitation. Its secret is in the fragment, which browsers do not send and servers do not log. */
export function writeInvitationLink(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/invitation#${token}`
}

/**
 * Makes an invitation that works once and for a week: for a new account, or for a new password of an existing one. The
 * token is shown once and stored nowhere.
 */
export async function invite(
  { login, role, invitedBy }: { login: string; role: Role; invitedBy?: string | undefined },
  { storage, now }: Tools,
): Promise<{ token: string; invitation: Invitation }> {
  const parsed = loginSchema.safeParse(login)
  if (!parsed.success) throw new InputError(`the e-mail address or name ${parsed.error.issues[0]?.message}`)
  const existing = await storage.access.findAccount({ login: parsed.data })
  if (existing?.subject !== undefined)
    throw new InputError(`${parsed.data} already has an account, and signs in with OpenID`)
  const token = drawSecret()
  const createdAt = now()
  const invitation: Invitation = {
    hash: hashSecret(token),
    login: parsed.data,
    // For somebody who has an account, the link only sets a new password.
    role: existing?.role ?? role,
    createdAt,
    endsAt: createdAt + INVITATION_DAYS * DAY_MS,
    ...(invitedBy !== undefined && { invitedBy }),
  }
  await storage.access.saveInvitation(invitation)
  return { token, invitation }
}

/** Undefined if there is none, it was used, or its time is over. */
export async function findOpenInvitation(token: string, { storage, now }: Tools): Promise<Invitation | undefined> {
  const found = await storage.access.findInvitation(hashSecret(token))
  return found && found.usedAt === undefined && found.endsAt > now() ? found : undefined
}

/** Makes the account of an invitation, or sets its password; undefined if the invitation cannot be used. */
export async function acceptInvitation(
  { token, name, password }: { token: string; name: string; password: string },
  tools: Tools,
): Promise<Account | undefined> {
  const invitation = await findOpenInvitation(token, tools)
  if (!invitation) return undefined
  const existing = await tools.storage.access.findAccount({ login: invitation.login })
  if (existing) return setPassword(existing, { invitation, password }, tools)
  const account: Account = {
    id: randomUUID(),
    login: invitation.login,
    name,
    role: invitation.role,
    createdAt: tools.now(),
    password: await hashPassword(password),
  }
  const outcome = await tools.storage.access.createAccount(account, invitation.hash)
  return outcome === 'created' ? account : undefined
}

async function setPassword(
  account: Account,
  { invitation, password }: { invitation: Invitation; password: string },
  { storage, now }: Tools,
): Promise<Account | undefined> {
  if (account.subject !== undefined || account.disabledAt !== undefined) return undefined
  const hash = await hashPassword(password)
  if (!(await storage.access.useInvitation(invitation.hash, now()))) return undefined
  await storage.access.changeAccount(account.id, { password: hash })
  return account
}

/** The account with this login and password; undefined for whatever reason, so that nothing is given away. */
export async function checkPassword(
  { login, password }: { login: string; password: string },
  { storage }: Pick<Tools, 'storage'>,
): Promise<Account | undefined> {
  const account = await storage.access.findAccount({ login })
  const isRight = await isPasswordOf(password, account?.password)
  return isRight && account?.disabledAt === undefined ? account : undefined
}

/** What an OpenID provider says about a person. */
export interface ProvedPerson {
  issuer: string
  subject: string
  name: string
  /** Shown to admins; does not decide who somebody is. */
  login: string
  /** By the person's groups, or the default; undefined if nobody without a group may enter. */
  role: Role | undefined
  /** True if the role comes from groups, and so follows them at every sign-in. */
  isRoleFromGroups: boolean
}

/**
 * The account of a person whom an OpenID provider vouches for, made at the first sign-in. It is known by issuer and id
 * alone: whoever can choose an e-mail address at the provider must not become somebody else here.
 */
export async function enterByProvider(
  proved: ProvedPerson,
  { storage, now }: Tools,
): Promise<{ account: Account } | { refusal: string }> {
  const subject = `${proved.issuer} ${proved.subject}`
  const found = await storage.access.findAccount({ subject })
  if (!found) {
    if (proved.role === undefined) return { refusal: 'Your groups do not give you access. Ask an admin.' }
    const account: Account = {
      id: randomUUID(),
      login: proved.login,
      name: proved.name,
      role: proved.role,
      createdAt: now(),
      subject,
    }
    if ((await storage.access.createAccount(account)) === 'created') return { account }
    // Two first sign-ins at once, as by a double click: the other one made the account.
    const made = await storage.access.findAccount({ subject })
    if (made) return { account: made }
    return { refusal: `${proved.login} is the name of another account here, which signs in differently. Ask an admin.` }
  }
  if (found.disabledAt !== undefined) return { refusal: 'Your account is disabled. Ask an admin.' }
  const change = changeFromProvider(found, proved)
  if (change === 'no-access') {
    await storage.access.endSessions(found.id)
    await storage.access.deleteApiTokens(found.id)
    return { refusal: 'Your groups no longer give you access. Ask an admin.' }
  }
  const outcome = change ? await storage.access.changeAccount(found.id, change) : 'changed'
  if (outcome === 'last-admin') return { account: found }
  return { account: { ...found, name: proved.name, role: change?.role ?? found.role } }
}

function changeFromProvider(found: Account, proved: ProvedPerson): AccountChange | 'no-access' | undefined {
  if (proved.role === undefined) return 'no-access'
  const role = proved.isRoleFromGroups && proved.role !== found.role ? proved.role : undefined
  const name = proved.name === found.name ? undefined : proved.name
  // So that whoever gets the address next can have an account, too.
  const login = proved.login === found.login ? undefined : proved.login
  if (role === undefined && name === undefined && login === undefined) return undefined
  return {
    ...(role !== undefined && { role }),
    ...(name !== undefined && { name }),
    ...(login !== undefined && { login }),
  }
}

/** Opens a session; its secret, twice as long as others because it is sent in two halves, is stored nowhere. */
export async function openAccountSession(account: Person, { storage, now }: Tools): Promise<string> {
  const secret = drawSecret() + drawSecret()
  const openedAt = now()
  await storage.access.openSession({
    hash: hashSecret(secret),
    account: account.id,
    openedAt,
    endsAt: openedAt + SESSION_LIFE_MS,
  })
  return secret
}

export function findSessionAccount(secret: string, { storage, now }: Tools): Promise<Account | undefined> {
  return storage.access.findSession(hashSecret(secret), now())
}

export function closeAccountSession(secret: string, { storage }: Pick<Tools, 'storage'>): Promise<void> {
  return storage.access.endSession(hashSecret(secret))
}
