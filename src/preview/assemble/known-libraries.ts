import { libraries } from '../vendor/libraries.ts'

/** An included library: its vendored file, and the value of an import as an expression in the page. */
export interface KnownLibrary {
  vendor: string
  value: string
  /** A script that starts it, where a page loads it by a script tag and not by an import. */
  starts?: string
}

/** A library whose work is done before the page is shown, so that nothing has to be loaded. */
interface Unneeded {
  unneeded: string
}

const REACT: KnownLibrary = { vendor: 'react', value: 'React' }
const REACT_DOM: KnownLibrary = { vendor: 'react', value: 'ReactDOM' }
const VUE: KnownLibrary = { vendor: 'vue', value: 'Vue' }

/** Of these only the parts that pages use most are here, or names that change from version to version. */
const isPartOfLibrary = (specifier: string) => /^(?:@react-three\/drei|@heroicons\/react\/.*)$/.test(specifier)

function orStandIns(specifier: string, value: string): string {
  return `previewModules.orStandIns(${JSON.stringify(specifier)}, ${value})`
}

const SHADCN = orStandIns('shadcn/ui', 'previewLibraries.shadcn')

const BY_PACKAGE = new Map<string, KnownLibrary>([
  ['react', REACT],
  ['react/jsx-runtime', { vendor: 'react', value: 'ReactJSXRuntime' }],
  ['react/jsx-dev-runtime', { vendor: 'react', value: 'ReactJSXRuntime' }],
  ['react-dom', REACT_DOM],
  ['react-dom/client', REACT_DOM],
  ['vue', VUE],
  ['lucide-react', { vendor: 'lucide', value: 'LucideReact' }],
  ['lucide-vue-next', { vendor: 'lucide', value: 'LucideVue' }],
  ['lucide', { vendor: 'lucide', value: 'lucide' }],
  ['tailwindcss', { vendor: 'tailwind', value: '{}' }],
  ['@tailwindcss/browser', { vendor: 'tailwind', value: '{}' }],
  ...libraries.flatMap(({ name, modules = {} }) =>
    Object.keys(modules).map((specifier): [string, KnownLibrary] => {
      const value = `previewLibraries[${JSON.stringify(specifier)}]`
      return [specifier, { vendor: name, value: isPartOfLibrary(specifier) ? orStandIns(specifier, value) : value }]
    }),
  ),
])

/** Other names of the same thing: subpaths, older packages, CDN names. */
const SAME: [pattern: RegExp, specifier: string][] = [
  [/^vue\/dist\//, 'vue'],
  [/^lucide-react\/(?:dynamic|dist|icons)/, 'lucide-react'],
  [/^lucide-vue$/, 'lucide-vue-next'],
  [/^three(?:\.js)?(?:\/build\/.*)?$|^three\/(?:three|three\.module|webgpu)(?:\.min)?(?:\.js)?$/, 'three'],
  [/^three\/(?:addons|examples\/jsm|examples\/js)\/loaders\/HDRLoader(?:\.js)?$/, 'three/addons/loaders/RGBELoader.js'],
  [/^d3-(?!cloud|sankey|hexbin|tip|geo-|graphviz|flame|org)[a-z-]+$/, 'd3'],
  [/^(?:chart\.js\/auto|chartjs|Chart\.js)$/, 'chart.js'],
  [/^(?:motion\/react|motion\/react-client|framer-motion\/dist\/.*)$/, 'framer-motion'],
  [/^gsap\/(?:all|gsap-core|gsap|index)$/, 'gsap'],
  [/^(?:p5\.js|p5js)$/, 'p5'],
  [/^react-router(?:\/dom)?$/, 'react-router-dom'],
  [/^(?:alpine|alpine\.js)$/, 'alpinejs'],
  [/^(?:twitter-bootstrap|bootstrap5)$/, 'bootstrap'],
  [/^(?:matter|matterjs|matter\.js)$/, 'matter-js'],
  [/^(?:lit-element|lit-html)(?:\/.*)?$/, 'lit'],
  [/^(?:lodash\.js|lodash-es|underscore|underscore\.js)$/, 'lodash'],
  [/^(?:anime|anime\.js)$/, 'animejs'],
  [/^preact\/debug$/, 'preact'],
  [/^classnames(?:\/|$)/, 'clsx'],
  [/^htm\/preact\/standalone/, 'htm/preact'],
  [/^next\/router$/, 'next/navigation'],
  [/^next\/script$/, 'next/head'],
  [/^next\/(?:legacy\/image|future\/image)$/, 'next/image'],
  [/^@remix-run\/react$/, 'react-router-dom'],
  [/^@heroicons\/react\/(?:outline|24\/outline)/, '@heroicons/react/24/outline'],
  [/^@heroicons\/react\/(?:solid|24\/solid)/, '@heroicons/react/24/solid'],
  [/^@heroicons\/react\/(?:16|20|mini)/, '@heroicons/react/20/solid'],
  [/^zod\/(?:v4|v3|lib.*)$/, 'zod'],
  [/^(?:@mui\/system|@mui\/material\/(?:colors|utils))$/, '@mui/material'],
  [/^@mui\/material\/styles\//, '@mui/material/styles'],
  [/^(?:plotly\.js|plotly\.js-(?:basic-|cartesian-|gl3d-)?dist(?:-min)?|plotly|plotly\.js\/.*)$/, 'plotly.js-dist-min'],
  [/^echarts-for-react\/(?:lib\/core|esm\/core)$/, 'echarts-for-react'],
  [/^vueuse$/, '@vueuse/core'],
  [/^(?:DOMPurify|isomorphic-dompurify)$/i, 'dompurify'],
  [/^highlight\.js\/lib\/(?:common|core|index)$|^(?:highlightjs|@highlightjs\/cdn-assets)$/, 'highlight.js'],
  [/^(?:KaTeX|katex\/dist\/katex)$/i, 'katex'],
  [/^katex\/(?:dist\/)?contrib\/auto-render/, 'katex/contrib/auto-render'],
  [/^(?:Sortable|sortable)$/, 'sortablejs'],
  [/^htmx$/, 'htmx.org'],
  [/^react-flow-renderer$/, 'reactflow'],
  [/^@reduxjs\/toolkit\/query(?:\/react)?$/, '@reduxjs/toolkit'],
  [/^PapaParse$/i, 'papaparse'],
  [/^(?:nanoid\/non-secure)$/, 'nanoid'],
  [/^(?:howler\.js)$/, 'howler'],
  [/^antd\/(?:es|lib|dist)$/, 'antd'],
  [/^date-fns\/(?!locale)[a-zA-Z]+$/, 'date-fns'],
]

const SUBPATH_OF_SHADCN = /^(?:@|~|@app|src)\/(?:components\/(?:ui|shadcn)(?:\/|$)|lib\/utils$|hooks\/use-toast$)/

/** `@radix-ui/react-dropdown-menu` is `DropdownMenu` of `radix-ui`. */
function findRadix(specifier: string): string | undefined {
  const part = /^@radix-ui\/react-([a-z-]+)$/.exec(specifier)?.[1]
  if (part === undefined) return undefined
  const name = part.replace(/(?:^|-)([a-z])/g, (_whole, letter: string) => letter.toUpperCase())
  return orStandIns(specifier, `previewLibraries["radix-ui"].${name}`)
}

/** Prefixes of icon names by set: `FaBeer` of `react-icons/fa`. Lucide's drawing of the same name stands for each. */
const ICON_SETS =
  /^react-icons\/(?:[a-z]+\d?)$|^@mui\/icons-material$|^@tabler\/icons-react$|^react-feather$|^phosphor-react$|^@phosphor-icons\/react$/

const CDN_HOSTS =
  /^(?:https?:)?\/\/(?:esm\.sh|esm\.run|cdn\.esm\.sh|unpkg\.com|(?:cdn|fastly)\.jsdelivr\.net|cdn\.skypack\.dev|cdnjs\.cloudflare\.com|ga\.jspm\.io|jspm\.dev|cdn\.tailwindcss\.com|www\.unpkg\.com|cdn\.bootcdn\.net|cdn\.bootcss\.com|cdn\.staticfile\.org|ajax\.googleapis\.com|code\.jquery\.com|(?:stackpath|maxcdn|netdna)\.bootstrapcdn\.com|d3js\.org|threejs\.org|use\.fontawesome\.com|kit\.fontawesome\.com|cdn\.plot\.ly)(?=[/?]|$)/i

/** Hosts that serve one library at addresses of their own. */
const OWN_HOSTS: [host: RegExp, read: (path: string) => { name: string; path: string; version: string | undefined }][] =
  [
    [/^cdn\.tailwindcss\.com$/i, (path) => ({ name: 'tailwindcss', path: '', version: path.split('/')[0] || '3' })],
    [
      /^code\.jquery\.com$/i,
      (path) => ({ name: path.startsWith('ui/') ? 'jquery-ui' : 'jquery', path, version: undefined }),
    ],
    [
      /^d3js\.org$/i,
      (path) => ({
        name: path.startsWith('d3.') || path === '' ? 'd3' : path.replace(/\..*$/, ''),
        path: '',
        version: /v(\d+)/.exec(path)?.[1],
      }),
    ],
    [/^cdn\.plot\.ly$/i, () => ({ name: 'plotly.js-dist-min', path: '', version: undefined })],
    [/^threejs\.org$/i, (path) => ({ name: 'three', path, version: undefined })],
    [/^(?:use|kit)\.fontawesome\.com$/i, () => ({ name: 'font-awesome', path: 'all.css', version: undefined })],
    [
      /bootstrapcdn\.com$/i,
      (path) => {
        const [name = 'bootstrap', version, ...rest] = path.split('/')
        return { name, version, path: rest.join('/') }
      },
    ],
  ]

/** Reads the package from a CDN address: `react-dom` from `https://unpkg.com/react-dom@18/umd/x.js`. */
export function packageOfUrl(url: string): { name: string; path: string; version: string | undefined } | undefined {
  if (!CDN_HOSTS.test(url)) return undefined
  const [, host = '', path = ''] = /^(?:https?:)?\/\/([^/?]+)\/?([^?#]*)/i.exec(url) ?? []
  const own = OWN_HOSTS.find(([pattern]) => pattern.test(host))
  if (own) return own[1](path)
  const libs = /^ajax\/libs\/([^/]+)\/([^/]+)\/(.*)$/.exec(path)
  if (libs) return { name: libs[1]!, version: libs[2], path: libs[3]! }
  const inside = path.replace(/^(?:npm\/|stable\/|v\d+\/|combine\/|gh\/|npm:|\*)/, '').replace(/^v\d+\//, '')
  const [, name = '', version, rest = ''] = /^((?:@[\w.-]+\/)?[\w.-]+?)(?:@([^/]+))?(?:\/(.*))?$/.exec(inside) ?? []
  return name === '' ? undefined : { name, version, path: rest }
}

/** Hosts that serve any package of the npm registry by its name; at others a name may be of something else. */
const NPM_HOSTS =
  /^(?:https?:)?\/\/(?:(?:cdn\.)?esm\.sh|esm\.run|(?:www\.)?unpkg\.com|(?:cdn|fastly)\.jsdelivr\.net\/npm|cdn\.skypack\.dev|ga\.jspm\.io|jspm\.dev)(?=[/?]|$)/i

/** Reads the package of the npm registry from an address. */
export function npmPackageOfUrl(url: string): ReturnType<typeof packageOfUrl> {
  return NPM_HOSTS.test(url) ? packageOfUrl(url) : undefined
}

/** A file of a package that is no part of its main build. */
const ASIDE = /(?:^|\/)(?:addons|examples|plugins?|locales?|themes?|lang|es6?)\/|\.css$/

/** `gsap/ScrollTrigger` from `dist/ScrollTrigger.min.js`. */
function subpathOf(path: string): string {
  return path
    .replace(/^(?:dist|build|umd|lib|esm|min|\+esm)(?:\/|$)/, '')
    .replace(/(?:\.(?:min|module|umd|esm|production|development|prod|global|bundle))*\.m?js$/, '')
}

const STARTS: Record<string, string> = {
  alpinejs: "document.addEventListener('DOMContentLoaded', () => Alpine.start())",
}

function findByPackage(specifier: string): KnownLibrary | undefined {
  const plain = specifier.replace(/(?<=[^/])@(?:[\d^~]|latest|next|v\d)[\w.-]*/, '')
  const addon = plain.replace(/^three\/(?:examples\/jsm|examples\/js|jsm)\//, 'three/addons/')
  const same = SAME.find(([pattern]) => pattern.test(plain))?.[1]
  for (const candidate of [plain, addon, `${addon}.js`, addon.replace(/\.js$/, ''), same]) {
    const known = candidate === undefined ? undefined : BY_PACKAGE.get(candidate)
    if (known) return known
  }
  const part = /^(?:@|~|@app|src)\/components\/(?:ui|shadcn)\/(form|chart)$/.exec(plain)?.[1]
  if (part !== undefined) return { vendor: `shadcn-${part}`, value: `previewLibraries["shadcn/${part}"]` }
  if (SUBPATH_OF_SHADCN.test(plain)) return { vendor: 'shadcn', value: SHADCN }
  if (/^(?:sonner|react-hot-toast)$/.test(plain)) return { vendor: 'shadcn', value: SHADCN }
  if (plain === '@radix-ui/react-icons') return { vendor: 'lucide', value: 'previewModules.icons("LucideReact", "")' }
  const component = /^@mui\/material\/([A-Z]\w*)$/.exec(plain)?.[1]
  if (component !== undefined)
    return { vendor: 'mui', value: `{ __esModule: true, default: previewLibraries["@mui/material"].${component} }` }
  const antd = /^antd\/(?:es|lib)\/([a-z-]+)$/.exec(plain)?.[1]
  if (antd !== undefined) {
    const name = antd.replace(/(?:^|-)([a-z])/g, (_whole, letter: string) => letter.toUpperCase())
    return { vendor: 'antd', value: `{ __esModule: true, default: previewLibraries["antd"].${name} }` }
  }
  const icon = /^@mui\/icons-material\/(\w+)$/.exec(plain)?.[1]
  if (icon !== undefined)
    return {
      vendor: 'lucide',
      value: `{ __esModule: true, default: previewModules.icons("LucideReact", "@mui/icons-material").${icon} }`,
    }
  const radix = findRadix(plain)
  if (radix !== undefined) return { vendor: 'radix-ui', value: radix }
  if (/^next\/font(?:\/|$)/.test(plain)) return { vendor: 'next', value: 'previewModules.fonts' }
  if (/^react-icons\/fa6?$/.test(plain))
    return { vendor: 'font-awesome', value: `previewModules.icons("", ${JSON.stringify(plain)})` }
  if (plain === '@fortawesome/react-fontawesome')
    return { vendor: 'font-awesome', value: 'previewModules.awesomeReact' }
  if (/^@fortawesome\/(?:free|pro)-[a-z]+-svg-icons$/.test(plain))
    return { vendor: 'font-awesome', value: `previewModules.awesomeIcons(${plain.includes('regular')})` }
  if (ICON_SETS.test(plain))
    return { vendor: 'lucide', value: `previewModules.icons("LucideReact", ${JSON.stringify(plain)})` }
  return undefined
}

/** Finds the included library for an import or address: `react`, `npm:vue`, `https://esm.sh/react-dom@18/client`. */
export function findLibrary(specifier: string): KnownLibrary | undefined {
  const remote = packageOfUrl(specifier)
  if (!remote) {
    return /^[a-z]+:\/\//i.test(specifier) || specifier.startsWith('/')
      ? undefined
      : findByPackage(specifier.replace(/^npm:/, ''))
  }
  const { name, path } = remote
  const subpath = subpathOf(path)
  const exact = [`${name}/${path}`, `${name}/${subpath}`, `${name}/${subpath.replace(/[.?].*$/, '')}`]
    .filter((candidate) => !candidate.endsWith('/'))
    .map((candidate) => findByPackage(candidate))
    .find((known) => known !== undefined)
  const found = exact ?? (ASIDE.test(path) ? undefined : findByPackage(name))
  const starts = STARTS[name]
  return found && starts !== undefined ? { ...found, starts } : found
}

const STYLES: [pattern: RegExp, vendor: string][] = [
  [/^(?:twitter-)?bootstrap(?:\/|$)/, 'bootstrap5-css'],
  [/^leaflet(?:\/|$)/, 'leaflet-css'],
  [
    /^(?:highlight\.js|@highlightjs\/cdn-assets)(?:\/.*)?(?:dark|monokai|dracula|night|vs2015|ocean|obsidian|nord)/i,
    'highlight-dark-css',
  ],
  [/^(?:highlight\.js|@highlightjs\/cdn-assets)\//, 'highlight-light-css'],
  [/^katex(?:\/|$)/i, 'katex-css'],
  [/^swiper(?:\/|$)/i, 'swiper-css'],
  [/^(?:@xyflow\/react|reactflow)(?:\/|$)/, 'xyflow-css'],
  [/^react-day-picker(?:\/|$)/, 'day-picker-css'],
  [/^animate\.css(?:\/|$)/, 'animate-css'],
  [/^aos(?:\/|$)/, 'aos-css'],
  [/^daisyui(?:\/|$|@)/, 'daisyui-css'],
  [/^(?:font-?awesome|@fortawesome\/fontawesome-free|components-font-awesome)(?:\/|$)/i, 'font-awesome'],
]

/** Finds the included style sheet of a library for an address or an import: `bootstrap/dist/css/bootstrap.min.css`. */
export function findStyles(specifier: string): string | undefined {
  const remote = packageOfUrl(specifier)
  const path = remote ? `${remote.name}/${remote.path}` : specifier
  if (/icons|grid|reboot|utilities/i.test(path.replace(/^[^/]*/, ''))) return undefined
  return STYLES.find(([pattern]) => pattern.test(path))?.[1]
}

/** Recognises a script that is not needed, because its work is done when the page is assembled. */
export function findUnneeded(url: string): Unneeded | undefined {
  const name = packageOfUrl(url)?.name ?? ''
  if (/^(?:@babel\/standalone|babel-standalone|babel-core)$/.test(name))
    return { unneeded: 'JSX is compiled before the page is shown' }
  if (/^es-module-shims$/.test(name)) return { unneeded: 'imports are resolved before the page is shown' }
  if (/^(?:@popperjs\/core|popper\.js)$/.test(name)) return { unneeded: 'Bootstrap has its own copy' }
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
