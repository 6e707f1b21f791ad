import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createPageCompiler, type PageCompiler } from '../../preview/index.ts'
import { previewHeaders } from '../../preview/preview-headers.ts'
import { messagePage } from '../http/message-page.ts'
import { createVendorReader, isServed, type PageFiles } from '../../preview/vendor/vendor-files.ts'
import { VENDOR_PATH, vendorHeaders } from '../../preview/vendor/vendored-files.ts'

/** Limits on the pages kept; the least recently used are dropped. */
const MAX_PAGES = 300
const MAX_CHARACTERS = 50_000_000

export interface PreviewServer {
  /** The origin that the app's pages may frame. */
  origin: string
  /** The address of a page, on an origin that no other page has. The same page keeps its address while it is kept. */
  show(html: string): string
  /** Turns answers into pages. Its `warmUp` is worth a call while an answer is still arriving. */
  compiler: Omit<PageCompiler, 'close'>
  close(): Promise<void>
}

/** Pages by the first label of their host name. */
class ShownPages {
  readonly #pages = new Map<string, { html: string; digest: string }>()
  readonly #labels = new Map<string, string>()
  #characters = 0

  /** Marks the page as most recently used. */
  find(label: string): string | undefined {
    const page = this.#pages.get(label)
    if (!page) return undefined
    this.#pages.delete(label)
    this.#pages.set(label, page)
    return page.html
  }

  add(html: string): string {
    const digest = createHash('sha256').update(html).digest('base64')
    const existing = this.#labels.get(digest)
    if (existing !== undefined && this.find(existing) !== undefined) return existing
    const label = `p${randomBytes(20).toString('hex')}`
    this.#pages.set(label, { html, digest })
    this.#labels.set(digest, label)
    this.#characters += html.length
    for (const [oldest, page] of this.#pages) {
      if ((this.#pages.size <= MAX_PAGES && this.#characters <= MAX_CHARACTERS) || oldest === label) break
      this.#pages.delete(oldest)
      this.#labels.delete(page.digest)
      this.#characters -= page.html.length
    }
    return label
  }
}

function refuse(response: ServerResponse, status: number): void {
  response.shouldKeepAlive = false
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  response.end(status === 404 ? 'There is nothing here.\n' : 'This is not the address of a preview.\n')
}

/**
 * Only the app's page, around the frame, keeps a preview from leaving for another address. Browsers older than Chromium 80, Firefox 90
 * and Safari 16.4 do not say where a page is to be shown; they get it.
 */
function isForFrame({ headers }: IncomingMessage): boolean {
  const destination = headers['sec-fetch-dest']
  return destination === undefined || destination === 'iframe' || destination === 'frame'
}

const framesOnlyPage = messagePage({
  title: 'This page opens only inside Benchmaker',
  lines: [
    'A model wrote it. Inside Benchmaker it cannot reach the network; in a tab of its own it could.',
    'To see it alone, use Full screen in the Code Arena, or download the page under Code.',
  ],
})

function refuseOutsideFrame(response: ServerResponse, isHead: boolean): void {
  response.writeHead(403, {
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  })
  response.end(isHead ? undefined : framesOnlyPage)
}

/** The host of the request, if it has exactly one. */
function hostOf({ rawHeaders }: IncomingMessage): string | undefined {
  const hosts = rawHeaders.flatMap((header, index) =>
    index % 2 === 0 && header.toLowerCase() === 'host' ? [rawHeaders[index + 1] ?? ''] : [],
  )
  return hosts.length === 1 ? hosts[0] : undefined
}

/**
 * Serves pages that models wrote and the scripts they need, and nothing else. Only someone who knows a page's random
 * host name can reach it. It has no cookies, none of the app's data and no way to write.
 */
export async function startPreviewServer({
  port: preferredPort = 0,
  ...files
}: PageFiles & { port?: number }): Promise<PreviewServer> {
  const pages = new ShownPages()
  const compiler = createPageCompiler(files)
  const readVendor = createVendorReader(files)
  let port = preferredPort

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, label] = new RegExp(`^([0-9a-z]+)\\.localhost:${port}$`).exec(hostOf(request) ?? '') ?? []
    const html = label === undefined ? undefined : pages.find(label)
    if (html === undefined) return refuse(response, 421)
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405)
    const [path = ''] = (request.url ?? '').split(/[?#]/)
    const name = path.startsWith(VENDOR_PATH) ? path.slice(VENDOR_PATH.length) : undefined
    const isHead = request.method === 'HEAD'
    if (path === '/' && !isForFrame(request)) refuseOutsideFrame(response, isHead)
    else if (path === '/') {
      response.writeHead(200, previewHeaders({ origin: `http://${label}.localhost:${port}` }))
      response.end(isHead ? undefined : html)
    } else if (name !== undefined && isServed(name)) {
      const script = await readVendor(name)
      response.writeHead(200, vendorHeaders)
      response.end(isHead ? undefined : script)
    } else refuse(response, 404)
    return undefined
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => refuse(response, 404))
  })
  port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: preferredPort, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : preferredPort)
    })
  })
  return {
    origin: `http://*.localhost:${port}`,
    compiler,
    show: (html) => `http://${pages.add(html)}.localhost:${port}/`,
    async close() {
      await compiler.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}
