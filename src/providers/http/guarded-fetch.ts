import { Agent, fetch as send } from 'undici'
import type { ConnectGuard } from './connect-guard.ts'

/** `fetch` that connects only to addresses that the guard allows. Redirects must not be followed by the caller. */
export function createGuardedFetch(guard: ConnectGuard): (address: URL, init: RequestInit) => Promise<Response> {
  const dispatcher = new Agent({ connect: { lookup: guard.lookup } })
  return async (address, { body, headers, method = 'GET', signal }) => {
    guard.checkWritten(address)
    // Written out first: undici has a class for forms of its own, and does not know the one of Node.
    const written = new Response(body ?? null)
    const type = written.headers.get('content-type')
    const bytes = body ? new Uint8Array(await written.arrayBuffer()) : undefined
    const all = new Headers(headers)
    if (type !== null && !all.has('content-type')) all.set('content-type', type)
    const reply: unknown = await send(address, {
      method,
      redirect: 'manual',
      dispatcher,
      headers: [...all],
      ...(bytes && { body: bytes }),
      ...(signal && { signal }),
    })
    return reply as Response
  }
}
