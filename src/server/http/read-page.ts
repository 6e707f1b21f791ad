import type { Context } from 'hono'
import { Refusal } from './refusal.ts'

const DEFAULT_PAGE = 50
const LARGEST_PAGE = 200

function readNumber(text: string | undefined, fallback: number, most: number): number {
  if (text === undefined || text === '') return fallback
  if (!/^\d{1,9}$/.test(text)) throw new Refusal(400, 'bad-number', 'offset and limit are whole numbers.')
  return Math.min(Number(text), most)
}

/** Which part of a list is asked for. */
export function readPage(c: Context): { offset: number; limit: number } {
  return {
    offset: readNumber(c.req.query('offset'), 0, Number.MAX_SAFE_INTEGER),
    limit: readNumber(c.req.query('limit'), DEFAULT_PAGE, LARGEST_PAGE),
  }
}
