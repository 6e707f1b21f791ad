import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import { pageTestSchema } from '../../src/contract/index.ts'
import { createPageCompiler, type PageCompiler } from '../../src/preview/index.ts'
import { createPageInspector, type PageInspector } from '../../src/preview/page-inspector.ts'
import { makeBundle } from '../../src/preview/packages/bundle.ts'
import { installPackages } from '../../src/preview/packages/install.ts'
import { readInstalled } from '../../src/preview/packages/installed.ts'
import { npmVariables, startRegistry, type Registry } from '../../src/preview/packages/testing/registry.ts'
import { isOneColour } from '../../src/services/index.ts'
import { startPreviewServer } from '../../src/server/code-arena/preview-server.ts'
import { previewsFolder } from './browser.ts'

let registry: Registry
let root: string
let folder: string
let inspector: PageInspector
let compiler: PageCompiler

const dial = `import React, { useState } from 'react'
import { scale } from 'dial-core'
import './dial.css'
export function Dial({ label }) {
  const [value, setValue] = useState(1)
  return React.createElement('button', { className: 'dial', onClick: () => setValue(scale(value)) }, label + ' ' + value)
}
export default Dial`

beforeAll(async () => {
  registry = await startRegistry()
  root = mkdtempSync(join(tmpdir(), 'benchmaker-pages-'))
  folder = join(root, 'packages')
  for (const [name, value] of Object.entries(npmVariables(registry, join(root, 'cache')))) vi.stubEnv(name, value)
  registry.publish(
    {
      name: 'react-dial-knob',
      version: '2.1.0',
      manifest: {
        main: 'dist/index.cjs',
        exports: { '.': { import: './dist/index.mjs' }, './themes/*': './dist/themes/*.js' },
        peerDependencies: { react: '*' },
        dependencies: { 'dial-core': '^1.0.0' },
      },
      files: {
        'dist/index.mjs': dial,
        'dist/dial.css': '.dial { color: rgb(1, 2, 3); background: url(dot.svg) }',
        'dist/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
        'dist/themes/night.js': "export const night = 'Night'",
        'dist/dial.umd.js': "window.DialKnob = { version: '2.1.0 as a script' }",
        'dist/theme.css': '#out { letter-spacing: 3px }',
      },
    },
    { name: 'dial-core', files: { 'index.js': 'exports.scale = (value) => value * 10' } },
    {
      name: 'web-dial',
      manifest: { type: 'module' },
      files: {
        'index.js':
          "customElements.define('web-dial', class extends HTMLElement { connectedCallback() { this.textContent = 'Web dial' } })",
      },
    },
    {
      name: 'reads-files',
      files: {
        'index.js':
          "const fs = require('fs'); exports.read = () => fs.readFileSync('/etc/passwd', 'utf8'); exports.name = 'Reader'",
      },
    },
    {
      name: 'emits-events',
      manifest: { type: 'module' },
      files: {
        'index.js':
          "import Emitter from 'node:events'\nexport class Player extends Emitter {}\nexport const name = 'Player'",
      },
    },
    { name: 'broken-code', files: { 'index.js': 'export const = ;' } },
    {
      name: 'looks-outside',
      files: { 'index.js': `module.exports = require(${JSON.stringify(import.meta.filename)})` },
    },
  )
  await installPackages(
    ['react-dial-knob', 'web-dial', 'reads-files', 'emits-events', 'broken-code', 'looks-outside'],
    {
      folder,
      previews: previewsFolder,
    },
  )
  inspector = createPageInspector({ previews: previewsFolder, packages: folder, isBlank: isOneColour })
  compiler = createPageCompiler({ previews: previewsFolder, packages: folder })
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await Promise.all([inspector?.close(), compiler?.close()])
  await registry.close()
  rmSync(root, { recursive: true, force: true })
})

const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``
const html = (body: string, head = '') =>
  fence('html', `<!doctype html><html lang="en"><head><title>Page</title>${head}</head><body>${body}</body></html>`)

type Steps = z.input<typeof pageTestSchema>['steps']

const says = (text: string): Steps => [{ expect: { of: 'body', text: { contains: text } } }]

/** `passed`, or what is wrong. */
async function tryPage(answer: string, ...tests: Steps[]): Promise<unknown> {
  const parsed = tests.map((steps, index) => pageTestSchema.parse({ name: String(index), steps }))
  const tested = await inspector.testPage(answer, { tests: parsed })
  return 'notSeen' in tested ? tested.notSeen : tested.outcomes.map(({ passed, notes }) => (passed ? 'passed' : notes))
}

describe('a page that uses an installed package', () => {
  it('renders by import, shares React with it and has its styles', async () => {
    const page = fence(
      'jsx',
      `import { useState } from 'react'
import Dial from 'react-dial-knob'
import { night } from 'react-dial-knob/themes/night'
export default function App() { return <main><Dial label="Volume" /><p id="out">{night}</p></main> }`,
    )
    const answers = await tryPage(page, [
      { click: '.dial' },
      { expect: { of: '.dial', text: 'Volume 10', style: { color: 'rgb(1, 2, 3)' } } },
      { expect: { of: '#out', text: 'Night' } },
      { expect: { noErrors: true } },
    ])
    expect(answers).toEqual(['passed'])
  })

  it('renders by import map, module address, script and style sheet of a CDN', async () => {
    const head = `<link rel="stylesheet" href="https://unpkg.com/react-dial-knob@2/dist/theme.css">
<script src="https://cdn.jsdelivr.net/npm/react-dial-knob@1.4.0/dist/dial.umd.js"></script>
<script type="importmap">{"imports":{"dial":"https://esm.sh/react-dial-knob@2.1.0?external=react","react":"https://esm.sh/react@19"}}</script>
<script type="module" src="https://unpkg.com/web-dial"></script>`
    const body = `<web-dial></web-dial><p id="out"></p><script type="module">
import { Dial } from 'dial'
document.getElementById('out').textContent = DialKnob.version + ', ' + typeof Dial</script>`
    const page = html(body, head)
    expect(
      await tryPage(page, [
        { expect: { of: '#out', text: '2.1.0 as a script, function', style: { 'letter-spacing': '3px' } } },
        { expect: { of: 'web-dial', text: 'Web dial' } },
        { expect: { noErrors: true } },
      ]),
    ).toEqual(['passed'])
    const { page: assembled } = await compiler.assemble(page, { isComplete: true })
    expect(assembled.missing).toEqual([])
    expect(assembled.notes).toContain('The page asks for version 1 of react-dial-knob; 2.1.0 is installed.')
  })

  it('is served to people, and can be saved as one file', async () => {
    const server = await startPreviewServer({ previews: previewsFolder, packages: folder })
    try {
      const answer = fence('jsx', "import Dial from 'react-dial-knob'\nexport default () => <Dial label='Volume' />")
      const { page } = await server.compiler.assemble(answer, { isComplete: true })
      const [, script = ''] = /src="(\/vendor\/package-\w+\.js)"/.exec(page.html) ?? []
      const { port } = new URL(server.show(page.html))
      const host = new URL(server.show(page.html)).host
      const ask = (path: string): Promise<[status: number | undefined, text: string]> =>
        new Promise((resolve, reject) => {
          get({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
            let text = ''
            response.on('data', (chunk: Buffer) => (text += chunk.toString()))
            response.on('end', () => resolve([response.statusCode, text]))
          }).on('error', reject)
        })
      expect(await ask(script)).toEqual([200, expect.stringContaining('previewPackages')])
      expect((await ask('/vendor/package-00000000000000000000000000000000.js'))[0]).toBe(404)
      expect((await ask('/vendor/../installed.json'))[0]).toBe(404)
      const saved = await server.compiler.embedScripts(page.html)
      expect(saved).toContain('globalThis.previewPackages')
      expect(saved).not.toContain('/vendor/')
    } finally {
      await server.close()
    }
  })

  it('is seen once it was installed, and not before, without a new answer', async () => {
    const answer = fence('jsx', "import { late } from 'late-package'\nexport default () => <p>{late}</p>")
    expect(await tryPage(answer, says('It is late'))).toBe(
      'late-package is not available here; stand-ins are shown. “benchmaker install packages late-package” installs it.',
    )
    registry.publish({ name: 'late-package', files: { 'index.js': "exports.late = 'It is late'" } })
    await installPackages(['late-package'], { folder, previews: previewsFolder })
    expect(await tryPage(answer, says('It is late'))).toEqual(['passed'])
  })
})

describe('a page is not charged for an installed package that does not run', () => {
  const use = (name: string, value: string) =>
    fence('jsx', `import * as it from '${name}'\nexport default () => <p>{String(${value})}</p>`)

  it('because it needs a module of Node, once it uses it', async () => {
    expect(await tryPage(use('reads-files', 'it.name'), says('Reader'))).toEqual(['passed'])
    expect(await tryPage(use('reads-files', 'it.read()'), says('root'))).toBe('There is no network here for fs.')
    expect(await tryPage(use('emits-events', 'it.name'), says('Player'))).toBe(
      'There is no network here for node:events.',
    )
  })
  it('because its code cannot be bundled', async () => {
    expect(await tryPage(use('broken-code', 'it.const'), says('x'))).toMatch(
      /^broken-code is installed, but cannot be part of a page: /,
    )
    expect(await tryPage(use('web-dial/none', 'it.x'), says('x'))).toBe(
      'web-dial/none is installed, but cannot be part of a page: web-dial/none is not in the package.',
    )
  })
  it('because it reads files of this machine', async () => {
    const { page } = await compiler.assemble(use('looks-outside', 'it'), { isComplete: true })
    expect(page.missing).toEqual([expect.stringContaining('a file outside of the packages')])
  })
  it('because it takes too long to bundle', async () => {
    const wanted = { name: `package-${'1'.repeat(32)}`, specifiers: ['web-dial'] }
    const { failed } = await makeBundle(wanted, { folder, previews: previewsFolder }, 1)
    expect(failed).toEqual({ 'web-dial': 'it takes longer than 0.001 s to bundle' })
    expect(readdirSync(join(folder, 'bundles'))).not.toContain(`${wanted.name}.json`)
  })
})

it('the list says which packages do not run in a page', async () => {
  const { packages } = await readInstalled(folder)
  expect(packages.flatMap(({ name, problem }) => (problem === undefined ? [] : [[name, problem]]))).toEqual([
    ['broken-code', expect.stringContaining('it cannot be part of a page: ')],
    ['emits-events', 'parts of it need node:events, which no page has'],
    ['looks-outside', expect.stringContaining('a file outside of the packages')],
    ['reads-files', 'parts of it need node:fs, which no page has'],
  ])
})
