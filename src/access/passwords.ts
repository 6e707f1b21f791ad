import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

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
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Takes as long without a hash, so that the time does not tell which accounts exist. */
export async function isPasswordOf(password: string, stored: string | undefined): Promise<boolean> {
  const [scheme, N, r, p, salt, hash] = (stored ?? '').split('$')
  if (scheme !== 'scrypt' || salt === undefined || hash === undefined) {
    await derive(password, randomBytes(16), COST)
    return false
  }
  const expected = Buffer.from(hash, 'base64url')
  const found = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return expected.length === found.length && timingSafeEqual(expected, found)
}
