/** Serves the files of the answer that a page requests while it runs; to the browser they would come from the network. */
const TYPES: Record<string, string> = {
  json: 'application/json',
  svg: 'image/svg+xml',
  html: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  js: 'text/javascript',
  ts: 'text/javascript',
}

function findAnswerFile(address: string): { text: string; type: string } | undefined {
  const files: Record<string, string> | undefined = Reflect.get(window, 'previewFiles')
  if (!files || !URL.canParse(address, location.href)) return undefined
  const { origin, pathname } = new URL(address, location.href)
  if (origin !== new URL(location.href).origin) return undefined
  const wanted = pathname.slice(1)
  const names = Object.keys(files)
  const name =
    names.find((file) => file === wanted) ??
    names.find((file) => file.endsWith(`/${wanted}`) || wanted.endsWith(`/${file}`))
  const text = name === undefined ? undefined : files[name]
  return text === undefined ? undefined : { text, type: TYPES[wanted.replace(/^.*\./, '')] ?? 'text/plain' }
}

function serveWorkers(): void {
  const { Worker: OriginalWorker } = window
  window.Worker = class Worker extends OriginalWorker {
    constructor(address: string | URL, options?: WorkerOptions) {
      const file = findAnswerFile(String(address))
      super(file ? URL.createObjectURL(new Blob([file.text], { type: 'text/javascript' })) : address, options)
    }
  }
}

function serveRequests(): void {
  const { fetch: fetchFromNetwork } = window
  window.fetch = async (request, options) => {
    const file = findAnswerFile(request instanceof Request ? request.url : String(request))
    return file
      ? new Response(file.text, { headers: { 'content-type': file.type } })
      : fetchFromNetwork.call(window, request, options)
  }
}

export function serveAnswerFiles(): void {
  serveWorkers()
  serveRequests()
}
