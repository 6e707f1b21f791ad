import type { ClientError } from '../../contract/index.ts'

/** Key, account or access. */
const ACCOUNT_REFUSED = new Set([401, 402, 403])
const NOT_THERE = new Set([404, 410])
/** Whoever says one of these may answer later. */
const PASSING = new Set([408, 409, 429, 502, 503, 504, 529])

/** How vendors say that they do not have a model, whatever the status. */
const MISSING_MODEL = [
  /model_not_found|model_not_supported|model_decommissioned|deploymentnotfound|no endpoints found/i,
  /\b(?:invalid|unknown|unrecognized|unsupported|no such|nonexistent) model\b/i,
  /\bnot a (?:valid|known|supported) model\b/i,
  /\bmodel\b.{0,200}\b(?:not found|(?:does not|doesn't|not) exist|no longer (?:available|supported|exists)|decommissioned|retired|discontinued)/is,
  /\bmodel (?:id|identifier|name)\b.{0,200}\b(?:invalid|unknown|not valid)\b/is,
  /\bmodel\b.{0,200}\bnot supported by any provider\b/is,
]

/**
 * How clearly the same would happen to any request to this model: it is closed to us or not there, or what answers does
 * not speak the protocol. 1 is clear; 0 says nothing about other requests, as when a server that may still send whole
 * answers breaks a stream.
 */
export function weighFailure(
  { kind, status = 0, message, adapted, wrongProtocol, nobodyListens }: ClientError,
  { stream, hasServed }: { stream: boolean; hasServed: boolean },
): number {
  if (adapted) return 0
  // A server that has answered before may be restarting.
  if (nobodyListens) return hasServed ? 0 : 1
  if (kind === 'broken') return wrongProtocol || !stream ? 1 : 0
  if (kind !== 'refused') return 0
  // A redirect, or a page, where an answer was expected.
  if (status >= 200 && status < 400) return 1
  if (ACCOUNT_REFUSED.has(status)) return 1
  if (!PASSING.has(status) && MISSING_MODEL.some((pattern) => pattern.test(message))) return 1
  // It may be something else that is not there.
  return NOT_THERE.has(status) ? 0.5 : 0
}
