import { describe, expect, it } from 'vitest'
import { extractCode } from '../extract/extract-code.ts'
import { assemblePage } from './assemble-page.ts'

const cut = (language: string, code: string) => assemblePage(extractCode(`\`\`\`${language}\n${code}`))

describe('an answer that ends in the middle of its code', () => {
  it.each([
    [
      'in a list of elements',
      `import { useState } from 'react'
export default function App() {
  const [names] = useState<string[]>(['Ann', "it's"])
  return (
    <main className="p-4">
      <h1>Guests, don't panic</h1>
      <ul>
        {names.map((name) => (
          <li key={name} onClick={() => alert(\`hi \${name}\`)}>
            {name}
          </li>`,
      'App.tsx: its code is shown up to line 11 of 11',
    ],
    [
      'in a tag',
      `export default function App() {
  return (
    <>
      <h1>Menu</h1>
      <section
        className="big" onClick={() =>`,
      'App.jsx: its code is shown up to line 4 of 6',
    ],
    [
      'in a text',
      `export default function App() {
  const [n] = [1]
  if (n < 2) {
    return <p>one</p>
  }
  const text = 'this is where the`,
      'App.jsx: its code is shown up to line 5 of 6',
    ],
  ])('%s is shown up to there', async (_where, code, said) => {
    const page = await cut(/useState</.test(code) ? 'tsx' : 'jsx', code)
    expect(page.problems).toEqual([`The answer ends in the middle of ${said}.`])
    expect(page.runs).toBe(true)
  })

  it('in the script of a page keeps what the script does before', async () => {
    const page = await cut(
      'html',
      `<!doctype html>\n<html><body><p id="a">x</p>\n<script>\nconst a = document.getElementById('a')\na.onclick = () => {\n  a.textContent = 'y'\n  for (const b of [`,
    )
    expect(page.problems).toEqual(['The answer ends in the middle of index.html: its code is shown up to line 6 of 7.'])
    expect(page.html).toMatch(/a\.textContent = 'y'\s*\}\s*<\/script>/)
  })

  it('is not one whose last fence alone is missing', async () => {
    expect((await cut('jsx', 'export default () => <p>x</p>\n')).problems).toEqual([])
    expect((await cut('html', '<!doctype html><html><body><p>x</p></body></html>')).problems).toEqual([])
  })

  it('is not one that is wrong from its beginning', async () => {
    const page = await cut('jsx', `const a = = 1\n${'const b = 1\n'.repeat(200)}export default () => <p`)
    expect(page.problems[0]).toMatch(/^App\.jsx cannot be compiled/)
  })
})
