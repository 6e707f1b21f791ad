import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { importSuite, importSuiteText } from '../suite-files/recognise-suite.ts'

const SECRET = 'sk-secret-of-the-home-folder'
const home = mkdtempSync(join(tmpdir(), 'benchmaker-home-'))
const repository = join(home, 'repository')
const key = join(home, 'key.txt')
mkdirSync(join(repository, 'data', '.hidden'), { recursive: true })
mkdirSync(join(home, 'shared'))
writeFileSync(key, SECRET)
writeFileSync(join(home, 'tests.yaml'), `- vars: { a: ${SECRET} }\n`)
writeFileSync(join(home, 'shared', 'a.txt'), 'shared text')
writeFileSync(join(repository, '.env'), `OPENAI_API_KEY=${SECRET}`)
writeFileSync(join(repository, 'data', '.hidden', 'key.txt'), SECRET)
writeFileSync(join(repository, 'data', '.key.txt'), SECRET)
writeFileSync(join(repository, 'data', 'a.txt'), 'text inside')
symlinkSync(key, join(repository, 'link.txt'))
symlinkSync(home, join(repository, 'linked'))
symlinkSync(join(repository, 'data', 'a.txt'), join(repository, 'inner.txt'))
symlinkSync('/dev/zero', join(repository, 'zero.txt'))
execFileSync('sh', ['-c', 'mkfifo "$0"', join(repository, 'pipe.txt')])
writeFileSync(join(repository, 'huge.txt'), '')
truncateSync(join(repository, 'huge.txt'), 2 ** 31)
afterAll(() => rmSync(home, { recursive: true }))

const file = join(repository, 'promptfooconfig.yaml')
const assert = '[{ type: equals, value: x }]'

function importConfig(config: string, allowFiles?: string[]) {
  writeFileSync(file, config)
  return importSuite(file, { allowFiles })
}
const withVariable = (path: string) => `prompts: ['{{a}}']\ntests: [{ vars: { a: '${path}' }, assert: ${assert} }]\n`

const OUTSIDE = [
  `file://${key}`,
  pathToFileURL(key).href,
  'file://../key.txt',
  'file://data/../../key.txt',
  'file://link.txt',
  'file://linked/key.txt',
  'file://../k*.txt',
  'file://linked/*.txt',
  'file://.env',
  'file://data/.hidden/key.txt',
  'file://data/.key.txt',
  'file://data/.hidden/*.txt',
  'file:///etc/passwd',
  'file:///dev/zero',
  'file:///proc/self/environ',
  'file://zero.txt',
  'file://../no-such-file.txt',
]

describe('a promptfoo config of a stranger', () => {
  it.each(OUTSIDE)('does not read %s', async (path) => {
    const failure: Error = await importConfig(withVariable(path)).then(
      ({ suite }) => {
        throw new Error(`it was read: ${JSON.stringify(suite)}`)
      },
      (error: Error) => error,
    )
    expect(failure.message).toMatch(/promptfooconfig\.yaml:2:.*is not read, because .*--allow-files "/)
    expect(failure.message).not.toContain(SECRET)
  })
  it.each([
    ['a prompt', `prompts: ['file://../key.txt']\ntests: [{ assert: ${assert} }]\n`],
    ['a prompt without file://', `prompts: ['../key.txt']\ntests: [{ assert: ${assert} }]\n`],
    ['tests', `prompts: [x]\ntests: ../tests.yaml\n`],
    ['tests by path', `prompts: [x]\ntests: [{ path: ../tests.yaml }]\n`],
    ['defaultTest', `prompts: [x]\ndefaultTest: file://../tests.yaml\ntests: []\n`],
    ['vars', `prompts: [x]\ntests: [{ vars: ../tests.yaml, assert: ${assert} }]\n`],
    ['scenarios', `prompts: [x]\nscenarios: [file://../tests.yaml]\n`],
    ['scenarios by path', `prompts: [x]\nscenarios: [{ config: [{ path: ../tests.yaml }], tests: [] }]\n`],
    ['an assertion', `prompts: [x]\ntests: [{ assert: [{ type: equals, value: 'file://../key.txt' }] }]\n`],
    ['rows of CSV', `prompts: [x]\ntests: ../key.csv\n`],
  ])('names files outside in %s: refused', async (_name, config) => {
    await expect(importConfig(config)).rejects.toThrow(/is not read, because it is hidden or outside .*--allow-files/)
  })
  it('a percent sign in a path means itself', async () => {
    await expect(importConfig(withVariable('file://%2e%2e/key.txt'))).rejects.toThrow(/there is no such file/)
  })
  it.each([
    ['pipe', 'file://pipe.txt', /is not a regular file/],
    ['folder', 'file://data', /is a folder/],
    ['huge file', 'file://huge.txt', /is larger than 64 MiB/],
  ])('does not wait for a %s', async (_name, path, message) => {
    await expect(importConfig(withVariable(path))).rejects.toThrow(message)
  })
  it('cannot read for ever by a file that names itself', async () => {
    writeFileSync(join(repository, 'self.yaml'), '- file://self.yaml\n')
    await expect(importConfig('prompts: [x]\ntests: file://self.yaml\n')).rejects.toThrow(/does a file name itself/)
  })
  it.each(['file://data/a.txt', 'file://data/*.txt', 'file://inner.txt', `file://${repository}/data/a.txt`])(
    'reads %s in its own folder',
    async (path) => {
      const { suite } = await importConfig(withVariable(path))
      expect(suite.testCases[0]?.prompt).toBe('text inside')
    },
  )
  it.each([
    ['file://../shared/a.txt', 'shared'],
    ['file://../shared/*.txt', 'shared'],
    ['file://../shared/a.txt', join('shared', 'a.txt')],
    ['file://.env', join('repository', '.env')],
  ])('reads %s if %s is allowed, and nothing beside it', async (path, allowed) => {
    const { suite } = await importConfig(withVariable(path), [join(home, allowed)])
    expect(suite.testCases).toHaveLength(1)
    await expect(importConfig(withVariable('file://../key.txt'), [join(home, allowed)])).rejects.toThrow(/is not read/)
  })
  it.each([
    ...OUTSIDE.map((path) => [path, withVariable(path)]),
    ['scenario data', `prompts: [x]\nscenarios: [{ config: [{ path: ${join(home, 'tests.yaml')} }], tests: [] }]\n`],
    ['nested tests', `prompts: [x]\nscenarios: [{ config: [], tests: [{ path: ${join(home, 'tests.yaml')} }] }]\n`],
    ['a file inside', withVariable('file://data/a.txt')],
  ])('in the web app reads no file at all: %s', async (_name, config) => {
    await expect(importSuiteText(config, 'promptfooconfig.yaml')).rejects.toThrow(/only the text itself is read here/)
  })
})

describe('a suite of a stranger', () => {
  const suiteWith = (image: string) => {
    const suite = join(repository, 'suite.json')
    const messages = [{ role: 'user', content: [{ type: 'image', image }] }]
    const testCases = [{ id: 'a', messages, scoringMethod: 'exact-match', expectedOutput: 'x' }]
    writeFileSync(suite, JSON.stringify({ name: 'S', testCases }))
    return suite
  }
  it('embeds only images in its own folder, unless others are allowed', async () => {
    symlinkSync(key, join(repository, 'picture.png'))
    writeFileSync(join(home, 'outside.png'), 'x')
    writeFileSync(join(repository, 'inside.png'), 'x')
    for (const image of ['picture.png', '../outside.png', join(home, 'outside.png')])
      await expect(importSuite(suiteWith(image))).rejects.toThrow(/is not read, because .*--allow-files/)
    for (const [image, allowFiles] of [
      ['inside.png', []],
      ['../outside.png', [home]],
    ] as const) {
      const { suite } = await importSuite(suiteWith(image), { allowFiles })
      expect(suite.testCases[0]?.messages?.[0]?.content).toEqual([
        { type: 'image', image: 'data:image/png;base64,eA==' },
      ])
    }
  })
})
