/** Names under this one do not exist: only a lookup of them can be seen. */
export const LEAK_DOMAIN = 'leak.example'

/** The ways in which it goes to another address, or has it loaded in advance, which no policy in a page itself can forbid. */
export const leavingWays = [
  'popup',
  'popup-link',
  'speculation',
  'top',
  'top-link',
  'parent',
  'refresh',
  'self-app',
  'self',
  'self-data',
  'self-blob',
]

/**
 * A page that tries every way out of a browser. The listener on `port` sees what it reaches; it logs what it reads. The
 * last thing it does is to leave for another address, by default the listener's.
 */
export function writeProbe({
  port,
  appPort,
  last,
  without = [],
}: Targets & {
  /** Ways that it does not try. */
  without?: string[]
}): string {
  return `<!doctype html>
<html><head><meta charset="utf-8"><title>Probe</title>
<link rel="stylesheet" href="http://127.0.0.1:${port}/static-style">
<link rel="icon" href="http://127.0.0.1:${port}/icon">
<link rel="manifest" href="http://127.0.0.1:${port}/manifest">
<script src="http://127.0.0.1:${port}/static-script"></script>
<style>@import "http://127.0.0.1:${port}/import"; @font-face { font-family: far; src: url(http://127.0.0.1:${port}/font) } body { font-family: far; background: url(http://127.0.0.1:${port}/background) }</style>
</head><body>
<h1>Probe</h1>
<img src="http://127.0.0.1:${port}/static-image" srcset="http://127.0.0.1:${port}/srcset 2x">
<iframe src="http://127.0.0.1:${port}/static-frame"></iframe>
<video src="http://127.0.0.1:${port}/video" autoplay></video>
<object data="http://127.0.0.1:${port}/object"></object>
<embed src="http://127.0.0.1:${port}/embed">
<script>
${scriptLeaves({ port, appPort, ...(last !== undefined && { last }) })}
const ways = {
  fetch: () => fetch(far + 'fetch').then((reply) => reply.text()),
  'fetch-opaque': () => fetch(far + 'fetch-opaque', { mode: 'no-cors' }),
  'fetch-keepalive': () => fetch(far + 'keepalive', { method: 'POST', keepalive: true, mode: 'no-cors' }),
  xhr: () => { const request = new XMLHttpRequest(); request.open('GET', far + 'xhr'); request.send() },
  beacon: () => navigator.sendBeacon(far + 'beacon', 'x') && undefined,
  socket: () => { new WebSocket('ws://127.0.0.1:${port}/socket') },
  events: () => { new EventSource(far + 'events') },
  transport: () => { new WebTransport('https://127.0.0.1:${port}/transport') },
  image: () => { new Image().src = far + 'image' },
  audio: () => { new Audio(far + 'audio').play().catch(() => {}) },
  script: () => { add('script', { src: far + 'script' }) },
  style: () => { add('link', { rel: 'stylesheet', href: far + 'style' }) },
  import: () => import(far + 'import-module'),
  frame: () => { add('iframe', { src: far + 'frame' }) },
  'frame-data': () => { add('iframe', { src: 'data:text/html,<img src="' + far + 'frame-data">' }) },
  'frame-srcdoc': () => { add('iframe', { srcdoc: '<img src="' + far + 'srcdoc-image"><script>fetch("' + far + 'srcdoc-fetch")<\\/script>' }) },
  hints: () => { for (const rel of ['preload', 'prefetch', 'modulepreload', 'preconnect', 'dns-prefetch', 'prerender']) add('link', { rel, href: far + rel, as: 'script' }) },
  speculation: () => { add('script', { type: 'speculationrules', textContent: JSON.stringify({ prefetch: [{ urls: [far + 'speculation'] }], prerender: [{ urls: [far + 'prerendered'] }] }) }) },
  ping: () => { add('a', { href: '#x', ping: far + 'ping' }).click() },
  popup: () => { open(far + 'popup') },
  'popup-link': () => { add('a', { href: far + 'popup-link', target: '_blank' }).click() },
  worker: () => { new Worker(URL.createObjectURL(new Blob(['try { fetch("' + far + 'worker-fetch") } catch (e) {} try { new WebSocket("ws://127.0.0.1:${port}/worker-socket") } catch (e) {} try { importScripts("' + far + 'worker-import") } catch (e) {}']))) },
  'worker-remote': () => { new Worker(far + 'worker-remote') },
  'worker-shared': () => { new SharedWorker(URL.createObjectURL(new Blob(['fetch("' + far + 'shared-worker")']))) },
  'service-worker': () => navigator.serviceWorker.register('/vendor/bootstrap.js'),
  cache: () => caches.open('x').then((cache) => cache.add(far + 'cache')),
  database: () => { indexedDB.open('x'); return Promise.resolve(true) },
  storage: () => Promise.resolve(Object.getOwnPropertyDescriptor(Window.prototype, 'localStorage').get.call(window)),
  cookie: () => Promise.resolve(Object.getOwnPropertyDescriptor(Document.prototype, 'cookie').get.call(document)),
  'app-fetch': () => fetch(app, { credentials: 'include' }).then((reply) => reply.text()),
  'app-image': () => { new Image().src = app + '?image' },
  'parent-document': () => Promise.resolve(parent !== window && parent.document.title),
  'parent-storage': () => Promise.resolve(parent !== window && parent.localStorage),
  names: () => {
    const named = (way) => 'http://' + way + '.${LEAK_DOMAIN}:${port}/'
    for (const rel of ['preload', 'prefetch', 'modulepreload', 'preconnect', 'dns-prefetch', 'prerender']) add('link', { rel, href: named(rel), as: 'script' })
    add('img', { src: named('image') })
    add('a', { href: named('anchor'), textContent: 'far' })
    fetch(named('fetch')).catch(() => {})
    new WebSocket('ws://socket.${LEAK_DOMAIN}:${port}/')
  },
  'rtc-own': () => { callByRtc() },
  // A frame in the page has its own constructors, which our script did not remove.
  'rtc-dug-up': () => { add('iframe', { srcdoc: '<script>(' + callByRtc + ')()<\\/script>' }) },
}
function callByRtc() {
  const login = { username: 'u', credential: 'c' }
  const iceServers = [{ urls: 'stun:127.0.0.1:${port}' }, { urls: 'stun:stun.${LEAK_DOMAIN}:${port}' }, { urls: 'turn:127.0.0.1:${port}?transport=udp', ...login }, { urls: 'turn:127.0.0.1:${port}?transport=tcp', ...login }, { urls: 'turn:turn.${LEAK_DOMAIN}:${port}?transport=tcp', ...login }]
  const connection = new RTCPeerConnection({ iceServers })
  connection.createDataChannel('x')
  connection.createOffer().then((offer) => connection.setLocalDescription(offer))
}
for (const [name, act] of Object.entries(ways)) if (!${JSON.stringify(without)}.includes(name)) attempt(name, act)
Object.entries(leave).filter(([name]) => !${JSON.stringify(without)}.includes(name)).forEach(([name, act], index) => setTimeout(() => attempt(name, act), 800 + 150 * index))
</script>
</body></html>`
}

interface Targets {
  port: number
  appPort: number
  last?: string
}

/** The ways in which a frame can go to another address, and what they and the other ways out use. */
function scriptLeaves({ port, appPort, last = `http://127.0.0.1:${port}/self` }: Targets): string {
  return `const far = 'http://127.0.0.1:${port}/'
const app = 'http://127.0.0.1:${appPort}/api/secret'
const attempt = (name, act) => { try { const result = act(name); if (result && result.then) result.then((value) => value && console.log('REACHED ' + name), () => {}) } catch (error) {} }
const add = (tag, attributes) => document.body.appendChild(Object.assign(document.createElement(tag), attributes))
const leave = {
  form: () => { add('form', { action: far + 'form', method: 'post' }).submit() },
  'form-top': () => { add('form', { action: far + 'form-top', target: '_top' }).submit() },
  'top': () => { top.location = far + 'top' },
  'top-link': () => { add('a', { href: far + 'top-link', target: '_top' }).click() },
  'parent': () => { parent.location.href = far + 'parent' },
  'refresh': () => { document.head.appendChild(Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: '0;url=' + far + 'refresh' })) },
  'self-data': () => { location = 'data:text/html,<img src="' + far + 'self-data">' },
  'self-blob': () => { location = URL.createObjectURL(new Blob(['<img src="' + far + 'self-blob">'], { type: 'text/html' })) },
  'self-app': () => { location = app + '?self' },
  'self': () => { location.href = ${JSON.stringify(last)} },
}`
}

/** Pages that leave in one way each: the first that is refused ends its frame. Each says before that it does. */
export function writeLeavings({ port, appPort }: Targets): string[] {
  const write = (script: string, targets: Targets) =>
    `<!doctype html><title>Leaving</title><h1>Leaving</h1><script>${scriptLeaves(targets)}\n${script}</script>`
  const own = `http://127.0.0.1:${port}/self`
  return [
    ...['form', 'form-top', 'top', 'top-link', 'parent', 'refresh', 'self-data', 'self-blob', 'self-app'].map((way) =>
      write(`console.log('LEAVING'); attempt('${way}', leave['${way}'])`, { port, appPort }),
    ),
    // By an address and by a name: a browser may connect to one and look up the other.
    ...[own, `http://self.${LEAK_DOMAIN}/`].map((last) =>
      write(`console.log('LEAVING'); attempt('self', leave.self)`, { port, appPort, last }),
    ),
  ]
}
