import { packageOfUrl } from './known-libraries.ts'

/** Something from the network that a page wanted and did not get. */
export interface BlockedUrl {
  url: string
  /** What it was wanted for and what happens without it, in words. */
  why: string
}

export type RemoteUse = 'script' | 'style' | 'font' | 'image' | 'media' | 'frame' | 'import' | 'package' | 'other'

const REASONS: Record<RemoteUse, string> = {
  script: 'script from the network: not run',
  style: 'style sheet from the network: left out',
  font: 'font from the network: a system font is shown',
  image: 'image from the network: a grey box is shown',
  media: 'sound or film from the network: not played',
  frame: 'another page in a frame: not loaded',
  import: 'module from the network: replaced by an empty stand-in',
  package: 'package that is not shipped: replaced by an empty stand-in',
  other: 'from the network: not loaded',
}

export function isRemote(url: string): boolean {
  return /^\s*(?:https?:|wss?:|ftp:)?\/\//i.test(url)
}

/** Collects what was asked of the network, each address once. */
export function createBlockedList() {
  const found = new Map<string, BlockedUrl>()
  return {
    add(url: string, use: RemoteUse): void {
      const name = packageOfUrl(url)?.name
      const why =
        name !== undefined && (use === 'script' || use === 'style') ? `${REASONS[use]} (${name})` : REASONS[use]
      const key = url.trim()
      if (!found.has(key)) found.set(key, { url: key, why })
    },
    list: (): BlockedUrl[] => [...found.values()],
  }
}

export type BlockedList = ReturnType<typeof createBlockedList>

const FONT_HOST = /fonts\.(?:googleapis|gstatic|bunny)\.(?:com|net)|use\.typekit|\.(?:woff2?|ttf|otf|eot)(?:[?#]|$)/i

export function styleUse(url: string): RemoteUse {
  return FONT_HOST.test(url) ? 'font' : 'style'
}

/** Style sheets without `@import` from the network, which would hold up the page; other addresses in them are listed only. */
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
