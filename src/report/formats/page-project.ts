import type { ZipEntry } from './zip.ts'

/** The code of a page, and where it starts. */
export interface PageCode {
  /** Shown in StackBlitz. */
  title: string
  files: readonly { name: string; code: string }[]
  /** The kind of page, as the extraction found it: `html`, `react`, `vue`, `svelte`, `script`, `svg`. */
  kind: string
  entry: string
  /** The page into which a framework's code is put, if the answer has one. */
  shell?: string | undefined
  usesTailwind: boolean
}

interface Framework {
  extension: string
  plugin: string
  packages: readonly string[]
  /** Imports `Page` and shows it. */
  mount: string
  mountsItself: RegExp
}

const FRAMEWORKS: Record<string, Framework> = {
  react: {
    extension: 'jsx',
    plugin: '@vitejs/plugin-react',
    packages: ['react', 'react-dom'],
    mount:
      "import { createRoot } from 'react-dom/client'\ncreateRoot(document.getElementById('root')).render(<Page />)",
    mountsItself: /\bcreateRoot\s*\(|\bReactDOM\s*\.\s*\w+\s*\(|\bhydrateRoot\s*\(|from\s+['"](?:preact|solid-js)/,
  },
  vue: {
    extension: 'js',
    plugin: '@vitejs/plugin-vue',
    packages: ['vue'],
    mount: "import { createApp } from 'vue'\ncreateApp(Page).mount('#root')",
    mountsItself: /\bcreateApp\s*\(/,
  },
  svelte: {
    extension: 'js',
    plugin: '@sveltejs/vite-plugin-svelte',
    packages: ['svelte'],
    mount: "import { mount } from 'svelte'\nmount(Page, { target: document.getElementById('root') })",
    mountsItself: /(?<![.\w])mount\s*\(\s*\w+\s*,\s*\{/,
  },
}

const IMPORTED = /(?:\bfrom|\bimport)\s*\(?\s*['"]((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^'"]*)?['"]/g

/** No path leads out of the folder in which the archive is unpacked. */
function safePath(name: string): string {
  const parts = name.split(/[\\/]+/).filter((part) => part !== '' && part !== '.' && part !== '..')
  return parts.map((part) => part.replaceAll(/[:*?"<>|]/g, '-')).join('/') || 'file.txt'
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

function listPackages(files: readonly ZipEntry[], known: readonly string[]): string[] {
  const found = files.flatMap(({ text }) => [...text.matchAll(IMPORTED)].map(([, name]) => name!))
  return [...new Set([...known, ...found.filter((name) => !name.startsWith('.'))])].toSorted()
}

const latest = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'latest']))

function writeIndex({ title, usesTailwind }: PageCode, body: string): string {
  const ids = [...new Set(['root', 'app'])].map((id) => `<div id="${id}"></div>`).join('')
  const tailwind = usesTailwind ? '<script src="https://cdn.jsdelivr.net/npm/@tailwindcss/browser@4"></script>\n' : ''
  return `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${escapeMarkup(title)}</title>\n${tailwind}</head>\n<body>\n${ids}\n${body}\n</body>\n</html>\n`
}

/** What Vite needs besides the answer's own files. */
function addBuild(page: PageCode, files: readonly ZipEntry[], framework: Framework): ZipEntry[] {
  const has = (pattern: RegExp) => files.some(({ name }) => pattern.test(name))
  const entry = files.find(({ name }) => name === safePath(page.entry))
  const isMounting = entry !== undefined && framework.mountsItself.test(entry.text)
  const start = isMounting ? entry.name : `benchmaker-start.${framework.extension}`
  const named = /\bexport\s+default\b/.test(entry?.text ?? '') || /\.(?:vue|svelte)$/.test(page.entry)
  const [, component] = /\bexport\s+(?:const|function|class)\s+([A-Z]\w*)/.exec(entry?.text ?? '') ?? []
  const imported = named || component === undefined ? 'Page' : `{ ${component} as Page }`
  const react = framework.extension === 'jsx' ? "import React from 'react'\n" : ''
  const manifest = {
    name: 'page',
    private: true,
    type: 'module',
    scripts: { dev: 'vite', start: 'vite', build: 'vite build' },
    dependencies: latest(listPackages(files, framework.packages)),
    devDependencies: latest(['vite', framework.plugin]),
  }
  return [
    ...(has(/^package\.json$/) ? [] : [{ name: 'package.json', text: `${JSON.stringify(manifest, null, 2)}\n` }]),
    ...(has(/^vite\.config\.\w+$/) ? [] : [{ name: 'vite.config.js', text: writeConfig(framework) }]),
    ...(has(/^index\.html$/)
      ? []
      : [{ name: 'index.html', text: writeIndex(page, `<script type="module" src="/${start}"></script>`) }]),
    ...(isMounting || has(/^index\.html$/)
      ? []
      : [{ name: start, text: `${react}import ${imported} from './${safePath(page.entry)}'\n${framework.mount}\n` }]),
  ]
}

function writeConfig({ plugin }: Framework): string {
  const name = plugin.includes('svelte') ? '{ svelte as plugin }' : 'plugin'
  return `import { fileURLToPath } from 'node:url'\nimport ${name} from '${plugin}'\n\nexport default {\n  plugins: [plugin()],\n  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },\n}\n`
}

/** What a page without a framework needs to be opened as index.html. */
function addStart(page: PageCode, files: readonly ZipEntry[]): ZipEntry[] {
  const entry = files.find(({ name }) => name === safePath(page.entry))
  if (files.some(({ name }) => name === 'index.html') || !entry) return []
  if (page.kind === 'html') return [{ name: 'index.html', text: entry.text }]
  const styles = files.flatMap(({ name }) =>
    name.endsWith('.css') ? [`<link rel="stylesheet" href="${escapeMarkup(name)}">`] : [],
  )
  const path = escapeMarkup(entry.name)
  const body = page.kind === 'svg' ? `<img src="${path}" alt="">` : `<script type="module" src="${path}"></script>`
  return [{ name: 'index.html', text: writeIndex(page, [...styles, body].join('\n')) }]
}

/** A page whose button creates the project in StackBlitz: nothing is sent before someone presses it. */
function writeStackBlitz({ title }: PageCode, files: readonly ZipEntry[], template: 'html' | 'node'): string {
  const fields = [
    ['project[title]', title],
    ['project[description]', 'A page from the Code Arena of Benchmaker'],
    ['project[template]', template],
    ...files.map(({ name, text }) => [`project[files][${name}]`, text]),
  ]
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><title>Open in StackBlitz</title></head><body>',
    '<form method="post" action="https://stackblitz.com/run" target="_blank">',
    // A text area keeps line breaks; its first one is not part of its value.
    ...fields.map(
      ([name, text]) => `<textarea hidden name="${escapeMarkup(name!)}">\n${escapeMarkup(text!)}</textarea>`,
    ),
    '<p>This sends the code of the page to stackblitz.com, which runs it in your browser.</p>',
    '<button>Open in StackBlitz</button>',
    '</form></body></html>',
    '',
  ].join('\n')
}

/** A page as a project that runs elsewhere: its files, what builds them, and a file that opens them in StackBlitz. */
export function writePageProject(page: PageCode): ZipEntry[] {
  const own = page.files.map(({ name, code }) => ({ name: safePath(name), text: code }))
  // The answer's page of a framework's project belongs where Vite looks for it.
  const shell = page.shell === undefined ? undefined : safePath(page.shell)
  const files = own.map((file) => (file.name === shell ? { ...file, name: 'index.html' } : file))
  const framework = FRAMEWORKS[page.kind]
  const all = [...files, ...(framework ? addBuild(page, files, framework) : addStart(page, files))]
  const unique = [...new Map(all.map((file) => [file.name, file])).values()]
  return [
    ...unique,
    { name: 'open-in-stackblitz.html', text: writeStackBlitz(page, unique, framework ? 'node' : 'html') },
  ]
}
