import { z } from 'zod'
import type { ConsoleMessage } from 'playwright-core'
import type { PageFindings } from '../../contract/index.ts'
import type { BlockedUrl } from '../assemble/remote-addresses.ts'

/** One line of a page's console. */
export interface ConsoleLine {
  level: 'debug' | 'log' | 'info' | 'warn' | 'error'
  text: string
}

/** A rule of axe-core that the page breaks. */
export interface AccessibilityFinding {
  /** The rule's name: `color-contrast`. */
  id: string
  impact: 'minor' | 'moderate' | 'serious' | 'critical'
  /** The rule in words. */
  help: string
  /** How many elements break it. */
  nodes: number
}

/** One thing that was tried on the page. */
export type Interaction = PageFindings['interactions'][number]

export const violationsSchema = z.array(z.object({ url: z.string(), directive: z.string() }))

const axeSchema = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.enum(['minor', 'moderate', 'serious', 'critical']).nullish(),
      help: z.string(),
      nodes: z.number(),
    }),
  ),
})

/**
 * Runs in the driver's world, after axe itself is loaded. Elements drawn by our stand-ins for missing packages are not
 * the page's fault. With `preload`, axe would warn in the page's console about style sheets that are blocked.
 */
export const AXE_CALL = `axe.run(document, { resultTypes: ['violations'], preload: false, elementRef: true, ancestry: false, selectors: false }).then(({ violations }) => ({
  violations: violations
    .map(({ id, impact, help, nodes }) => ({ id, impact, help, nodes: nodes.filter(({ element }) => !element?.matches('[data-stands-for]')).length }))
    .filter(({ nodes }) => nodes > 0)
}))`

export function readAccessibility(value: unknown): AccessibilityFinding[] {
  return axeSchema.parse(value).violations.map(({ impact, ...finding }) => ({ ...finding, impact: impact ?? 'minor' }))
}

const MOST_LINES = 100
const MOST_CHARACTERS = 1000

const LEVELS = new Map<string, ConsoleLine['level']>([
  ['debug', 'debug'],
  ['info', 'info'],
  ['warning', 'warn'],
  ['error', 'error'],
  ['assert', 'error'],
])

/** The browser's own messages about blocked requests, which are reported as blocked addresses instead, and about taking pictures. */
const ABOUT_BLOCKING =
  /Content Security Policy|GL Driver Message|^Failed to load resource|^Refused to |ERR_BLOCKED_BY_CLIENT|sandboxed and the 'allow-/i

/** A request that the page did not expect to fail; its address is reported as blocked. */
const NOT_ANSWERED = 'TypeError: Failed to fetch'

/** Collects the findings of several views of a page, without duplicates and up to a limit. */
export function collectFindings() {
  const lines = new Map<string, ConsoleLine>()
  const errors = new Set<string>()
  const blocked = new Map<string, BlockedUrl>()
  const cut = (text: string): string => text.slice(0, MOST_CHARACTERS)
  return {
    addConsole(message: ConsoleMessage): void {
      const line: ConsoleLine = { level: LEVELS.get(message.type()) ?? 'log', text: cut(message.text()) }
      if (lines.size < MOST_LINES && !ABOUT_BLOCKING.test(line.text)) lines.set(`${line.level} ${line.text}`, line)
    },
    addError(text: string): void {
      if (errors.size < MOST_LINES && text !== NOT_ANSWERED) errors.add(cut(text))
    },
    addBlocked({ url, ...rest }: BlockedUrl): void {
      if (blocked.size < MOST_LINES && !blocked.has(url)) blocked.set(url, { url: cut(url), ...rest })
    },
    finish: () => ({ console: [...lines.values()], errors: [...errors], blocked: [...blocked.values()] }),
  }
}

export type FindingsCollector = ReturnType<typeof collectFindings>
