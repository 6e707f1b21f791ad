import { describe, expect, it } from 'vitest'
import { extractCode } from './extract-code.ts'

const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``

const page = `<!doctype html>
<html>
  <body>
    <h1>Shop</h1>
    <p class="price">5</p>
    <button>Buy</button>
  </body>
</html>`
const first = `Here:\n${fence('html', page)}`

const follow = (answer: string, ...earlier: string[]) => extractCode(answer, { isComplete: true, earlier })
const pageOf = (answer: string, ...earlier: string[]) => follow(answer, ...earlier).files[0]!.code

describe('a follow-up that changes parts of the page', () => {
  it.each([
    [
      'as a diff, whatever its line numbers',
      fence(
        'diff',
        '--- a/index.html\n+++ b/index.html\n@@ -90,3 +90,3 @@\n     <h1>Shop</h1>\n-    <p class="price">5</p>\n+    <p class="price">6</p>\n     <button>Buy</button>',
      ),
    ],
    ['as a diff without a header', fence('diff', '-<p class="price">5</p>\n+<p class="price">6</p>')],
    [
      'as blocks to search for',
      fence('html', '<<<<<<< SEARCH\n    <p class="price">5</p>\n=======\n    <p class="price">6</p>\n>>>>>>> REPLACE'),
    ],
    [
      'as code to replace',
      `Replace this line:\n\n${fence('html', '<p class="price">5</p>')}\n\nwith:\n\n${fence('html', '<p class="price">6</p>')}`,
    ],
    ['in a sentence', 'Replace `"price">5` with `"price">6` and reload.'],
  ])('%s, is the page with them', (_how, answer) => {
    expect(pageOf(answer, first)).toBe(page.replace('>5<', '>6<'))
    expect(follow(answer, first)).toMatchObject({
      runs: { kind: 'html', entry: 'index.html' },
      notes: ['1 of 1 changes in the answer were made to the page of the turn before.'],
    })
  })

  it('of a change to the page before it is built on both', () => {
    const second = fence('diff', '-    <h1>Shop</h1>\n+    <h1>Store</h1>\n+    <p>Open</p>')
    const third = fence('diff', '     <p>Open</p>\n-    <p class="price">5</p>')
    expect(pageOf(third, first, second)).toBe(
      page.replace('<h1>Shop</h1>', '<h1>Store</h1>\n    <p>Open</p>').replace('    <p class="price">5</p>\n', ''),
    )
  })

  it('is not made up where what it replaces is missing or there twice', () => {
    expect(follow(fence('diff', '-    <h2>Gone</h2>\n+    <h2>New</h2>'), first).problem).toMatch(/is a diff against/)
    const twice = `${fence('html', page.replace('<button>Buy</button>', '<p class="price">5</p>'))}`
    expect(follow(fence('diff', '-<p class="price">5</p>\n+<p>6</p>'), twice).problem).toMatch(/is a diff against/)
  })

  it('that repeats one file of a project is the project with that file', () => {
    const app = `**src/App.jsx**\n${fence('jsx', "import Card from './Card'\nexport default () => <Card />")}\n**src/Card.jsx**\n${fence('jsx', 'export default function Card() { return <p>old</p> }')}`
    const card = `**src/Card.jsx**\n${fence('jsx', 'export default function Card() { return <p>new</p> }')}`
    const { runs, files } = follow(card, app)
    expect(runs?.entry).toBe('src/App.jsx')
    expect(files.map(({ name, code }) => [name, code.includes('new')])).toEqual([
      ['src/App.jsx', false],
      ['src/Card.jsx', true],
    ])
  })

  it('is left alone where it has the whole page, whatever else it says', () => {
    const whole = page.replace('Shop', 'Store')
    expect(pageOf(`${fence('html', whole)}\nReplace \`Buy\` with \`Your text\`.`, first)).toBe(whole)
    expect(follow('I cannot do that.', first).problem).toBe('There is no code in the answer.')
  })
})
