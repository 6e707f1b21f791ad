import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { pageTestSchema, pageTestsSchema } from '../../src/contract/index.ts'
import { createPageInspector, type PageInspector } from '../../src/preview/page-inspector.ts'
import { startScoring } from '../../src/runner/index.ts'
import { isOneColour } from '../../src/services/index.ts'
import { previewsFolder } from './browser.ts'

let inspector: PageInspector
beforeAll(async () => {
  inspector = createPageInspector({ previews: previewsFolder, isBlank: isOneColour })
})
afterAll(() => inspector?.close())

const fence = (html: string) => `\`\`\`html\n<!doctype html><html lang="en">${html}</html>\n\`\`\``

type Steps = z.input<typeof pageTestSchema>['steps']

/** What is wrong with each test; `passed` if nothing is. */
async function tryOn(html: string, tests: Record<string, Steps>): Promise<unknown> {
  const parsed = Object.entries(tests).map(([name, steps]) => pageTestSchema.parse({ name, steps }))
  const tested = await inspector.testPage(fence(html), { tests: parsed })
  if ('notSeen' in tested) return tested.notSeen
  return Object.fromEntries(
    tested.outcomes.map(({ passed, notes }, index) => [parsed[index]!.name, passed ? 'passed' : notes]),
  )
}

const page = `<head><title>Board</title><style>
body { margin: 0 } .row { display: flex } .cell { width: 100px; height: 50px; background: rgb(255 0 0 / 50%) }
@media (max-width: 500px) { .row { display: block } }
.closed { height: 0; overflow: hidden } .off { position: fixed; left: -300px; width: 200px } .front { position: fixed; inset: 0 }
</style></head><body>
<h1>Board</h1><button id="add">Add</button><button id="late">Later</button><button id="bad">Break</button>
<button id="under" style="position:absolute;top:400px">Under</button>
<label>Name <input id="name"></label><label>Plan <select id="plan"><option>Free</option><option>Team</option></select></label>
<input type="date" aria-label="Day"><ul><li>b</li><li>a</li></ul>
<div class="closed"><p id="hidden">Closed</p></div><nav class="off">Menu</nav>
<div class="row"><div class="cell" id="one" draggable="true">1</div><div class="cell" id="two">2</div></div>
<canvas width="200" height="50" id="paper"></canvas><p id="out"></p>
<script>
const out = document.getElementById('out'), list = document.querySelector('ul')
document.getElementById('add').onclick = () => { const item = document.createElement('li'); item.textContent = 'c'; list.append(item) }
document.getElementById('late').onclick = () => setTimeout(() => { out.textContent = 'Done' }, 300)
document.getElementById('bad').onclick = () => { throw new TypeError('broken') }
document.getElementById('plan').onchange = (event) => { out.textContent = event.target.value }
document.getElementById('name').onchange = (event) => { localStorage.name = event.target.value }
if (localStorage.name) out.textContent = 'Hello ' + localStorage.name
addEventListener('keydown', (event) => { if (event.key === 'ArrowLeft') out.textContent += '<' })
document.getElementById('two').ondragover = (event) => event.preventDefault()
document.getElementById('two').ondrop = () => { out.textContent = 'Dropped' }
let from
document.getElementById('paper').onmousedown = (event) => { from = event.offsetX }
document.getElementById('paper').onmouseup = (event) => { out.textContent = 'Moved ' + (event.offsetX - from) }
</script></body>`

it(
  'clicks, types, presses, drags, waits, resizes and reloads, and reads what is then to be seen',
  { timeout: 60_000 },
  async () => {
    expect(
      await tryOn(page, {
        adds: [
          { click: { role: 'button', text: 'Add' }, times: 2 },
          { expect: { of: 'li', texts: ['b', 'a', 'c', 'c'] } },
          { expect: { of: '#add', focused: true } },
        ],
        // Each test has a page of its own.
        'begins anew': [{ expect: { of: 'li', count: 2 } }, { expect: { title: 'Board', noErrors: true } }],
        waits: [{ click: '#late' }, { expect: { of: '#out', text: 'Done' } }],
        keys: [{ press: ['ArrowLeft', 'ArrowLeft'] }, { expect: { of: '#out', text: '<<' } }],
        types: [
          { type: 'Ada', into: { label: 'Name' } },
          { type: 'Eve', into: { label: 'Name' } },
          { press: 'Tab' },
          { expect: { of: '#name', value: 'Eve' } },
          { type: 'Team', into: { role: 'combobox' } },
          { expect: { of: '#out', text: 'Team' } },
          { type: '2024-03-05', into: { label: 'Day' } },
          { expect: { of: { label: 'Day' }, value: '2024-03-05' } },
        ],
        keeps: [
          { type: 'Ada', into: '#name' },
          { press: 'Tab' },
          { reload: true },
          { expect: { of: '#out', text: 'Hello Ada' } },
        ],
        drags: [
          { drag: '#one', to: '#two' },
          { expect: { of: '#out', text: 'Dropped' } },
          { drag: '#paper', by: [30, 0] },
          { expect: { of: '#out', text: 'Moved 30' } },
        ],
        places: [
          { expect: { of: '#one', leftOf: '#two', width: 100, style: { 'background-color': 'rgba(255, 0, 0, 0.5)' } } },
          { resize: [400, 700] },
          { expect: { of: '#one', above: '#two', inside: '.row' } },
        ],
        unseen: [
          { expect: { of: '#hidden', visible: false } },
          { expect: { of: 'nav', visible: false } },
          { expect: { of: { text: 'Closed' }, count: 0 } },
        ],
        'does not add': [{ click: '#late' }, { expect: { of: 'li', count: 3 } }],
        breaks: [{ click: { text: 'Break' } }, { expect: { noErrors: true } }],
        'not there': [{ click: { role: 'link', text: 'Home' } }],
      }),
    ).toEqual({
      adds: 'passed',
      'begins anew': 'passed',
      waits: 'passed',
      keys: 'passed',
      types: 'passed',
      keeps: 'passed',
      drags: 'passed',
      places: 'passed',
      unseen: 'passed',
      'does not add': 'step 2: expected 3 of li, saw 2',
      breaks: 'step 2: expected no errors, saw "TypeError: broken"',
      'not there': 'step 1: expected link "Home" to be seen, saw none',
    })
  },
)

it('does not press what something else is in front of', async () => {
  expect(
    await tryOn('<button id="a">A</button><div style="position:fixed;inset:0;background:white"></div>', {
      press: [{ click: '#a' }],
    }),
  ).toEqual({ press: 'step 1: expected to reach #a, saw something else in front of it' })
})

it('reads what custom elements show', { timeout: 60_000 }, async () => {
  const counter = `<main>Total <x-counter></x-counter></main><script>
customElements.define('x-counter', class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<style>b { color: red }</style>is <b>4 pieces</b>' }
})</script>`
  expect(
    await tryOn(counter, {
      within: [{ expect: { of: 'main', text: 'Total is 4 pieces' } }],
      alone: [{ expect: { of: 'x-counter', text: 'is 4 pieces' } }],
      'not its styles': [{ expect: { of: 'body', text: { contains: 'color' } } }],
    }),
  ).toEqual({ within: 'passed', alone: 'passed', 'not its styles': expect.stringContaining('4 pieces') })
})

it('does not charge a page for what is missing here', async () => {
  const tests = { shows: [{ expect: { of: '#a', visible: true } }] }
  expect(
    await tryOn('<script type="module">import x from "https://esm.sh/no-such-library@1"; x(a)</script>', tests),
  ).toMatch(/no-such-library/)
  expect(
    await tryOn(
      '<p>Wait</p><script>fetch("https://example.org/data").then(() => { document.body.id = "a" })</script>',
      tests,
    ),
  ).toBe('There is no network here for https://example.org/data.')
  expect(await tryOn('<p id="a">Here</p><script>fetch("https://example.org/data")</script>', tests)).toEqual({
    shows: 'passed',
  })
  const none = createPageInspector({ previews: undefined, isBlank: isOneColour })
  const parsed = [pageTestSchema.parse({ name: 'a', steps: tests.shows })]
  expect(await none.testPage(fence('<p>'), { tests: parsed })).toEqual({
    notSeen: expect.stringContaining('benchmaker'),
  })
  await none.close()
})

it('fails an answer that is no page, and says that a selector is wrong', async () => {
  const tests = [pageTestSchema.parse({ name: 'a', steps: [{ click: '#a[' }] })]
  expect(await inspector.testPage('I cannot do that.', { tests })).toEqual({
    outcomes: [{ passed: false, notes: 'There is no page in the answer.' }],
  })
  await expect(inspector.testPage(fence('<p>'), { tests })).rejects.toMatchObject({
    code: 'invalid-options',
    message: "pageTests: '#a[' is not a valid selector",
  })
})

it('tests a project after each step, on the code so far', async () => {
  const scoring = startScoring([], { pages: inspector })
  const says = (text: string) => [{ name: text, steps: [{ expect: { of: 'p', text } }] }]
  const turns = ['One', 'Two', 'Three'].map((text) => ({ user: text, pageTests: pageTestsSchema.parse(says(text)) }))
  const answers = [
    'index.html\n```html\n<!doctype html><html><body><p>One</p></body></html>\n```',
    '```diff\n-<p>One</p>\n+<p>Two</p>\n```',
    'It is done already.',
  ]
  const said = answers.map((text, turn) => ({ text, turn }))
  const conversation = { before: {}, world: {}, calls: [], said, transcript: '', turns, changing: [] }
  const score = await scoring.scoreResponse({ id: 'a', turns }, { response: answers[2]!, conversation })
  expect(score.checks?.[0]?.checks?.map((check) => [check.name, check.score])).toEqual([
    ['Step 1', 1],
    ['Step 2', 1],
    ['Step 3', 0],
  ])
})

it('sees the blocks of a page: what they say, where they are, in which colour', async () => {
  const seen = await inspector.seePage(
    fence(
      '<style>body { margin: 0; font: 20px/30px Arimo } p { margin: 0; color: rgb(255 0 0 / 50%) } h1 { position: absolute; left: 400px; top: 1200px; margin: 0 }</style><p>Owls <b>hunt</b> at night.</p><p hidden>Bees</p><h1 style="color: oklch(0 0 0)">Day</h1>',
    ),
    {},
  )
  expect(seen).toMatchObject({
    width: 1440,
    blocks: [
      { text: 'Owls hunt at night.', left: 0, colour: [255, 0, 0] },
      { text: 'Day', left: 400, colour: [0, 0, 0] },
    ],
  })
  expect(await inspector.seePage('No page.', {})).toEqual({ problem: 'There is no page in the answer.' })
})
