import { createServer, request } from 'node:http'

/** A server in front of another one, whose replies wait until the test lets them through. */
export async function holdAnswers(
  target: string,
  waitFor: () => Promise<void> | undefined,
): Promise<{ baseUrl: string; waiting(): number; close(): Promise<void> }> {
  const { hostname, port, pathname } = new URL(target)
  let waiting = 0
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming
    const wait = method === 'POST' ? waitFor() : undefined
    if (wait) waiting++
    const forwarded = request({ hostname, port, path: url, method, headers }, async (reply) => {
      await wait
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const own = typeof address === 'object' && address !== null ? address.port : 0
  return {
    baseUrl: `http://127.0.0.1:${own}${pathname}`,
    waiting: () => waiting,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
