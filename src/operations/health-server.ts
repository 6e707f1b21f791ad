import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { InputError } from '../contract/index.ts'
import type { Health, HealthReply } from './health.ts'

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
}

function sendReply({ status, body }: HealthReply, request: IncomingMessage, response: ServerResponse): void {
  const text = `${JSON.stringify(body)}\n`
  response.writeHead(status, { ...HEADERS, 'content-length': Buffer.byteLength(text) })
  response.end(request.method === 'HEAD' ? undefined : text)
}

/**
 * Replies to `/healthz` and `/readyz`, from any address and without a session: whoever looks after the process has
 * none. Returns false if the request is for something else.
 */
export function answerHealth(health: Health, request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = request.url?.split('?')[0]
  if (path === '/healthz') sendReply(health.alive(), request, response)
  else if (path === '/readyz') void health.ready().then((reply) => sendReply(reply, request, response))
  else return false
  return true
}

export interface HealthServer {
  port: number
  close(): Promise<void>
}

/** For a process without a web app, such as a worker. Port 0 takes any free one. */
export function startHealthServer(
  health: Health,
  { port, host = '127.0.0.1' }: { port: number; host?: string },
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    if (answerHealth(health, request, response)) return
    response.writeHead(404, HEADERS).end('{"status":"not found"}\n')
  })
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new InputError(`the health port ${port} on ${host} cannot be used (${cause.code}): choose another one`, {
          cause,
        }),
      ),
    )
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeAllConnections()
          }),
      })
    })
  })
}
