import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { importSuite } from './recognise-suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-images-'))
afterAll(() => rmSync(folder, { recursive: true }))

function writeSuite(image: string): string {
  const file = join(folder, 'suite.yaml')
  writeFileSync(
    file,
    `name: S\ntestCases:\n  - id: a\n    scoringMethod: boolean\n    messages:\n      - role: user\n        content: [{ type: text, text: What is it? }, { type: image, image: '${image}' }]\n`,
  )
  return file
}

it('an image beside the suite is taken into it as a data: URL', async () => {
  writeFileSync(join(folder, 'dot.png'), Buffer.from([137, 80, 78, 71]))
  const { suite } = await importSuite(writeSuite('dot.png'))
  expect(suite.testCases[0]?.messages?.[0]?.content).toEqual([
    { type: 'text', text: 'What is it?' },
    { type: 'image', image: 'data:image/png;base64,iVBORw==' },
  ])
})
it('one that is a data: URL already is left alone', async () => {
  const { suite } = await importSuite(writeSuite('data:image/gif;base64,R0lG'))
  expect(suite.testCases[0]?.messages?.[0]?.content).toContainEqual({
    type: 'image',
    image: 'data:image/gif;base64,R0lG',
  })
})
it.each([
  [
    'none.png',
    /suite\.yaml:7:69: testCases\[0\]\.messages\[0\]\.content\[1\]\.image: the image none\.png cannot be read/,
  ],
  ['photo.tiff', /suite\.yaml:7:69: .*photo\.tiff is of an unknown type/],
])('%s is refused', async (image, message) => {
  await expect(importSuite(writeSuite(image))).rejects.toThrow(message)
})

it('a reference page beside the suite is taken into it, of a case and of its checks', async () => {
  writeFileSync(join(folder, 'right.html'), '<p>Right</p>')
  const write = (page: string) => {
    const tests = { pageTests: [{ name: 'a', steps: [{ expect: { of: 'p', visible: true } }] }], referencePage: page }
    const testCases = [
      { id: 'a', prompt: 'A page', scoringMethod: 'page-tests', ...tests },
      { id: 'b', prompt: 'A page', checks: [{ scoringMethod: 'page-tests', ...tests }] },
    ]
    writeFileSync(join(folder, 'pages.yaml'), JSON.stringify({ name: 'P', testCases }))
    return importSuite(join(folder, 'pages.yaml'))
  }
  for (const page of ['right.html', '<p>Right</p>']) {
    const { suite } = await write(page)
    expect(suite.testCases[0]!['referencePage']).toBe('<p>Right</p>')
    expect(suite.testCases[1]!.checks![0]!['referencePage']).toBe('<p>Right</p>')
  }
  await expect(write('../outside.html')).rejects.toThrow(/referencePage: the page \.\.\/outside\.html cannot be read/)
})
