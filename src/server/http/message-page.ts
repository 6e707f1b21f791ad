function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const STYLE = `body{margin:0;min-height:100vh;display:grid;place-items:center;font:14px/1.5 Inter,system-ui,sans-serif;background:#fff;color:#18181b}
main{max-width:30rem;padding:24px}h1{font-size:18px;margin:0 0 8px}p{margin:0 0 8px}a{color:inherit}code{font-family:ui-monospace,monospace}
@media(prefers-color-scheme:dark){body{background:#18181b;color:#f4f4f5}}`

/** A page with a message and no scripts. `link` leads into the app. */
export function messagePage({
  title,
  lines,
  link,
}: {
  title: string
  lines: string[]
  link?: { to: string; text: string }
}): string {
  const paragraphs = lines
    .map((line) => `<p>${escapeHtml(line).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>`)
    .join('')
  const linkLine = link ? `<p><a href="${escapeHtml(link.to)}">${escapeHtml(link.text)}</a></p>` : ''
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)} · Benchmaker</title><style>${STYLE}</style></head><body><main><h1>${escapeHtml(title)}</h1>${paragraphs}${linkLine}</main></body></html>`
}

const NEW_LINK =
  'For a new link, press Enter in the terminal where Benchmaker is running, or run `benchmaker` again: it prints a link to the running server.'

/** Goes on by itself: a redirect would still count as a request from another site, which gets no session. */
export function enterPage(to: string): string {
  return messagePage({ title: 'Opening Benchmaker', lines: [], link: { to, text: 'Go to Benchmaker' } }).replace(
    '<title>',
    `<meta http-equiv="refresh" content="0;url=${escapeHtml(to)}"><title>`,
  )
}

export const signInPage = messagePage({
  title: 'Open the link from the terminal',
  lines: [
    'Benchmaker answers only to a browser opened with its link, so that no other page or program can use your keys.',
    NEW_LINK,
  ],
})

export const usedLinkPage = messagePage({
  title: 'This link has already been used',
  lines: ['Each link opens Benchmaker once.', NEW_LINK],
})

export const missingPage = messagePage({
  title: 'Page not found',
  lines: ['There is nothing at this address.'],
  link: { to: '/', text: 'Go to Benchmaker' },
})

export const notBuiltPage = messagePage({
  title: 'The web app is not built',
  lines: ['Run `npm start` to build it.'],
})
