import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  assemblePage,
  createScreenshots,
  extractCode,
  type PageInspection,
  type Screenshots,
} from '../../src/preview/index.ts'
import type { InspectedPage } from '../../src/contract/index.ts'
import { isOneColour, whyInvisible } from '../../src/services/code-arena/visibility.ts'
import { previewsFolder } from './browser.ts'

let screenshots: Screenshots
beforeAll(async () => {
  screenshots = createScreenshots({ previews: previewsFolder, isBlank: isOneColour })
})
afterAll(() => screenshots?.close())

const inspect = async (answer: string): Promise<PageInspection> =>
  screenshots.take(await assemblePage(extractCode(answer)), { widths: [768] })

/** As a run sees it, but at one width. */
async function see(answer: string): Promise<InspectedPage> {
  const { files } = extractCode(answer)
  const assembled = await assemblePage(extractCode(answer))
  const page = { files, runs: assembled.runs, problem: assembled.problems.join(' '), notes: [], pictures: [] }
  if (!assembled.runs) return page
  const { screenshots: taken, ...findings } = await screenshots.take(assembled, {
    widths: [768],
    waits: { blankMs: 300 },
  })
  const pictures = taken.map((picture) => ({
    ...picture,
    name: `${picture.moment}.png`,
    isAfterInteraction: picture.moment === 'used',
  }))
  return { ...page, pictures, findings }
}

const html = (body: string): string =>
  `\`\`\`html\n<!doctype html><html lang="en"><head><title>Test</title></head><body><main><h1>Test</h1>${body}</main></body></html>\n\`\`\``

it('controls whose effect is outside the document count as working, and a dead one does not', async () => {
  const buttons = {
    'Leave by an address': "location.href = 'https://example.org/next'",
    'Leave by a call': "location.assign('/next')",
    'Open a window': "window.open('https://example.org')",
    'Show a dialog': "alert('Saved')",
    Download:
      "const a = document.createElement('a'); a.href = 'data:text/plain,x'; a.download = 'x.txt'; document.body.append(a); a.click(); a.remove()",
    Print: 'print()',
    Nothing: '',
  }
  const { interactions, errors } = await inspect(
    html(
      `<form action="/save"><label>Name <input></label><button>Send</button></form>${Object.entries(buttons)
        .map(([name, code]) => `<button onclick="${code}">${name}</button>`)
        .join('')}`,
    ),
  )
  const pressed = interactions.filter(({ action }) => action === 'click')
  expect(Object.fromEntries(pressed.map(({ target, hadEffect }) => [target, hadEffect]))).toEqual({
    ...Object.fromEntries(Object.keys(buttons).map((name) => [name, name !== 'Nothing'])),
    Send: true,
  })
  expect(errors).toEqual([])
})

it.each([
  ['at once', `<script>location.href = 'https://example.org/'</script>`],
  [
    'after loading, and after a while',
    `<script>addEventListener('load', () => location.replace('https://example.org/')); setTimeout(() => location.assign('/login'), 60)</script>`,
  ],
  ['by its head', `<meta http-equiv="refresh" content="0; url=https://example.org/">`],
])('a page that leaves %s is seen, without errors of ours', async (_name, body) => {
  const { screenshots: pictures, errors } = await inspect(html(body))
  expect(errors).toEqual([])
  expect(pictures).toHaveLength(2)
  expect(pictures.every(({ png }) => !isOneColour(png))).toBe(true)
})

const jsx = (body: string): string => `\`\`\`jsx\n${body}\n\`\`\``

it.each([
  ['is dark and works', html('<style>body { background: #111; color: #eee }</style><p>Hello</p>'), undefined],
  ['renders nothing', jsx('export default function App() { return null }'), /shows nothing/],
  [
    'fails before it shows anything',
    jsx('export default function App() { return plans.map(String) }'),
    /shows nothing/,
  ],
  ['hides itself', html('<style>body { display: none }</style>'), /shows nothing/],
  ['is of one dark colour', html('<style>body { background: #111 } main { display: none }</style>'), /shows nothing/],
  ['does not compile', jsx('export default function App() { return <main> }'), /./],
  ['was not written', 'I cannot write that page, sorry.', /no page in the answer/],
])('a page that %s', async (_name, answer, why) => {
  const found = whyInvisible(await see(answer))
  if (why === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(why)
})

it('accessibility findings do not charge our stand-ins to the page', async () => {
  const { accessibility } = await inspect(
    `\`\`\`jsx\nimport { FancyInput, FancyImage, FancyButton } from 'fancy-kit-nobody-has'\nexport default function App() {\n  return <main><h1>Kit</h1><FancyInput /><FancyImage src="x.png" /><FancyButton /></main>\n}\n\`\`\``,
  )
  expect(accessibility).toEqual([])
  const own = await inspect(
    `\`\`\`jsx\nimport { FancyInput } from 'fancy-kit-nobody-has'\nexport default function App() {\n  return <main><h1>Kit</h1><FancyInput /><input /></main>\n}\n\`\`\``,
  )
  expect(own.accessibility.map(({ id, nodes }) => [id, nodes])).toEqual([['label', 1]])
})

it('a page cannot tell that a program looks at it', async () => {
  const signs = [
    'navigator.webdriver',
    "navigator.userAgent.includes('Headless')",
    "navigator.userAgentData?.brands?.some(({ brand }) => brand.includes('Headless')) ?? false",
    'window.parent === window',
    'window.top === window.self',
    'location.ancestorOrigins.length === 0',
    "document.referrer !== ''",
    "origin !== 'null'",
  ]
  const { console: lines } = await inspect(html(`<script>console.log(JSON.stringify([${signs.join(', ')}]))</script>`))
  expect(lines.map(({ text }) => text)).toEqual([JSON.stringify(signs.map(() => false))])
})

/** Returns the colours of a picture at some places, read by a page that shows it. */
async function readColours(png: Uint8Array, places: [x: number, y: number][]): Promise<string[]> {
  const { console: lines } = await inspect(
    html(`<script type="module">
      const image = new Image()
      image.src = 'data:image/png;base64,${Buffer.from(png).toString('base64')}'
      await image.decode()
      const pen = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height }).getContext('2d', { willReadFrequently: true })
      pen.drawImage(image, 0, 0)
      console.log(${JSON.stringify(places)}.map(([x, y]) => pen.getImageData(x, y, 1, 1).data.slice(0, 3).join(' ')).join())
    </script>`),
  )
  return lines
    .map(({ text }) => text)
    .join('')
    .split(',')
}

it('a picture of a page longer than the screen keeps what is as tall as the screen, and shows pinned things once', async () => {
  const { screenshots: pictures } = await inspect(
    `\`\`\`html\n<!doctype html><html lang="en"><head><title>Tall</title><style>
      body { margin: 0 } section { height: 100vh }
      header { position: sticky; top: 0; height: 100px; background: rgb(1, 2, 3) }
      aside { position: fixed; bottom: 0; left: 0; width: 100px; height: 100px; background: rgb(4, 5, 6) }
      aside b { visibility: visible }
    </style></head><body><header></header><section style="background: rgb(200, 0, 0)"></section><section style="background: rgb(0, 200, 0)"></section>
    <footer style="background: rgb(0, 0, 200); height: 300px"></footer><aside><b>Chat</b></aside></body></html>\n\`\`\``,
  )
  const [loaded] = pictures
  const screen = 1024
  expect(loaded).toMatchObject({ width: 768, height: 100 + 2 * screen + 300, moment: 'loaded' })
  const places: [x: number, y: number, colour: string][] = [
    [400, 50, '1 2 3'],
    [400, 105, '200 0 0'],
    [50, screen - 5, '4 5 6'],
    [50, screen + 5, '200 0 0'],
    [400, screen + 50, '200 0 0'],
    [400, 100 + screen - 5, '200 0 0'],
    [400, 100 + screen + 5, '0 200 0'],
    [50, 2 * screen - 5, '0 200 0'],
    [400, 2 * screen + 50, '0 200 0'],
    [400, 100 + 2 * screen + 5, '0 0 200'],
    [50, 100 + 2 * screen + 295, '0 0 200'],
  ]
  expect(
    await readColours(
      loaded!.png,
      places.map(([x, y]) => [x, y]),
    ),
  ).toEqual(places.map(([, , colour]) => colour))
})

it('files of the answer that a page requests while it runs are there: a worker, data', async () => {
  const file = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``
  const found = await inspect(
    [
      html(`<script>const w = new Worker("worker.js"); w.onmessage = ({ data }) => console.log('got', data); w.postMessage(20)
fetch("./data.json").then((reply) => reply.json()).then(([value]) => console.log('got', value))</script>`),
      file('js worker.js', 'onmessage = ({ data }) => postMessage(data * 2 + 1)'),
      file('json data.json', '[42]'),
    ].join('\n\n'),
  )
  expect(found.errors).toEqual([])
  expect(found.blocked).toEqual([])
  expect(found.console.map(({ text }) => text).toSorted()).toEqual(['got 41', 'got 42'])
})
