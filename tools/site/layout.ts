import { escapeHtml, type Heading } from './markdown.ts'

export interface SidebarGroup {
  title: string
  /** Folded away unless the reader is in it. */
  isFolded?: boolean
  pages: { address: string; title: string }[]
}

export interface LaidOutPage {
  /** From the site's root, such as `judges.html`. */
  address: string
  title: string
  html: string
  headings: Heading[]
}

const LOGO = `<svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true"><path d="M5 24h14M5 16h22M5 8h11" stroke="var(--line-strong)" stroke-width="2.5" stroke-linecap="round"/><circle cx="15" cy="8" r="4" fill="var(--accent)"/><circle cx="23" cy="16" r="4" fill="var(--accent)"/><circle cx="12" cy="24" r="4" fill="var(--accent)"/></svg>`

/** A page lists its sections if it has this many. */
const MIN_CONTENTS = 3

function drawSidebar(groups: readonly SidebarGroup[], current: string, toRoot: string): string {
  return groups
    .map(({ title, isFolded = false, pages }) => {
      const links = pages
        .map(({ address, title: name }) => {
          const mark = address === current ? ' aria-current="page"' : ''
          return `<li><a href="${toRoot}${address}"${mark}>${escapeHtml(name)}</a></li>`
        })
        .join('')
      if (!isFolded) return `<h2>${escapeHtml(title)}</h2><ul>${links}</ul>`
      const open = pages.some(({ address }) => address === current) ? ' open' : ''
      return `<details${open}><summary>${escapeHtml(title)}</summary><ul>${links}</ul></details>`
    })
    .join('\n')
}

function drawContents(headings: readonly Heading[]): string {
  const listed = headings.filter(({ depth }) => depth === 2)
  if (listed.length < MIN_CONTENTS) return ''
  const links = listed.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`).join('')
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${links}</ul></nav>`
}

function drawSteps(groups: readonly SidebarGroup[], current: string, toRoot: string): string {
  const all = groups.flatMap(({ pages }) => pages)
  const index = all.findIndex(({ address }) => address === current)
  const step = (page: { address: string; title: string } | undefined, rel: 'prev' | 'next', label: string) =>
    page
      ? `<a rel="${rel}" href="${toRoot}${page.address}"><span>${label}</span> ${escapeHtml(page.title)}</a>`
      : '<span></span>'
  return `<nav class="steps" aria-label="Reading order">${step(all[index - 1], 'prev', 'Previous')}${step(all[index + 1], 'next', 'Next')}</nav>`
}

/** A whole page. Every address is relative and every script a file: it works from a disk and under the server's policy. */
export function layOut({ address, title, html, headings }: LaidOutPage, groups: readonly SidebarGroup[]): string {
  const toRoot = '../'.repeat(address.split('/').length - 1)
  return `<!doctype html>
<html lang="en" data-root="${toRoot}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Benchmaker documentation">
<title>${escapeHtml(address === 'index.html' ? title : `${title} · Benchmaker`)}</title>
<link rel="icon" href="${toRoot}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${toRoot}style.css">
<script src="${toRoot}theme.js"></script>
<script src="${toRoot}site.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to main content</a>
<header class="top">
<button type="button" class="menu" aria-expanded="false" aria-controls="sidebar" aria-label="Open navigation"><svg width="18" height="18" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><path d="M4 6h16M4 12h16M4 18h16"/></svg></button>
<a class="brand" href="${toRoot}index.html">${LOGO}<span>Benchmaker</span><span class="help">Help</span></a>
<div class="search" role="search">
<input type="search" placeholder="Search" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list" autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<div id="found" role="listbox" aria-label="Results" hidden></div>
<p class="heard" role="status" aria-live="polite"></p>
</div>
</header>
<div class="frame">
<nav id="sidebar" aria-label="Pages">${drawSidebar(groups, address, toRoot)}</nav>
<main id="main" tabindex="-1">
<article>
${html}</article>
${address === 'index.html' ? '' : drawSteps(groups, address, toRoot)}
</main>
${drawContents(headings)}
</div>
</body>
</html>
`
}
