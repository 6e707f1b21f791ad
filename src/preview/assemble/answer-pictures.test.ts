import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assemblePage } from './assemble-page.ts'
import { extractCode } from '../extract/extract-code.ts'
import { readHtml } from './read-html.ts'

const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``
const logo = `<svg xmlns="http://www.w3.org/2000/svg"><text title='"a"'>(1) </script> \` # 100%</text></svg>`
const assemble = (...fences: string[]) => assemblePage(extractCode(fences.join('\n\n')))
const documentOf = (body: string): string => `<!doctype html><html><head></head><body>${body}</body></html>`

/** The pictures inside a text. */
function picturesIn(text: string): string[] {
  return [...text.matchAll(/data:image\/svg\+xml,([\w%.~!*-]+)/g)].map(([, code = '']) => decodeURIComponent(code))
}

describe('a picture of the answer', () => {
  it.each([
    ['an image', '<img src="logo.svg" alt="A &amp; B" width=9/>'],
    ['an image in a folder', '<img src="./images/logo.svg?v=2#part">'],
    ['sources', '<picture><source srcset="/logo.svg 2x"></picture>'],
    ['an object', '<object data="logo.svg" type="image/svg+xml"><img src="logo.png"></object>'],
    ['styles of an element', `<p style="background: url('logo.svg')">x</p>`],
    ['styles of the page', '<style>p { background: url(logo.svg) }</style>'],
    ['an image in a picture', '<svg><image href="logo.svg"/></svg>'],
    ['a script', '<script>document.querySelector("p").src = "logo.svg"</script>'],
    [
      'markup in a script',
      "<script>x.innerHTML = `<img src=\"logo.svg\">`; x.setAttribute('src', 'logo.svg')</script>",
    ],
  ])('is in %s', async (_where, markup) => {
    const { html, notes } = await assemble(fence('html', documentOf(markup)), fence('svg logo.svg', logo))
    expect(new Set(picturesIn(html))).toEqual(new Set([logo]))
    expect(html).not.toMatch(/logo\.(?:svg|png)/)
    expect(notes).toEqual([])
  })

  it('is in a style sheet, by its address from there', async () => {
    const { html } = await assemble(
      fence('html index.html', documentOf('<link rel="stylesheet" href="css/a.css"><p>x</p>')),
      fence('css css/a.css', 'p { background: no-repeat url("../img/logo.svg") }'),
      fence('svg img/logo.svg', logo),
      fence('svg other/logo.svg', '<svg></svg>'),
    )
    expect(picturesIn(html)).toEqual([logo])
  })

  it.each([
    ['jsx', 'export default function App() { return <img src="/logo.svg" alt="" /> }'],
    ['tsx', 'const items = [{ icon: "/logo.svg" }]\nexport default () => items.map(({ icon }) => <img src={icon} />)'],
    ['jsx', `export default () => <p style={{ backgroundImage: "url('/logo.svg')" }}>x</p>`],
    ['vue', '<template><img src="/logo.svg"></template>\n<style>p { background: url(/logo.svg) }</style>'],
  ])('is in a component in %s: %s', async (info, code) => {
    const { html, problems } = await assemble(fence(info, code), fence('svg public/logo.svg', logo))
    expect(problems).toEqual([])
    expect(new Set(picturesIn(html))).toEqual(new Set([logo]))
  })

  it('is not in a text that names it, nor in a link, nor taken for one from the network', async () => {
    const markup =
      '<p title="logo.svg">logo.svg</p><a href="logo.svg">x</a><img src="https://a.example/logo.svg"><script>x("logo.svg")</script>'
    const { html } = await assemble(fence('html', documentOf(markup)), fence('svg logo.svg', logo))
    expect(picturesIn(html)).toEqual([])
    expect(html).toContain(markup)
  })

  it('cannot end what it is in, whatever it is', async () => {
    const unit = fc.constantFrom('<', '>', '"', "'", '`', '(', ')', '\\', '\n', '&', '#', '$', '{', '\uD800', 'a')
    const markup = `<p style='background:url(logo.svg)'><script>p.src = 'logo.svg'</script><img src=logo.svg>`
    await fc.assert(
      fc.asyncProperty(fc.string({ unit }), async (text) => {
        const { html } = await assemble(fence('html', documentOf(markup)), fence('svg logo.svg', `<svg>${text}</svg>`))
        const tags = readHtml(html).tags.map(({ name }) => name)
        expect(tags).toEqual(['html', 'head', 'script', 'body', 'p', 'script', 'img'])
        expect(picturesIn(html)).toHaveLength(3)
      }),
      { numRuns: 50 },
    )
  })
})
