import type { ActualCall } from '../calls.ts'
import { isObject } from '../json-values.ts'

const failureOpening =
  /^\s*["'[(]?\s*(error|failed|failure|exception|traceback|unknown (action|tool|function)|invalid)\b/i

/** Returns true if the call failed and so changed nothing: by the file's error flag, else by the start of the reply. */
export function isFailedCall({ isError, result }: ActualCall): boolean {
  if (isError === true) return true
  if (result === undefined) return false
  if (failureOpening.test(result)) return true
  if (!/^\s*\{/.test(result) || !/"(error|is_error|isError)"/.test(result.slice(0, 300))) return false
  try {
    const reply: unknown = JSON.parse(result)
    if (!isObject(reply)) return false
    const flag = reply['error'] ?? reply['is_error'] ?? reply['isError']
    return (
      flag === true || (typeof flag === 'string' && flag !== '') || (isObject(flag) && Object.keys(flag).length > 0)
    )
  } catch {
    return false
  }
}
