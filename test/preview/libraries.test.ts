import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assemblePage, extractCode, launchChromium } from '../../src/preview/index.ts'
import { collectFindings } from '../../src/preview/screenshots/findings.ts'
import { openView } from '../../src/preview/screenshots/page-view.ts'
import { createVendorReader, type VendorReader } from '../../src/preview/vendor/vendor-files.ts'
import { isOneColour } from '../../src/services/index.ts'
import { previewsFolder } from './browser.ts'
import { readAnswer } from './corpus.ts'

let browser: Browser
let readVendor: VendorReader

beforeAll(async () => {
  readVendor = createVendorReader({ previews: previewsFolder })
  browser = await launchChromium()
})
afterAll(() => browser?.close())

const open = async (answer: string, findings: ReturnType<typeof collectFindings>) =>
  openView(browser, {
    width: 1000,
    page: await assemblePage(extractCode(answer)),
    readVendor,
    isBlank: isOneColour,
    findings,
    limitMs: 60_000,
  })

/** Opens an answer, does one thing after the other, and returns the text of the page after each. */
async function use(answer: string, steps: string[]): Promise<{ texts: string[]; errors: string[] }> {
  const findings = collectFindings()
  const view = await open(answer, findings)
  const texts: string[] = []
  for (const step of steps) {
    await view.world.evaluate(step)
    await view.takePicture('used')
    texts.push(String(await view.world.evaluate('document.body.innerText')))
  }
  await view.close()
  return { texts, errors: findings.finish().errors }
}

const click = (selector: string) => `void document.querySelector(${JSON.stringify(selector)}).click()`

describe('libraries in a page', () => {
  it('links between the pages of one answer work, back and forth, with scripts that declare the same names', async () => {
    const { texts, errors } = await use(readAnswer('html-linked-pages'), [
      click('a[href="about.html"]'),
      click('a[href="index.html"]'),
      click('a[href="pages/contact.html"]'),
    ])
    expect(texts[0]).toContain('Open until six, About the bakery')
    expect(texts[1]).toContain('Open until six, Bakery home')
    expect(texts[2]).toContain('Write to us')
    expect(errors).toEqual([])
  })

  it('React Router changes the page though its address cannot change', async () => {
    const { texts, errors } = await use(readAnswer('react-router-app'), [
      click('a[href="/post/2"]'),
      click('button'),
      click('a[href="/about"]'),
    ])
    expect(texts[0]).toContain('Second post')
    expect(texts[0]).not.toContain('My blog')
    expect(texts[1]).toContain('My blog')
    expect(texts[2]).toContain('About this blog')
    expect(errors).toEqual([])
  })

  it('Vue Router, Svelte, Alpine, zustand and Preact react to clicks', async () => {
    const shown = async (name: string, step: string) => {
      const { texts, errors } = await use(readAnswer(name), [step])
      expect(errors).toEqual([])
      return texts[0]
    }
    expect(await shown('vue-router-app', click('a[href="/about"]'))).toContain('About us')
    expect(await shown('svelte-runes', click('li:last-child input'))).toContain('0 left')
    expect(await shown('svelte-component', click('button'))).toContain('Clicked 1')
    expect(await shown('html-alpine-data', click('button'))).toContain('2 item')
    expect(await shown('react-zustand', click('button'))).toContain('Cart (2)')
    expect(await shown('html-preact-htm', click('button'))).toContain('Mo is done')
  })

  it('Solid, MUI, Pinia, React Hook Form and decorators of Lit react to clicks', async () => {
    const shown = async (language: string, code: string, step: string) => {
      const { texts, errors } = await use(`\`\`\`${language}\n${code}\n\`\`\``, [step])
      expect(errors).toEqual([])
      return texts[0]
    }
    const button = click('button')
    const solid = `import { createSignal } from 'solid-js'\nexport default function App() { const [n, setN] = createSignal<number>(1); return <main><button onClick={() => setN(n() + 1)}>Count {n()}</button></main> }`
    expect(await shown('tsx', solid, button)).toContain('Count 2')
    const mui = `import { useState } from 'react'\nimport Button from '@mui/material/Button'\nimport { Typography } from '@mui/material'\nimport MenuIcon from '@mui/icons-material/Menu'\nexport default function App() { const [n, setN] = useState(1); return <main><MenuIcon /><Typography variant="h4">Total {n}</Typography><Button variant="contained" onClick={() => setN(n + 1)}>More</Button></main> }`
    expect(await shown('jsx', mui, button)).toContain('Total 2')
    const pinia = `<script setup>\nimport { createPinia, defineStore, setActivePinia } from 'pinia'\nsetActivePinia(createPinia())\nconst cart = defineStore('cart', { state: () => ({ n: 1 }) })()\n</script>\n<template><button @click="cart.n++">Cart {{ cart.n }}</button></template>`
    expect(await shown('vue', pinia, button)).toContain('Cart 2')
    const form = `import { useForm } from 'react-hook-form'\nimport { zodResolver } from '@hookform/resolvers/zod'\nimport { z } from 'zod'\nconst schema = z.object({ email: z.string().email('No address') })\nexport default function App() { const { register, handleSubmit, formState: { errors } } = useForm({ resolver: zodResolver(schema) }); return <form onSubmit={handleSubmit(() => undefined)}><input {...register('email')} /><button>Send</button><p>{errors.email?.message}</p></form> }`
    expect(await shown('jsx', form, button)).toContain('No address')
    const lit = `import { LitElement, html } from 'lit'\nimport { customElement, state } from 'lit/decorators.js'\n@customElement('my-count')\nclass MyCount extends LitElement { @state() private n: number = 1; createRenderRoot() { return this } render() { return html\`<button @click=\${() => this.n++}>Lit \${this.n}</button>\` } }\ndocument.body.append(document.createElement('my-count'))`
    expect(await shown('ts', lit, button)).toContain('Lit 2')
  })

  it("shadcn's switch, tabs and dialog work", async () => {
    const { texts, errors } = await use(readAnswer('react-shadcn-settings'), [
      click('[data-slot=switch]'),
      click('[data-slot=dialog-trigger], [aria-haspopup=dialog]'),
    ])
    expect(texts[1]).toContain('This cannot be undone.')
    expect(errors).toEqual([])
  })

  it('there is one React: a component of a library uses the hooks of the page', async () => {
    const answer =
      '```jsx\nimport React, { useContext } from "react"\nimport { motion } from "framer-motion"\nimport styled from "styled-components"\nimport { Link, MemoryRouter } from "react-router-dom"\nconst Theme = React.createContext("none")\nconst Name = styled.b`color: red`\nfunction Inner() { return <Name>{useContext(Theme)}</Name> }\nexport default function App() { return <Theme.Provider value="shared"><MemoryRouter><motion.div><Inner /><Link to="/">x</Link></motion.div></MemoryRouter></Theme.Provider> }\n```'
    const { texts, errors } = await use(answer, ['0'])
    expect(texts[0]).toContain('shared')
    expect(errors).toEqual([])
  })

  it('what a stand-in draws is marked', async () => {
    const findings = collectFindings()
    for (const [name, expected] of [
      ['react-missing-package', ['div:div', 'react-flowchart:div', 'Background:div']],
      ['react-shadcn-calendar', ['Calendar:div']],
    ] as const) {
      const view = await open(readAnswer(name), findings)
      const marked = await view.world.evaluate(
        '[...document.querySelectorAll("[data-stands-for]")].map((element) => element.dataset.standsFor + ":" + element.localName).join()',
      )
      expect(String(marked).split(',')).toEqual(expected)
      await view.close()
    }
    expect(findings.finish().errors).toEqual([])
  })
})
