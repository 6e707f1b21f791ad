import type { VendorName } from '../vendor/vendored-files.ts'

/** An included library: its vendored file, and the value of an import as an expression over its globals. */
export interface KnownLibrary {
  vendor: VendorName
  value: string
}

/** A library whose work is done before the page is shown, so that nothing has to be loaded. */
interface Unneeded {
  unneeded: string
}

const REACT: KnownLibrary = { vendor: 'react', value: 'React' }
const REACT_DOM: KnownLibrary = { vendor: 'react', value: 'ReactDOM' }
const VUE: KnownLibrary = { vendor: 'vue', value: 'Vue' }

const BY_PACKAGE = new Map<string, KnownLibrary>([
  ['react', REACT],
  ['react/jsx-runtime', { vendor: 'react', value: 'ReactJSXRuntime' }],
  ['react/jsx-dev-runtime', { vendor: 'react', value: 'ReactJSXRuntime' }],
  ['react-dom', REACT_DOM],
  ['react-dom/client', REACT_DOM],
  ['preact', { vendor: 'react', value: 'PreactShim' }],
  ['preact/hooks', REACT],
  ['preact/compat', { vendor: 'react', value: 'PreactShim' }],
  ['vue', VUE],
  ['lucide-react', { vendor: 'lucide', value: 'LucideReact' }],
  ['lucide-vue-next', { vendor: 'lucide', value: 'LucideVue' }],
  ['lucide', { vendor: 'lucide', value: 'lucide' }],
  ['tailwindcss', { vendor: 'tailwind', value: '{}' }],
  ['@tailwindcss/browser', { vendor: 'tailwind', value: '{}' }],
])

const CDN_HOSTS =
  /^(?:https?:)?\/\/(?:esm\.sh|esm\.run|cdn\.esm\.sh|unpkg\.com|(?:cdn|fastly)\.jsdelivr\.net|cdn\.skypack\.dev|cdnjs\.cloudflare\.com|ga\.jspm\.io|jspm\.dev|cdn\.tailwindcss\.com|www\.unpkg\.com|cdn\.bootcdn\.net|cdn\.staticfile\.org|ajax\.googleapis\.com)(?=[/?]|$)/i

/** Reads the package from a CDN address: `react-dom` from `https://unpkg.com/react-dom@18/umd/x.js`. */
export function packageOfUrl(url: string): { name: string; path: string; version: string | undefined } | undefined {
  if (!CDN_HOSTS.test(url)) return undefined
  const [, host = '', path = ''] = /^(?:https?:)?\/\/([^/?]+)\/?([^?#]*)/i.exec(url) ?? []
  if (/^cdn\.tailwindcss\.com$/i.test(host))
    return { name: 'tailwindcss', path: '', version: path.split('/')[0] || '3' }
  const libs = /^ajax\/libs\/([^/]+)\/([^/]+)\/(.*)$/.exec(path)
  if (libs) return { name: libs[1]!, version: libs[2], path: libs[3]! }
  const inside = path.replace(/^(?:npm\/|stable\/|v\d+\/|combine\/|gh\/|npm:)/, '')
  const [, name = '', version, rest = ''] = /^((?:@[\w.-]+\/)?[\w.-]+?)(?:@([^/]+))?(?:\/(.*))?$/.exec(inside) ?? []
  return name === '' ? undefined : { name, version, path: rest }
}

const SUBPATHS_THAT_COUNT = /^(?:client|jsx-runtime|jsx-dev-runtime|hooks|compat)(?=$|[.?/])/

/** Finds the included library for an import or address: `react`, `npm:vue`, `https://esm.sh/react-dom@18/client`. */
export function findLibrary(specifier: string): KnownLibrary | undefined {
  const remote = packageOfUrl(specifier)
  if (remote) {
    const subpath = SUBPATHS_THAT_COUNT.exec(remote.path)?.[0]
    return BY_PACKAGE.get(subpath ? `${remote.name}/${subpath}` : remote.name) ?? findByPackage(remote.name)
  }
  return /^[a-z]+:\/\//i.test(specifier) || specifier.startsWith('/')
    ? undefined
    : findByPackage(specifier.replace(/^npm:/, ''))
}

function findByPackage(specifier: string): KnownLibrary | undefined {
  const exact = BY_PACKAGE.get(specifier.replace(/(?<=[^/])@[\d^~][\w.-]*/, ''))
  if (exact) return exact
  if (specifier.startsWith('vue/dist/')) return VUE
  if (/^lucide-react\/(?:dynamic|dist|icons)/.test(specifier)) return BY_PACKAGE.get('lucide-react')
  return undefined
}

/** Recognises a script that is not needed, because its work is done when the page is assembled. */
export function findUnneeded(url: string): Unneeded | undefined {
  const name = packageOfUrl(url)?.name ?? ''
  if (/^(?:@babel\/standalone|babel-standalone|babel-core)$/.test(name))
    return { unneeded: 'JSX is compiled before the page is shown' }
  if (/^es-module-shims$/.test(name)) return { unneeded: 'imports are resolved before the page is shown' }
  return undefined
}

/** Returns true for Tailwind up to version 3. The address of its play script has no version. */
export function isOldTailwind(url: string): boolean {
  const found = packageOfUrl(url)
  return found?.name === 'tailwindcss' && !(found.version ?? '3').startsWith('4')
}

export function isOldVue(url: string): boolean {
  const found = packageOfUrl(url)
  return found?.name === 'vue' && /^v?2(?:\.|$)/.test(found.version ?? '')
}
