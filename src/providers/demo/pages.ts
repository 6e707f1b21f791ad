import { drawItem } from './chance.ts'
import { pageTexts } from './page-texts.ts'

type Quality = 'good' | 'fair' | 'poor'

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

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

/** The subject of a prompt in a few words: "Build a page about bees" becomes "a page about bees". */
function subjectOf(prompt: string): string {
  const words = prompt
    .replace(/\s+/g, ' ')
    .trim()
    .replace(
      /^(?:please\s+)?(?:can you\s+)?(?:build|create|make|write|design|code|implement|generate)\s+(?:me\s+)?/i,
      '',
    )
  const subject = words.slice(0, 80).replace(/[.!?]+$/, '')
  return subject === '' ? 'a page' : subject
}

/** A page about the subject of the prompt; it says that it is simulated. */
function writePageAbout(prompt: string, quality: Quality): string {
  const subject = escapeHtml(subjectOf(prompt))
  const heading = quality === 'poor' ? subject : subject.replace(/^./, (letter) => letter.toUpperCase())
  return pageTexts.anySubject[quality].replaceAll('{{subject}}', () => heading)
}

const QUALITIES = { 'demo/good': 'good', 'demo/fair': 'fair', 'demo/poor': 'poor' } as const

/** A simulated model's front-end answer. The coder's quality is drawn at random; the others match their names. */
export function writePage(modelId: string, prompt: string, salt: string): string {
  const named = Object.entries(QUALITIES).find(([id]) => id === modelId)?.[1]
  if (/\b(?:pricing|prices|plans)\b/i.test(prompt)) return pageTexts.pricing[named ?? 'react']
  const quality: Quality = named ?? drawItem<Quality>(['good', 'good', 'fair'], modelId, prompt, salt)
  if (/\bcounter\b/i.test(prompt)) return fence(pageTexts.counter[quality])
  if (/\bto-?do|tasks?\b/i.test(prompt)) return fence(pageTexts.tasks[quality])
  return fence(writePageAbout(prompt, quality))
}
