import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractCode, nameFromComment, nameFromInfo, nameFromProse } from './extract-code.ts'
import { splitBlocks } from './fences.ts'

const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``
const namesOf = (answer: string): string[] => extractCode(answer).files.map(({ name }) => name)

describe('names of files', () => {
  it.each([
    ['html index.html', 'index.html'],
    ['tsx title="src/App.tsx"', 'src/App.tsx'],
    ['js filename=app.js', 'app.js'],
    ['js:src/main.js', 'src/main.js'],
    ['src/App.vue', 'src/App.vue'],
    ['{.css file="a.css"}', 'a.css'],
    ['jsx (App.jsx)', 'App.jsx'],
    ['html', undefined],
    ['js {1,3-5}', undefined],
  ])('after a fence: %s', (info, name) => expect(nameFromInfo(info)).toBe(name))

  it.each([
    ['### `src/App.jsx`', 'src/App.jsx'],
    ['**index.html**', 'index.html'],
    ['**style.css:**', 'style.css'],
    ['1. index.html', 'index.html'],
    ['#### 2. src/components/Card.tsx (new)', 'src/components/Card.tsx'],
    ['File: app.js', 'app.js'],
    ['Save this as index.html:', 'index.html'],
    ['app/page.tsx', 'app/page.tsx'],
    ['./src/main.ts', 'src/main.ts'],
    ['Here is the page in Vue.js:', undefined],
    ['**Node.js**', undefined],
    ['I used index.html and style.css:', undefined],
    ['The file index.html is where everything starts, and it is long.', undefined],
    ['Here you go:', undefined],
  ])('in the line before it: %s', (line, name) => expect(nameFromProse(`Some prose.\n\n${line}\n`)).toBe(name))

  it.each([
    ['// src/App.jsx', 'src/App.jsx'],
    ['/* style.css */', 'style.css'],
    ['<!-- index.html -->', 'index.html'],
    ['// File: utils.ts', 'utils.ts'],
    ['// ===== src/main.js =====', 'src/main.js'],
    ['// see app.js for more', undefined],
    ['const a = 1 // app.js', undefined],
  ])('in a comment: %s', (line, name) => expect(nameFromComment(line)).toBe(name))

  it('made up where there are none, each once', () => {
    expect(
      namesOf(
        [fence('css', 'a { color: red }'), fence('css', 'b { color: red }'), fence('html', '<p>x</p>')].join('\n'),
      ),
    ).toEqual(['style.css', 'style-2.css', 'index.html'])
  })
  it('a piece of another kind under "add this to index.html" is not index.html', () => {
    const answer = `**index.html**\n${fence('html', '<!doctype html><html><body><p>x</p></body></html>')}\nAdd to \`index.html\`:\n${fence('css', 'p { color: red }')}`
    expect(namesOf(answer)).toEqual(['index.html', 'style.css'])
  })
})

describe('fences', () => {
  it('are closed by a fence of the same kind that is at least as long (CommonMark 4.5)', () => {
    const codeOf = (answer: string): string[] =>
      splitBlocks(answer)
        .filter(({ kind }) => kind === 'code')
        .map(({ text }) => text)
    expect(codeOf('````\n```\n````')).toEqual(['```'])
    expect(codeOf('~~~\n```\n~~~')).toEqual(['```'])
    expect(codeOf('```\na\n`````')).toEqual(['a'])
    expect(codeOf('  ```\n  a\n   b\n  ```')).toEqual(['a\n b'])
  })
  it('lose nothing of the code, whatever it is', () => {
    const line = fc.string({ unit: fc.constantFrom('<', '>', 'a', ' ', '"', '=', '/', '{', '}', '\n') })
    fc.assert(
      fc.property(line, (code) => {
        expect(splitBlocks(fence('html', code)).find(({ kind }) => kind === 'code')?.text).toBe(code)
      }),
    )
  })
})

describe('samples in fences of their own, inside a page', () => {
  const sample = `# Title\n\n${fence('js', 'let a = 1')}\n\nMore text.`
  const codeOf = (answer: string): string[] => extractCode(answer).files.map(({ code }) => code)
  const style = fence('css', 'p { color: red }')

  it.each([
    [
      'jsx',
      'in a template literal',
      `const text = \`${sample}\`\nexport default function App() {\n  return <p>{text}</p>\n}`,
    ],
    [
      'tsx',
      'in a comment',
      '/**\n * Shows a box:\n * ```tsx\n * <Box />\n * ```\n */\nexport default function Box() {\n  return <p>x</p>\n}',
    ],
    [
      'html',
      'in a text field',
      `<!doctype html>\n<html><body><textarea>\n${sample}\n</textarea><p>x</p></body>\n</html>`,
    ],
    [
      'html',
      'in a script',
      `<textarea></textarea>\n<script type="text/markdown">\n${sample}\n${fence('rust', 'fn a() {}')}\n</script>\n<p>x</p>`,
    ],
    ['html', 'of another language', `<html><body><pre>\n${fence('haskell', 'main = x')}\n</pre></body></html>`],
    ['vue', 'in a script', `<script setup>\nconst a = \`\n${sample}\n\`\n</script>\n<template><p>x</p></template>`],
  ])('%s %s: the page is whole', (info, _where, code) => {
    expect(codeOf(`Here:\n\n${fence(info, code)}\n\nAnd:\n\n${style}\nDone.`)).toEqual([code, 'p { color: red }'])
  })

  it.each([
    ['a page', 'html', '<!doctype html>\n<html><body><textarea>'],
    ['a script', 'js', 'const a = `never closed'],
  ])('%s that breaks off before other fences ends there', (_what, info, code) => {
    const script = fence('js', 'let b = 2')
    expect(codeOf(`\`\`\`${info}\n${code}\n${style}\nThen:\n${script}`)).toEqual([
      code,
      'p { color: red }',
      'let b = 2',
    ])
    expect(codeOf(`\`\`\`${info}\n${code}\n${style}\n${fence('', 'plain')}\n${script}`)[0]).toBe(code)
  })

  it('a page that is complete ends at the next fence', () => {
    const code = '<!doctype html><html><body><p>x</p></body></html>'
    expect(codeOf(`\`\`\`html\n${code}\n${style}\n\`\`\``)).toEqual([code, 'p { color: red }'])
  })

  it('are read in time that grows with the answer only', () => {
    const opened = '```js\n`\n'.repeat(20_000)
    expect(splitBlocks(opened + '```\n'.repeat(20_000)).length).toBeGreaterThan(20_000)
    expect(splitBlocks(`\`\`\`html\n<pre>\n${'```foo\n'.repeat(40_000)}`)).toHaveLength(1)
  })
})

describe('an answer that is still arriving', () => {
  const answer = `Here it is:\n\n${fence('html', '<!doctype html>\n<html><body><h1>Hi</h1></body></html>')}\nDone.`
  it('gives the code as far as it has come, and never a piece of the closing fence', () => {
    for (let length = 0; length <= answer.length; length++) {
      const { files } = extractCode(answer.slice(0, length), { isComplete: false })
      for (const { code } of files) expect(code).not.toContain('`')
    }
    expect(extractCode(answer.slice(0, 40), { isComplete: false }).files[0]).toMatchObject({
      kind: 'html',
      isComplete: false,
    })
    expect(extractCode(answer, { isComplete: false }).files[0]).toMatchObject({ isComplete: true })
  })
  it('only ever grows: what was there at the beginning of the code stays', () => {
    let before = ''
    for (let length = 30; length <= answer.length; length++) {
      const code = extractCode(answer.slice(0, length), { isComplete: false }).files[0]?.code ?? ''
      expect(code.startsWith(before.trimEnd())).toBe(true)
      before = code
    }
  })
})

describe('answers that are wrapped', () => {
  const html = '<!DOCTYPE html><html><body><h1>Final</h1></body></html>'
  const codeOf = (answer: string, isComplete = true) =>
    extractCode(answer, { isComplete }).files.map(({ code }) => code.trim())

  it.each([
    ['a closing tag without an opening one', `Hmm, ${fence('html', '<p>draft</p>')}\n</think>\n${fence('html', html)}`],
    ['one in the middle of a line', `so that is it.</think>${html}`],
    [
      'thoughts that are never closed before the answer begins again',
      `<think>a</think>\nb</think>\n${fence('html', html)}`,
    ],
    ['a file tag', `<file path="index.html">\n${html}\n</file>`],
    ['a file tag with a fence inside', `<file path="index.html">\n${fence('html', html)}\n</file>`],
    ['an artifact', `Sure!\n<antArtifact identifier="x" type="text/html" title="T">\n${html}\n</antArtifact>\nDone.`],
    ['JSON', JSON.stringify({ html })],
    ['JSON in a fence', fence('json', JSON.stringify({ code: html, explanation: 'A page.' }, undefined, 2))],
    ['JSON by path', JSON.stringify({ files: { '/index.html': html } })],
    ['entities', html.replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
  ])('%s', (_what, answer) => expect(codeOf(answer).filter((code) => !code.startsWith('{'))).toEqual([html]))

  it('a closing tag after the code changes nothing, nor does one that the page shows', () => {
    expect(codeOf(`${fence('html', html)}\nThat should do.\n</think>`)).toEqual([html])
    const shown = '<!DOCTYPE html><html><body><code>&lt;/think&gt;</code></body></html>'
    expect(codeOf(fence('html', shown))).toEqual([shown])
  })

  it('a page about entities is not decoded, and one about files has no files', () => {
    const page = '<!DOCTYPE html><html><body><pre>&lt;html&gt;</pre><file>x</file></body></html>'
    expect(codeOf(fence('html', page))).toEqual([page])
  })

  it('a file is there while it arrives', () => {
    const [file] = extractCode('<file path="index.html">\n<!DOCTYPE html><html><body><h1>Ha', {
      isComplete: false,
    }).files
    expect(file).toMatchObject({ name: 'index.html', kind: 'html', isComplete: false })
  })

  it('JSON that is data beside a page stays data', () => {
    const { files, runs } = extractCode(`${fence('html', html)}\n${fence('json', '{ "html": "<b>no</b>" }')}`)
    expect(runs).toEqual({ kind: 'html', entry: 'index.html' })
    expect(files.map(({ kind }) => kind)).toEqual(['html', 'json'])
  })

  it('shell actions are no files', () => {
    const { files } = extractCode(
      '<boltAction type="shell">npm i && npm run x.js</boltAction><boltAction type="file" filePath="a.html"><p>Hi</p></boltAction>',
    )
    expect(files.map(({ name }) => name)).toEqual(['a.html'])
  })
})

describe('style sheets in Less', () => {
  it.each(['less', 'less theme.less', 'css theme.less'])('are named in a note: %s', (info) => {
    const { notes } = extractCode(`${fence('html', '<p>x</p>')}\n\n${fence(info, '@c: red;\np { color: @c }')}`)
    expect(notes).toEqual([expect.stringMatching(/ is in Less, which is not compiled here; /)])
  })
})

describe('very long answers', () => {
  it.each([
    ['a template literal', `const a = \`${'x'.repeat(20_000_000)}\`; document.body.append(a)`, 'js'],
    ['escapes', `const a = "${String.raw`\n`.repeat(10_000_000)}"; document.body.append(a)`, 'js'],
    ['comments before a picture', `${'<!-- -->'.repeat(500_000)}<svg></svg>`, 'svg'],
  ])('%s', (_, code, kind) => {
    const { files } = extractCode(`\`\`\`\n${code}\n\`\`\`\n`)
    expect(files.map((file) => file.kind)).toEqual([kind])
  })
})

describe('any text at all', () => {
  it('is read without an error, and either runs or says why not', () => {
    const words = fc.constantFrom(
      '```',
      '~~~',
      'html',
      'js',
      '\n',
      '<div>',
      '</script>',
      '<script>',
      'import x from "y"',
      'export default',
      '{',
      '}',
      '`',
      "'",
      '"',
      '<template>',
      '// a.js',
      '# b.css',
      ' ',
      '<svg>',
      '@@ -1 +1',
      '</think>',
      '<file path="a.js">',
      '</file>',
      '&lt;html&gt;',
      '{"html":"<p>"}',
      '{#if x}',
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 40 }), fc.boolean(), (parts, isComplete) => {
        const extracted = extractCode(parts.join(''), { isComplete })
        expect((extracted.runs === undefined) !== (extracted.problem === undefined)).toBe(true)
        expect(new Set(extracted.files.map(({ name }) => name)).size).toBe(extracted.files.length)
        if (extracted.runs) expect(extracted.files.map(({ name }) => name)).toContain(extracted.runs.entry)
      }),
      { numRuns: 500 },
    )
  })
  it.each([
    ['', /empty/],
    ['I cannot help with that.', /no code/],
    [fence('ruby', 'puts 1'), /Ruby, which a browser does not run/],
    [fence('less', '@a: red; p { color: @a }'), /Less/],
    [fence('constructor', 'x'), /not HTML/],
  ])('%j does not run: %s', (answer, problem) => expect(extractCode(answer).problem).toMatch(problem))
})
