import { npmPackageOfUrl, packageOfUrl } from './known-libraries.ts'
import { areFontsHere } from './page-fonts.ts'
import { isInstallable, packageName } from '../packages/installed.ts'

/** Something that a page tried to load from the network and did not get. */
export interface BlockedUrl {
  url: string
  /** What it was for, and what happens without it. */
  why: string
  /** True for code: a page without it may show nothing. */
  isCode?: boolean
}

export type RemoteUse = 'script' | 'style' | 'font' | 'image' | 'media' | 'frame' | 'import' | 'package' | 'other'

const REASONS: Record<RemoteUse, string> = {
  script: 'script from the network: not run',
  style: 'style sheet from the network: left out',
  font: 'font from the network: a system font is used',
  image: 'image from the network: a grey box is shown',
  media: 'audio or video from the network: not played',
  frame: 'another page in a frame: not loaded',
  import: 'module from the network: replaced by an empty placeholder',
  package: 'package that is not included: replaced by an empty placeholder',
  other: 'from the network: not loaded',
}

const CODE: ReadonlySet<RemoteUse> = new Set(['script', 'import', 'package'])

/** Measures visits and errors: a page looks and works the same without it. */
const UNSEEN =
  /(?:^|\/)(?:@vercel\/(?:analytics|speed-insights)|web-vitals|react-scan|server-only|client-only|@sentry\/)|google-analytics|googletagmanager|plausible|umami|hotjar|clarity\.ms|cloudflareinsights/i

export function isRemote(url: string): boolean {
  return /^\s*(?:https?:|wss?:|ftp:)?\/\//i.test(url)
}

/** The library that an address or an import belongs to: `react-spring` of `react-spring/web`. */
function nameLibrary(url: string, use: RemoteUse): string | undefined {
  const name = packageOfUrl(url)?.name ?? (use === 'package' ? url : undefined)
  if (name === undefined)
    return use === 'style' ? undefined : url.replace(/^(?:https?:)?\/\//, '').replace(/[?#].*$/, '')
  return /^(?:@[^/]+\/[^/]+|[^/]+)/.exec(name)?.[0]
}

/** Nothing stands for a plugin: its classes have no effect. */
const isTailwindPlugin = (name: string) => /^@?tailwindcss\b/.test(name)

function say(names: string[]): string {
  const last = names.at(-1)!
  return names.length === 1 ? `${last} is` : `${names.slice(0, -1).join(', ')} and ${last} are`
}

/** The package of the npm registry that would answer, if it can be told from the address. */
function findInstallable({ url, use }: { url: string; use: RemoteUse }): string | undefined {
  if (use === 'font' || UNSEEN.test(url)) return undefined
  const name = npmPackageOfUrl(url)?.name ?? (use === 'package' ? packageName(url.replace(/^npm:/, '')) : undefined)
  return name !== undefined && isInstallable(name) ? name : undefined
}

/** Collects blocked addresses, each once. */
export function createBlockedList() {
  const found = new Map<string, BlockedUrl & { use: RemoteUse }>()
  const unusable = new Map<string, string>()
  const listInstallable = (): string[] => [...new Set([...found.values()].flatMap((one) => findInstallable(one) ?? []))]
  const namesOf = (...uses: RemoteUse[]): string[] => [
    ...new Set(
      [...found.values()].flatMap(
        ({ url, use }) => (uses.includes(use) && !UNSEEN.test(url) ? nameLibrary(url, use) : undefined) ?? [],
      ),
    ),
  ]
  return {
    add(url: string, use: RemoteUse): void {
      if (use === 'font' && areFontsHere(url)) return
      const name = packageOfUrl(url)?.name
      const why =
        name !== undefined && (use === 'script' || use === 'style') ? `${REASONS[use]} (${name})` : REASONS[use]
      const key = url.trim()
      if (!found.has(key)) found.set(key, { url: key, why, use })
    },
    entries: () => [...found.values()],
    list: (): BlockedUrl[] =>
      [...found.values()].map(({ url, why, use }) => ({
        url,
        why,
        ...((unusable.has(url) || (CODE.has(use) && !UNSEEN.test(url))) && { isCode: true }),
      })),
    /** An installed package that does not become part of a page. */
    addUnusable(specifier: string, reason: string): void {
      found.set(specifier, { url: specifier, why: `package that cannot be part of a page: ${reason}`, use: 'other' })
      unusable.set(specifier, `${specifier} is installed, but cannot be part of a page: ${reason}.`)
    },
    listInstallable,
    /** Names what the page asks for and does not get, as sentences. */
    describeMissing(): string[] {
      const installable = new Set(listInstallable())
      const sayHow = (names: string[]): string => {
        const those = names.filter((name) => installable.has(name))
        return those.length === 0
          ? ''
          : ` “benchmaker install packages ${those.join(' ')}” installs ${those.length === 1 ? 'it' : 'them'}.`
      }
      const imported = namesOf('package', 'import')
      const replaced = imported.filter((name) => !isTailwindPlugin(name))
      const absent = [
        ...imported.filter(isTailwindPlugin),
        ...namesOf('script', 'style').filter((name) => !imported.includes(name)),
      ]
      return [
        ...(replaced.length > 0
          ? [`${say(replaced)} not available here; stand-ins are shown.${sayHow(replaced)}`]
          : []),
        ...(absent.length > 0 ? [`${say(absent)} not available here.${sayHow(absent)}`] : []),
        ...unusable.values(),
      ]
    },
  }
}

export type BlockedList = ReturnType<typeof createBlockedList>

const FONT_HOST = /fonts\.(?:googleapis|gstatic|bunny)\.(?:com|net)|use\.typekit|\.(?:woff2?|ttf|otf|eot)(?:[?#]|$)/i

export function styleUse(url: string): RemoteUse {
  return FONT_HOST.test(url) ? 'font' : 'style'
}

/** Removes `@import`s from the network, which would delay the page; other remote addresses are only listed. */
export function cleanStyles(css: string, blocked: BlockedList): string {
  const cleaned = css.replace(
    /@import\s+(?:url\(\s*)?["']?((?:https?:)?\/\/[^"')\s]+)["']?\s*\)?[^;]*;/gi,
    (_whole, url: string) => {
      blocked.add(url, styleUse(url))
      return ''
    },
  )
  for (const [, url = ''] of cleaned.matchAll(/url\(\s*["']?((?:https?:)?\/\/[^"')\s]+)["']?\s*\)/gi))
    blocked.add(url, FONT_HOST.test(url) ? 'font' : 'image')
  return cleaned
}
