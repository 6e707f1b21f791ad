/** Scheme, host and port: what a key belongs to. */
export function originOf(address: string): string | undefined {
  const url = URL.parse(address)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url.origin : undefined
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

/** The warning for a key that would travel readable through a network; undefined if it does not. */
export function warnOfPlainHttp(address: string): string | undefined {
  const url = URL.parse(address)
  return url?.protocol === 'http:' && !isLoopback(url.hostname)
    ? `the key for ${url.origin} is sent unencrypted, and anyone on the way can read it; use https:// if the server offers it`
    : undefined
}
