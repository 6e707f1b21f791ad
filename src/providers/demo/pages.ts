import { drawItem } from './chance.ts'
import { counterPages, taskPages, writePageAbout, type Quality } from './other-pages.ts'
import { pricingPages } from './pricing-pages.ts'

const NAMES_MARKUP =
  /\b(?:html|css|react|vue|svg|tailwind|front-?end|web ?page|web ?site|landing page|home ?page|pricing page|login page|single.page)\b/i
const ASKS_FOR_PAGE =
  /\b(?:build|create|make|design|code|implement|generate|write|develop)\b[^.?!]*\b(?:page|component|dashboard|form|widget|web app|game|nav ?bar|calculator|clock|counter|to-?do|card|gallery|modal|carousel)\b/i
const NAMES_PAGE =
  /^(?:an?|the)\s+(?:[\w-]+\s+){0,4}(?:page|component|dashboard|form|widget|counter|gallery|app)\b(?!\s+(?:is|are|was|of the book))/i

/** Returns true if a prompt asks for something to show in a browser. */
export function asksForPage(prompt: string): boolean {
  return NAMES_MARKUP.test(prompt) || ASKS_FOR_PAGE.test(prompt) || NAMES_PAGE.test(prompt.trim())
}

function fence(html: string): string {
  return `\`\`\`html\n${html}\n\`\`\``
}

const QUALITIES = { 'demo/good': 'good', 'demo/fair': 'fair', 'demo/poor': 'poor' } as const

/** A simulated model's front-end answer. The coder's quality is drawn at random; the others match their names. */
export function writePage(modelId: string, prompt: string, salt: string): string {
  const named = Object.entries(QUALITIES).find(([id]) => id === modelId)?.[1]
  if (/\b(?:pricing|prices|plans)\b/i.test(prompt)) return pricingPages[named ?? 'react']
  const quality: Quality = named ?? drawItem<Quality>(['good', 'good', 'fair'], modelId, prompt, salt)
  if (/\bcounter\b/i.test(prompt)) return fence(counterPages[quality])
  if (/\bto-?do|tasks?\b/i.test(prompt)) return fence(taskPages[quality])
  return fence(writePageAbout(prompt, quality))
}
