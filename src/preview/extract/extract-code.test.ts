import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractCode } from './extract-code.ts'
import { splitBlocks } from './fences.ts'
import { nameFromComment, nameFromInfo, nameFromProse } from './file-names.ts'

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
