import type { Route } from 'playwright-core'
import { iframeSandbox } from '../../contract/index.ts'
import { previewHeaders } from '../preview-headers.ts'
import { isServed, type VendorReader } from '../vendor/vendor-files.ts'
import { VENDOR_PATH, vendorHeaders } from '../vendor/vendored-files.ts'
import type { FindingsCollector } from './findings.ts'

export interface Addresses {
  /** Of the document that has the page in a frame. */
  host: string
  /** Of the page. */
  origin: string
}

/** Where the frame waits, in the page's own renderer, until the driver is installed there. */
const WAITING_PATH = '/waiting'

/** People see the page in such a frame. Without one, a page could tell who is looking and show a judge something else. */
function hostDocument(origin: string): string {
  return `<!doctype html><style>html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block; overflow: hidden; background: white }</style><iframe title="Page" sandbox="${iframeSandbox}" referrerpolicy="no-referrer" allow="" src="${origin}${WAITING_PATH}"></iframe>`
}

/** Serves the page, the document around it and the vendored files; any other request is aborted before it connects. */
export async function answerRoute(
  route: Route,
  {
    host,
    origin,
    html,
    readVendor,
    findings,
  }: Addresses & { html: string; readVendor: VendorReader; findings: FindingsCollector },
): Promise<void> {
  const request = route.request()
  const url = request.url()
  const name = url.startsWith(`${origin}${VENDOR_PATH}`) ? url.slice(origin.length + VENDOR_PATH.length) : undefined
  const servePage = (body: string): Promise<void> =>
    route.fulfill({ status: 200, headers: previewHeaders({ origin, isCutOff: true }), body })
  if (url === `${origin}/`) await servePage(html)
  else if (url === `${origin}${WAITING_PATH}`) await servePage('')
  else if (url === `${host}/`)
    await route.fulfill({ status: 200, contentType: 'text/html', body: hostDocument(origin) })
  else if (name !== undefined && isServed(name))
    await route.fulfill({ status: 200, headers: vendorHeaders, body: await readVendor(name) })
  else if (request.isNavigationRequest()) {
    findings.addBlocked({ url, why: 'the page was to be left for it' })
    // The browser stays on the page, as it would not if the request failed.
    await route.fulfill({ status: 204 })
  } else await route.abort('blockedbyclient')
}
