import type { Context } from 'hono'
import { SESSION_KEY_HEADER, SESSION_KEY_QUERY } from '../../contract/index.ts'

/** The key that a request brings beside its cookie; empty without one. */
export function readSessionKey(c: Context): string {
  return c.req.header(SESSION_KEY_HEADER) ?? c.req.query(SESSION_KEY_QUERY) ?? ''
}
