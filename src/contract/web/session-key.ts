/**
 * A browser sends a cookie to every port of a host, and so to other programs on this machine. A session therefore also
 * has a key, which the web app keeps by origin and sends beside the cookie. Neither opens anything alone.
 */
export const SESSION_KEY_HEADER = 'x-benchmaker-session'

/** For addresses that a browser requests without headers of ours: downloads, pictures and event streams. */
export const SESSION_KEY_QUERY = 'sessionKey'

/** Hands the key to the web app: the fragment of an address is not sent to any server. */
export function withSessionKey(address: string, key: string): string {
  return `${address.replace(/#.*$/s, '')}#${SESSION_KEY_QUERY}=${key}`
}
