import { libraries } from './libraries.ts'

/** A file that previews load from their own origin at `/vendor/<name>`. */
interface VendoredFile {
  name: string
  /** Its source: a module of a package, or a file in `in-page/`. Absent for a library: its entry is written for it. */
  entry?: string
  /** `bundle` makes one script of it; `copy` takes it unchanged; `library` bundles it on top of what it needs. */
  make: 'bundle' | 'copy' | 'library'
  /** False for files that only the program uses and pages cannot load. */
  isServed: boolean
}

/** All vendored files. `build-vendor.ts` makes them. */
export const vendoredFiles: VendoredFile[] = [
  /** The first script of every page: storage, reports to the page that embeds it. */
  { name: 'bootstrap.js', entry: '../in-page/bootstrap.ts', make: 'bundle', isServed: true },
  /** Loads the modules of an answer. */
  { name: 'modules.js', entry: '../in-page/modules.ts', make: 'bundle', isServed: true },
  { name: 'react.js', entry: '../in-page/libraries/react.ts', make: 'bundle', isServed: true },
  { name: 'vue.js', entry: 'vue/dist/vue.global.prod.js', make: 'copy', isServed: true },
  { name: 'tailwind.js', entry: '../in-page/libraries/tailwind.ts', make: 'bundle', isServed: true },
  /** For the program, which compiles the styles of a page before it is shown. */
  { name: 'tailwind.css', entry: 'tailwindcss/index.css', make: 'copy', isServed: false },
  { name: 'lucide.js', entry: '../in-page/libraries/lucide.ts', make: 'bundle', isServed: true },
  ...libraries.map(({ name }) => ({ name: `${name}.js`, make: 'library' as const, isServed: true })),
  /** Runs inside a page for screenshots: waits until it is still, presses its buttons. */
  { name: 'driver.js', entry: '../in-page/driver.ts', make: 'bundle', isServed: false },
  { name: 'axe.js', entry: 'axe-core/axe.min.js', make: 'copy', isServed: false },
]

/** Libraries in the order in which pages load them: one that needs another comes after it. */
const LOADING_ORDER = ['react', 'vue', 'lucide', 'tailwind', ...libraries.map(({ name }) => name)]

/** The libraries and everything that they need, in the order in which they must be loaded. */
export function withNeeded(names: Iterable<string>): string[] {
  const all = new Set<string>()
  const add = (name: string): void => {
    all.add(name)
    for (const needed of libraries.find((library) => library.name === name)?.needs ?? []) add(needed)
  }
  for (const name of names) add(name)
  return LOADING_ORDER.filter((name) => all.has(name))
}

export const VENDOR_PATH = '/vendor/'

export function vendorUrl(name: string): string {
  return `${VENDOR_PATH}${name}.js`
}

/** Headers of every vendored file. Pages have an opaque origin, so even their own host is cross-origin. */
export const vendorHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/javascript; charset=utf-8',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'max-age=3600',
}
