/** A file that previews load from their own origin at `/vendor/<name>`. */
interface VendoredFile {
  name: string
  /** Its source: a module of a package, or a file in `in-page/`. */
  entry: string
  /** `bundle` makes one script of it; `copy` takes it unchanged. */
  make: 'bundle' | 'copy'
  /** False for files that only the program uses and pages cannot load. */
  isServed: boolean
}

/** All vendored files. `build-vendor.ts` makes them. */
export const vendoredFiles = [
  /** The first script of every page: storage, reports to the page that embeds it. */
  { name: 'bootstrap.js', entry: '../in-page/bootstrap.ts', make: 'bundle', isServed: true },
  /** Loads the modules of an answer. */
  { name: 'modules.js', entry: '../in-page/modules.ts', make: 'bundle', isServed: true },
  { name: 'react.js', entry: '../in-page/react.ts', make: 'bundle', isServed: true },
  { name: 'vue.js', entry: 'vue/dist/vue.global.prod.js', make: 'copy', isServed: true },
  { name: 'tailwind.js', entry: '../in-page/tailwind.ts', make: 'bundle', isServed: true },
  /** For the program, which compiles the styles of a page before it is shown. */
  { name: 'tailwind.css', entry: 'tailwindcss/index.css', make: 'copy', isServed: false },
  { name: 'lucide.js', entry: '../in-page/lucide.ts', make: 'bundle', isServed: true },
  /** Runs inside a page for screenshots: waits until it is still, presses its buttons. */
  { name: 'driver.js', entry: '../in-page/driver.ts', make: 'bundle', isServed: false },
  { name: 'axe.js', entry: 'axe-core/axe.min.js', make: 'copy', isServed: false },
] as const satisfies VendoredFile[]

export type VendorName = 'react' | 'vue' | 'tailwind' | 'lucide'

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
