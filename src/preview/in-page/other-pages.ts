/** Shows another page of the answer in place of this one. The window stays, so what the old page left running is ended. */
function endTimers(): void {
  const last = Number(setTimeout(() => undefined))
  for (let id = Math.max(0, last - 10_000); id <= last; id++) {
    clearTimeout(id)
    cancelAnimationFrame(id)
  }
}

/** Returns false if the answer has no such page. */
export function openPage(href: string): boolean {
  const pages: Record<string, string> | undefined = Reflect.get(window, 'previewPages')
  if (!pages) return false
  const [path = '', hash = ''] = href.split('#')
  const wanted = path.replace(/\?.*$/, '').replace(/^(?:\.{0,2}\/)+/, '')
  const name = Object.keys(pages).find(
    (page) => page === wanted || page.endsWith(`/${wanted}`) || wanted.endsWith(`/${page}`),
  )
  const html = name === undefined ? undefined : pages[name]
  if (html === undefined) return false
  endTimers()
  document.open()
  document.write(html)
  document.close()
  window.scrollTo(0, 0)
  if (hash !== '') document.getElementById(hash)?.scrollIntoView()
  return true
}
