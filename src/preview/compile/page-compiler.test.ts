import { afterAll, describe, expect, it } from 'vitest'
import { createPageCompiler } from './page-compiler.ts'

const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``
const compiler = createPageCompiler({ previews: '', deadlineMs: 1000 })
afterAll(() => compiler.close())
const assemble = (response: string) => compiler.assemble(response, { isComplete: true })

/** Each takes many seconds without a deadline. */
const endless: Record<string, string> = {
  'unclosed fences, in our own extraction': '```html\n<p>\n'.repeat(20_000),
  'Tailwind classes, in our own pattern': fenced(
    'html',
    `<script src="https://cdn.tailwindcss.com"></script><p class="${'bg-opacity-50 '.repeat(40_000)}">`,
  ),
  'a Vue template, in the compiler': fenced(
    'vue',
    `<template><ul>${'<li :class="a">{{ b }}</li>'.repeat(70_000)}</ul></template>`,
  ),
}

describe('the page compiler', () => {
  it.each(Object.entries(endless))('stops at its deadline while this thread goes on: %s', async (_name, response) => {
    let ticks = 0
    const ticking = setInterval(() => ticks++, 20)
    const { page } = await assemble(response)
    clearInterval(ticking)
    expect(page).toMatchObject({ runs: false, problems: ['The page’s code could not be compiled within 1 s.'] })
    expect(ticks).toBeGreaterThan(10)
  })

  it('keeps the files if only the page took too long', async () => {
    const { extracted } = await assemble(endless['Tailwind classes, in our own pattern']!)
    expect(extracted.files.map(({ kind }) => kind)).toEqual(['html'])
  })

  it('serves other pages meanwhile, and afterwards', async () => {
    let isStopped = false
    const stopped = assemble(endless['unclosed fences, in our own extraction']!).then(() => (isStopped = true))
    const { page } = await assemble(fenced('html', '<p>Hello'))
    expect([page.runs, isStopped]).toEqual([true, false])
    await stopped
    const more = await Promise.all(
      Array.from({ length: 5 }, (_, index) => assemble(fenced('jsx', `export default () => <p>${index}</p>`))),
    )
    expect(more.map(({ page: { runs } }) => runs)).toEqual([true, true, true, true, true])
  })

  it.each([
    ['nested markup', fenced('jsx', `export default () => ${'<div>'.repeat(50_000)}${'</div>'.repeat(50_000)}`)],
    ['nested parentheses', fenced('jsx', `export default () => ${'('.repeat(50_000)}${')'.repeat(50_000)}`)],
    ['a nested template', fenced('vue', `<template>${'<div>'.repeat(20_000)}${'</div>'.repeat(20_000)}</template>`)],
    ['open template literals', fenced('tsx', `export default () => <p>{${'`${'.repeat(50_000)}}</p>`)],
  ])('explains code that is too deep: %s', async (_name, response) => {
    const { page } = await assemble(response)
    expect(page.runs).toBe(false)
    expect(page.problems.join()).toMatch(/cannot be compiled|could not be compiled/)
  })

  it('makes no page of 10 MB', async () => {
    const { page, extracted } = await assemble(
      fenced('jsx', `export default () => <p>${'<b>x</b>'.repeat(1_300_000)}</p>`),
    )
    expect(page.problems).toEqual([
      expect.stringMatching(/^The answer has 10,4\d\d,\d{3} characters; no page is made of more than 2,000,000\.$/),
    ])
    expect(extracted.files).toEqual([])
  })

  it('finishes what is waiting when it is closed', async () => {
    const own = createPageCompiler({ previews: '' })
    const jobs = Array.from({ length: 4 }, () =>
      own.assemble(endless['unclosed fences, in our own extraction']!, { isComplete: true }),
    )
    await own.close()
    expect((await Promise.all(jobs)).map(({ page }) => page.runs)).toEqual([false, false, false, false])
  })
})
