import { createHash, randomBytes } from 'node:crypto'

/** For links and cookies: 256 random bits. */
export function drawSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Only hashes are stored, so that reading the database reveals no secret. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
