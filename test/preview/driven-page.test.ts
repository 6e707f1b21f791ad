import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPageInspector, type PageInspector } from '../../src/preview/page-inspector.ts'
import { isOneColour } from '../../src/services/index.ts'
import { previewsFolder } from './browser.ts'

let inspector: PageInspector
beforeAll(async () => {
  inspector = createPageInspector({ previews: previewsFolder, isBlank: isOneColour })
})
afterAll(() => inspector?.close())

const page = `\`\`\`html
<!doctype html><html lang="en"><head><title>Prices</title></head><body>
<h1>Prices</h1><p id="price">$10 a month</p>
<label><input type="checkbox" id="yearly"> Yearly</label>
<label>Plan <select id="plan"><option>Free</option><option>Team</option></select></label>
<form><label>Email <input type="email" id="email"></label><button>Join</button></form>
<p role="status"></p><button disabled>Later</button><button hidden>Secret</button>
<script>
const price = document.getElementById('price'), status = document.querySelector('[role=status]')
document.getElementById('yearly').addEventListener('change', (event) => { price.textContent = event.target.checked ? '$100 a year' : '$10 a month' })
document.getElementById('plan').addEventListener('change', (event) => { status.textContent = event.target.value })
document.querySelector('form').addEventListener('submit', (event) => { event.preventDefault(); status.textContent = 'Welcome ' + document.getElementById('email').value })
</script></body></html>
\`\`\``

it('is used step by step: switches, choices, fields, the Enter key', async () => {
  const driven = await inspector.openPage(page, {})
  try {
    const first = await driven.look()
    expect(first.controls.map(({ kind, name, value }) => [kind, name, value])).toEqual([
      ['checkbox', 'Yearly', 'off'],
      ['select', 'Plan', 'Free (of Free, Team)'],
      ['email', 'Email', ''],
      ['button', 'Join', undefined],
    ])
    expect(await driven.use({ action: 'click', control: 1 })).toBe(true)
    const second = await driven.look()
    expect(second.controls[0]!.value).toBe('on')
    expect(Buffer.from(second.png).equals(Buffer.from(first.png))).toBe(false)
    expect(await driven.use({ action: 'type', control: 2, text: 'team' })).toBe(true)
    expect(await driven.use({ action: 'type', control: 3, text: 'ada@example.org' })).toBe(true)
    expect(await driven.use({ action: 'enter', control: 3 })).toBe(true)
    expect((await driven.look()).controls.map(({ value }) => value)).toEqual([
      'on',
      'Team (of Free, Team)',
      'ada@example.org',
      undefined,
    ])
    expect(await driven.use({ action: 'click', control: 99 })).toBe(false)
    expect(await driven.use({ action: 'scroll', direction: 'down' })).toBe(false)
  } finally {
    await driven.close()
  }
})

it('two pages are open at once, and each begins anew', async () => {
  const [one, two] = await Promise.all([inspector.openPage(page, {}), inspector.openPage(page, {})])
  await Promise.all([one.look(), two.look()])
  await one.use({ action: 'click', control: 1 })
  expect((await two.look()).controls[0]!.value).toBe('off')
  await Promise.all([one.close(), two.close()])
})

it('what is no page cannot be opened', async () => {
  await expect(inspector.openPage('I cannot write that page, sorry.', {})).rejects.toThrow()
})
