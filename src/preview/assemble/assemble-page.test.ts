import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assemblePage } from './assemble-page.ts'
import { extractCode } from '../extract/extract-code.ts'
import { translateConfig } from '../in-page/libraries/tailwind-config.ts'
import { findLibrary, isOldTailwind, isOldVue, packageOfUrl } from './known-libraries.ts'
import { findFile } from './find-file.ts'
import { iframeSandbox } from '../../contract/index.ts'
import { previewHeaders } from '../preview-headers.ts'
import { readHtml } from './read-html.ts'
import { adaptOpacity, usesTailwindClasses } from './tailwind-classes.ts'
import { appendToBody, applyReplacements, insertFirst, insertInHead } from './write-html.ts'

const page = (html: string) => assemblePage(extractCode(`\`\`\`html\n${html}\n\`\`\``))

describe('Tailwind', () => {
  it.each([
    ['<p className="p-4 text-white">x</p>', true],
    ['<p className={cn("flex gap-2", on && "bg-red-500")}>x</p>', true],
    ['const b = cva("rounded px-2", { variants: {} }); <p className={b()} />', true],
    ['<p class="px-4\n  font-bold">x</p>', true],
    ['<p className="card">x</p>', false],
    ['<p className="flex">x</p>', false],
    ['<style>{`.flex { display: flex }\n.grid:hover { gap: 1rem }`}</style><p className="flex grid card">x</p>', false],
    ['<p className="hero hero-title nav flex p-4">x</p>', false],
  ])('%j: %s', (code, expected) => expect(usesTailwindClasses(code)).toBe(expected))

  it('is not meant by classes that a style sheet of the answer defines', () =>
    expect(
      usesTailwindClasses('<p className="flex hidden">x</p>', '.flex { display: flex } .hidden { display: none }'),
    ).toBe(false))
})

describe('libraries', () => {
  it.each([
    ['react', 'React'],
    ['react-dom/client', 'ReactDOM'],
    ['react@18', 'React'],
    ['npm:vue', 'Vue'],
    ['https://esm.sh/react@18.2.0', 'React'],
    ['https://esm.sh/v135/react-dom@18.2.0/client', 'ReactDOM'],
    ['https://esm.sh/react@18/jsx-runtime', 'ReactJSXRuntime'],
    ['https://unpkg.com/react-dom@17/umd/react-dom.production.min.js', 'ReactDOM'],
    ['https://cdn.jsdelivr.net/npm/vue@3/dist/vue.global.prod.js', 'Vue'],
    ['//cdnjs.cloudflare.com/ajax/libs/vue/3.4.21/vue.global.min.js', 'Vue'],
    ['https://cdn.skypack.dev/react', 'React'],
    ['https://unpkg.com/lucide@latest', 'lucide'],
    ['https://esm.sh/lucide-react', 'LucideReact'],
    ['https://cdn.tailwindcss.com', '{}'],
    ['https://cdn.tailwindcss.com/3.4.1?plugins=forms', '{}'],
    ['https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4', '{}'],
    ['react-router-dom', 'previewLibraries["react-router-dom"]'],
    ['three@0.160.0/addons/controls/OrbitControls.js', 'previewLibraries["three/addons/controls/OrbitControls.js"]'],
    ['https://unpkg.com/three@0.150.0/build/three.module.js', 'previewLibraries["three"]'],
    [
      'https://esm.sh/three@0.160.0/examples/jsm/loaders/GLTFLoader',
      'previewLibraries["three/addons/loaders/GLTFLoader.js"]',
    ],
    ['https://cdn.skypack.dev/three@0.132.2/examples/jsm/loaders/NoSuchLoader.js', undefined],
    ['https://d3js.org/d3.v7.min.js', 'previewLibraries["d3"]'],
    ['https://cdnjs.cloudflare.com/ajax/libs/d3/7.8.5/d3.min.js', 'previewLibraries["d3"]'],
    ['d3-scale', 'previewLibraries["d3"]'],
    ['https://cdn.jsdelivr.net/npm/chart.js', 'previewLibraries["chart.js"]'],
    ['https://cdnjs.cloudflare.com/ajax/libs/Chart.js/3.9.1/chart.min.js', 'previewLibraries["chart.js"]'],
    ['https://cdn.jsdelivr.net/npm/chart.js@4/auto/+esm', 'previewLibraries["chart.js"]'],
    ['https://cdn.jsdelivr.net/npm/gsap@3.12.5/dist/ScrollTrigger.min.js', 'previewLibraries["gsap/ScrollTrigger"]'],
    ['https://cdn.jsdelivr.net/npm/p5@1.9.0/lib/p5.js', 'previewLibraries["p5"]'],
    ['https://cdn.jsdelivr.net/npm/p5@1.9.0/lib/addons/p5.sound.min.js', undefined],
    ['https://code.jquery.com/jquery-3.7.1.slim.min.js', 'previewLibraries["jquery"]'],
    ['https://code.jquery.com/ui/1.13.2/jquery-ui.min.js', undefined],
    ['https://stackpath.bootstrapcdn.com/bootstrap/4.5.2/js/bootstrap.min.js', 'previewLibraries["bootstrap"]'],
    ['https://unpkg.com/framer-motion@11/dist/framer-motion.js', 'previewLibraries["framer-motion"]'],
    ['https://esm.sh/v135/zustand@4.5.0/middleware', 'previewLibraries["zustand/middleware"]'],
    ['https://evil.example/react.js', undefined],
    ['https://unpkg.com/reactive', undefined],
    ['./react', undefined],
    ['constructor', undefined],
  ])('%s is %s', (specifier, value) => expect(findLibrary(specifier)?.value).toBe(value))

  it('versions are read from addresses', () => {
    expect(packageOfUrl('https://unpkg.com/@scope/name@1.2.3/dist/x.js')).toEqual({
      name: '@scope/name',
      version: '1.2.3',
      path: 'dist/x.js',
    })
    expect([
      isOldVue('https://unpkg.com/vue@2'),
      isOldVue('https://unpkg.com/vue@3'),
      isOldVue('https://unpkg.com/vue'),
    ]).toEqual([true, false, false])
    expect([
      isOldTailwind('https://cdn.tailwindcss.com'),
      isOldTailwind('https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4'),
    ]).toEqual([true, false])
  })
})

describe('imports between files', () => {
  const file = (name: string) => ({
    name,
    isNamed: true,
    kind: 'js' as const,
    language: 'js',
    code: '',
    isComplete: true,
  })
  const files = ['src/App.jsx', 'src/components/Card.tsx', 'src/lib/index.ts', 'public/style.css', 'src/util.ts'].map(
    file,
  )
  it.each([
    ['./components/Card', 'src/App.jsx', 'src/components/Card.tsx'],
    ['../App', 'src/components/Card.tsx', 'src/App.jsx'],
    ['@/components/Card', 'src/App.jsx', 'src/components/Card.tsx'],
    ['./lib', 'src/App.jsx', 'src/lib/index.ts'],
    ['./util.js', 'src/App.jsx', 'src/util.ts'],
    ['/style.css', '', 'public/style.css'],
    ['/src/App.jsx', '', 'src/App.jsx'],
    ['./missing', 'src/App.jsx', undefined],
    ['..', 'src/App.jsx', undefined],
  ])('%s from %s', (specifier, from, name) => expect(findFile(files, specifier, from)?.name).toBe(name))
})

describe('an assembled page', () => {
  it('begins with the bootstrap, before anything of its own', async () => {
    for (const html of [
      '<p>x</p>',
      '<!doctype html><html><head><script>own()</script></head><body></body></html>',
      '<html><body><script>own()</script></body></html>',
      '<script>own()</script>',
    ]) {
      const { html: whole } = await page(html)
      expect(whole.indexOf('/vendor/bootstrap.js')).toBeGreaterThan(0)
      if (whole.includes('own()')) expect(whole.indexOf('/vendor/bootstrap.js')).toBeLessThan(whole.indexOf('own()'))
    }
  })
  it('loads no script from the network, whatever is written', async () => {
    const { html, blocked } = await page(`<!doctype html><html><head>
      <script src="https://a.example/a.js"></script><SCRIPT SRC='//b.example/b.js'></SCRIPT><script async src=https://c.example/c.js></script>
      <link rel=stylesheet href=https://d.example/d.css><link rel="preload" href="https://e.example/e.js" as="script"></head><body></body></html>`)
    expect(html).not.toMatch(/[abcde]\.example/)
    expect(blocked.map(({ url }) => url)).toEqual([
      'https://a.example/a.js',
      '//b.example/b.js',
      'https://c.example/c.js',
      'https://d.example/d.css',
    ])
  })
  it('says what does not compile, where', async () => {
    const { runs, problems, html } = await assemblePage(
      extractCode('```jsx\nexport default function A() {\n  const x = \n}\n```'),
    )
    expect(runs).toBe(false)
    expect(problems[0]).toMatch(/^App\.jsx cannot be compiled: .* at line 3\.$/)
    expect(html).toContain('App.jsx cannot be compiled')
  })
  it('cannot be ended early by what a message quotes', async () => {
    const { html } = await assemblePage(
      extractCode(
        "```jsx\n// </script><img src=x>.jsx\nimport '</style><script>alert(1)</script>'\nexport default () => <p>\n```",
      ),
    )
    expect(html).not.toContain('<script>alert(1)')
  })
})

describe('pictures with styles and scripts', () => {
  const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``
  const assemble = (...fences: string[]) => assemblePage(extractCode(fences.join('\n\n')))
  const square = '<svg viewBox="0 0 9 9"><rect id="z" width="9" height="9"/></svg>'

  it('a script finds the elements of the picture, and no empty ones are made up', async () => {
    const { html } = await assemble(
      fence('svg', square),
      fence('js', 'document.getElementById("z").setAttribute("fill", "orange")'),
    )
    expect(html.indexOf(square)).toBeGreaterThan(0)
    expect(html.indexOf(square)).toBeLessThan(html.indexOf('"orange"'))
    expect(html).not.toContain('<div id="z">')
  })
  it('a style sheet applies, compiled if it must be', async () => {
    const { html } = await assemble(fence('svg', square), fence('scss', '$c: teal;\nrect { fill: $c }'))
    expect(html).toContain(square)
    expect(html).toContain('fill: teal')
  })
  it('all pictures are shown, in the order of the answer', async () => {
    const circle = '<svg viewBox="0 0 9 9"><circle r="4"/></svg>'
    const { html } = await assemble(fence('svg', circle), fence('svg', square))
    expect(html.indexOf(circle)).toBeGreaterThan(0)
    expect(html.indexOf(circle)).toBeLessThan(html.indexOf(square))
  })
  it('a picture that a script loads by its name is not shown by itself', async () => {
    const { html } = await assemble(
      fence('svg logo.svg', square),
      fence('js', 'document.body.append(Object.assign(new Image(), { src: "logo.svg" }))'),
    )
    expect(html).not.toContain(square)
  })
})

describe('files that a page requests while it runs', () => {
  const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``
  const filesFor = async (script: string, ...others: string[]): Promise<unknown> => {
    const whole = `<!doctype html><html><body><p>x</p><script>${script}</script></body></html>`
    const { html } = await assemblePage(extractCode([fence('html', whole), ...others].join('\n\n')))
    const [, list = '{}'] = /window\.previewFiles = (.*)/.exec(html) ?? []
    expect(list).not.toContain('<')
    return JSON.parse(list)
  }
  it('go with it: the scripts of workers, and data', async () => {
    const worker = 'postMessage("</script><!--")'
    expect(await filesFor('new Worker("./js/worker.js")', fence('js js/worker.js', worker))).toEqual({
      'js/worker.js': worker,
    })
    expect(await filesFor('fetch(`data.json?v=1`)', fence('json data.json', '[1]'))).toEqual({ 'data.json': '[1]' })
    expect(await filesFor('new Worker("worker.ts")', fence('ts worker.ts', 'let a: number = 1'))).toEqual({
      'worker.ts': expect.not.stringContaining('number'),
    })
  })
  it('are not taken from a text that only names them', async () => {
    expect(await filesFor('show("data.json")', fence('json data.json', '[1]'))).toEqual({})
    expect(await filesFor('fetch("other-data.json")', fence('json data.json', '[1]'))).toEqual({})
  })
})

describe('the scan of HTML', () => {
  it('gives ranges in order that do not overlap, for any text', () => {
    const words = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '<!--',
      '-->',
      '<script',
      '</script>',
      '<p a="',
      ' b=c',
      '/',
      'x',
      '=',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 40 }), (parts) => {
        const html = parts.join('')
        let end = 0
        for (const tag of readHtml(html).tags) {
          expect(tag.start).toBeGreaterThanOrEqual(end)
          expect(tag.end).toBeGreaterThan(tag.start)
          end = tag.end
        }
        expect(applyReplacements(html, [])).toBe(html)
      }),
    )
  })
  it('sees what a browser sees', () => {
    const describeTags = (html: string) =>
      readHtml(html).tags.map(({ name, attributes, text }) => [name, Object.fromEntries(attributes), text])
    expect(describeTags('<IMG SRC=a.png alt="1 &gt; 0 &copy;" hidden>')).toEqual([
      ['img', { src: 'a.png', alt: '1 > 0 ©', hidden: '' }, ''],
    ])
    expect(describeTags('<script>if (a < b && "<\\/script>") {}\r\n</SCRIPT ><p>')).toEqual([
      ['script', {}, 'if (a < b && "<\\/script>") {}\r\n'],
      ['p', {}, ''],
    ])
    expect(describeTags('<template><img></template><svg><script href="a"/><linearGradient/></svg>')).toEqual([
      ['template', {}, ''],
      ['img', {}, ''],
      ['svg', {}, ''],
      ['script', { href: 'a' }, ''],
      ['lineargradient', {}, ''],
    ])
    expect(describeTags('<b>1<p>2</b>3</p>').map(([name]) => name)).toEqual(['b', 'p'])
  })
  it('takes the rest of an unfinished page as the text of its script, and skips an unfinished tag', () => {
    const html = '<p>x</p><script>let a = "<p>"'
    expect(readHtml(html).tags.at(-1)).toMatchObject({ name: 'script', text: 'let a = "<p>"', end: html.length })
    expect(readHtml('<p>x</p><img src="a').tags.map(({ name }) => name)).toEqual(['p'])
  })
  it('reads very deep nesting in linear time', () => {
    expect(readHtml('<div>'.repeat(50_000)).tags).toHaveLength(50_000)
  })
  it('does not look into comments and scripts', () => {
    expect(readHtml('<!-- <img> --><script>"<img>"</script><b title="<i>">').tags.map(({ name }) => name)).toEqual([
      'script',
      'b',
    ])
  })
})

describe('markup added to a page', () => {
  it.each([
    [
      '<!doctype html><html><head><title>t</title></head><body>b</body></html>',
      '<!doctype html><html><head>1<title>t</title>2\n</head><body>b3\n</body></html>',
    ],
    [
      '<html><script>"</head></body>"</script></head><body>b',
      '<html>1<script>"</head></body>"</script>2\n</head><body>b\n3',
    ],
    ['<!-- <head></head> --><!doctype html>\n<p>x', '<!-- <head></head> --><!doctype html>12\n\n<p>x\n3'],
    ['<p>x', '12\n<p>x\n3'],
  ])('goes to the start, the head and the body of %j', (html, expected) => {
    expect(insertFirst(insertInHead(appendToBody(html, '3'), '2'), '1')).toBe(expected)
  })
  it.each([
    ['<!doctype html><p>x', true],
    ['<BODY class="a">x', true],
    ['<p>x</p>', false],
    ['<p title="<html>">x</p><!-- <body> -->', false],
    ['', false],
  ])('%j is a whole document: %j', (html, isDocument) => expect(readHtml(html).isDocument).toBe(isDocument))
})

describe('Tailwind', () => {
  it("is recognised by several of its classes, not by a few that are also other people's", () => {
    expect(
      usesTailwindClasses('<div className="min-h-screen bg-gray-100 p-4 flex items-center justify-center text-xl">'),
    ).toBe(true)
    expect(usesTailwindClasses('<div className="card grid container header button hidden">')).toBe(false)
  })
  it('of version 3: opacity moves into the colour', () => {
    expect(adaptOpacity('<div class="fixed bg-black bg-opacity-50">')).toMatch(/class="fixed bg-black\/50 ?"/)
    expect(adaptOpacity("a = 'hover:bg-red-500 hover:bg-opacity-20'")).toContain('hover:bg-red-500/20')
    expect(adaptOpacity('class="opacity-50 bg-black"')).toBe('class="opacity-50 bg-black"')
  })
  it('settings become variables', () => {
    const css = translateConfig({
      darkMode: 'class',
      theme: {
        extend: {
          colors: { brand: { DEFAULT: '#00f', 500: '#00e' } },
          fontFamily: { display: ['Open Sans', 'serif'] },
          spacing: { 18: '4.5rem' },
        },
      },
    })
    for (const part of [
      '--color-brand: #00f;',
      '--color-brand-500: #00e;',
      '--font-display: "Open Sans", serif;',
      '--spacing-18: 4.5rem;',
      '@custom-variant dark',
    ])
      expect(css).toContain(part)
    expect(translateConfig('nonsense')).toContain('@theme')
  })
})

describe('headers of a preview', () => {
  const policy = previewHeaders({ origin: 'http://x.localhost:1' })['content-security-policy']!
  it('let in nothing from the network but the vendored scripts', () => {
    const sources = policy.split('; ').flatMap((directive) => directive.split(' ').slice(1))
    expect(sources.filter((source) => /:\/\/|\*|^https?:/.test(source))).toEqual(['http://x.localhost:1/vendor/'])
    for (const closed of [
      "default-src 'none'",
      "connect-src 'none'",
      "form-action 'none'",
      "frame-src 'none'",
      "base-uri 'none'",
    ])
      expect(policy).toContain(closed)
  })
  it('give the page no origin', () => {
    expect(policy).toContain(`sandbox ${iframeSandbox}`)
    expect(iframeSandbox).not.toMatch(/allow-same-origin|allow-popups|allow-top-navigation/)
  })
})
