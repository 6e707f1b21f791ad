import MiniSearch from 'minisearch'
import { indexOptions, type SearchDocument, type SearchIndex } from './in-page/search.ts'
import type { RenderedPage } from './markdown.ts'

/** A script rather than JSON: a page on a disk may load scripts but fetch nothing. */
export function writeSearchIndex(pages: readonly (RenderedPage & { address: string })[]): string {
  const documents: SearchDocument[] = pages
    .flatMap(({ address, title, sections }) =>
      sections.map(({ id, heading, text }) => ({ address: `${address}#${id}`, page: title, heading, text })),
    )
    .map((document, id) => ({ id, ...document }))
  const search = new MiniSearch<SearchDocument>(indexOptions)
  search.addAll(documents)
  const index: SearchIndex = { documents, index: search.toJSON() }
  return `window.benchmakerSearch=${JSON.stringify(index)}\n`
}
