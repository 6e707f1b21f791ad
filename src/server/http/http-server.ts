import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { InputError } from '../../contract/index.ts'
import { messagePage } from './message-page.ts'
import { Refusal } from './refusal.ts'
import { guardRequest } from './request-guard.ts'
import { dataHeaders, pageHeaders } from './security-headers.ts'

export interface ListeningServer {
  port: number
  close(): Promise<void>
}

/** Ports tried after the wanted one, when that is taken. */
const NEXT_PORTS = 20

const LOOPBACK = '127.0.0.1'

/** Somebody who followed a link from elsewhere is shown the way; everybody else gets data. */
function refuse({ status, code, message }: Refusal, request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? '/'
  const isPage =
    code === 'foreign-site' &&
    request.headers['sec-fetch-mode'] === 'navigate' &&
    request.method === 'GET' &&
    !url.startsWith('/api/')
  // What follows of the request is of no interest, and the connection may hold a second one behind it.
  response.shouldKeepAlive = false
  if (isPage) {
    response.writeHead(status, { ...pageHeaders([]), 'content-type': 'text/html; charset=utf-8' })
    response.end(
      messagePage({
        title: 'Opened from another site',
        lines: ['To be sure that you meant it, go on from here.'],
        link: { to: url, text: 'Go to Benchmaker' },
      }),
    )
    return
  }
  response.writeHead(status, { ...dataHeaders, 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { code, message } }))
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      server.off('error', reject)
      const address: AddressInfo | string | null = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

async function listenNear(server: Server, wanted: number, isFixed: boolean): Promise<number> {
  for (let port = wanted; ; port++) {
    try {
      return await listen(server, port)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      const isTaken = code === 'EADDRINUSE' || code === 'EACCES'
      if (isTaken && !isFixed && wanted > 0 && port < wanted + NEXT_PORTS && port < 65_535) continue
      if (isTaken)
        throw new InputError(`port ${port} is taken by another program; choose another with --port`, { cause: error })
      throw error
    }
  }
}

export interface ListenOptions {
  /** 0 for any. */
  port: number
  /** Fails when the port is taken, instead of taking the next free one. */
  isFixed?: boolean
}

/** Serves on this machine only. Every request is guarded before the app sees it. */
export async function startHttpServer(
  app: Hono,
  { port: wanted, isFixed = false }: ListenOptions,
): Promise<ListeningServer> {
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  let port = wanted
  const server = createServer((request, response) => {
    try {
      guardRequest({ method: request.method ?? '', url: request.url ?? '', rawHeaders: request.rawHeaders }, port)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refuse(error, request, response)
      return
    }
    void answer(request, response)
  })
  port = await listenNear(server, wanted, isFixed)
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
