import { SESSION_KEY_HEADER, SESSION_KEY_QUERY } from '../contract/index.ts'

/** Kept by origin, which other ports of this host do not share, and for all tabs, also after a restart of the browser. */
const NAME = 'benchmaker-session-key'

const readSessionKey = () => localStorage.getItem(NAME) ?? ''

export function keepSessionKey(key: string): void {
  localStorage.setItem(NAME, key)
}

export function sessionHeaders(): Record<string, string> {
  return { [SESSION_KEY_HEADER]: readSessionKey() }
}

/** For downloads, pictures and event streams: the browser sends no header of ours with them. */
export function addSessionKey(address: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${SESSION_KEY_QUERY}=${readSessionKey()}`
}
