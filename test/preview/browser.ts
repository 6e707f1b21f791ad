/** Shared by tests in a real browser: the vendored files and a server that logs its visitors. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createSocket } from 'node:dgram'
import { join } from 'node:path'

/** The files of benchmaker-previews, which `npm test` builds first. */
export const previewsFolder = join(import.meta.dirname, '../../packages/previews/dist')

export interface TestServer {
  port: number
  onConnection(listen: () => void): void
  close(): Promise<void>
}

/** Starts a server on loopback. Chromium resolves `*.localhost` to it without a DNS lookup. */
export async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<TestServer> {
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    port: address.port,
    onConnection: (listen) => void server.on('connection', listen),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/**
 * Logs everything that reaches it, over TCP and over UDP on the same port. A connection is logged as `TCP`, whether or not a
 * request follows.
 */
export async function listenForVisitors() {
  const visits: string[] = []
  const server = await serve((request, response) => {
    visits.push(`${request.method} ${request.url}`)
    response.setHeader('access-control-allow-origin', '*')
    response.end('seen')
  })
  server.onConnection(() => visits.push('TCP'))
  const datagrams = createSocket('udp4')
  datagrams.on('message', () => visits.push('UDP'))
  await new Promise<void>((resolve) => datagrams.bind(server.port, '127.0.0.1', resolve))
  return {
    port: server.port,
    visits,
    async close() {
      datagrams.close()
      await server.close()
    },
  }
}
