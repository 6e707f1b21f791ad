import MiniSearch, { type AsPlainObject, type Options } from 'minisearch'

export interface SearchDocument {
  id: number
  /** From the site's root, with the section's anchor. */
  address: string
  page: string
  heading: string
  text: string
}

export interface SearchIndex {
  documents: SearchDocument[]
  index: AsPlainObject
}

export interface Found {
  address: string
  page: string
  heading: string
  excerpt: string
  /** The words of the section that match. */
  words: string[]
}

/** The index is read with the same options that it was made with. */
export const indexOptions: Options<SearchDocument> = { fields: ['heading', 'page', 'text'] }

const MAX_FOUND = 12
const EXCERPT_LENGTH = 150

let loaded: { from: SearchIndex; search: MiniSearch<SearchDocument> } | undefined

function open(from: SearchIndex): MiniSearch<SearchDocument> {
  if (loaded?.from !== from) loaded = { from, search: MiniSearch.loadJS<SearchDocument>(from.index, indexOptions) }
  return loaded.search
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const start = Math.max(0, (places.length === 0 ? 0 : Math.min(...places)) - EXCERPT_LENGTH / 3)
  // At a word's beginning.
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1
  const isCut = from + EXCERPT_LENGTH < text.length
  const end = isCut ? text.lastIndexOf(' ', from + EXCERPT_LENGTH) : text.length
  return `${from > 0 ? '… ' : ''}${text.slice(from, end > from ? end : from + EXCERPT_LENGTH)}${isCut ? ' …' : ''}`
}

/** The best sections: those with all words, or if there are none, with any. */
export function findSections(from: SearchIndex, query: string): Found[] {
  const search = open(from)
  const options = {
    prefix: true,
    fuzzy: (word: string) => (word.length > 4 ? 0.2 : false),
    boost: { heading: 4, page: 2 },
    // Who looks for a word wants the page that explains it before the types that contain it.
    boostDocument: (id: number) => (from.documents[id]!.address.startsWith('reference/library') ? 0.5 : 1),
  }
  const all = search.search(query, { ...options, combineWith: 'AND' })
  const found = all.length > 0 ? all : search.search(query, options)
  return found.slice(0, MAX_FOUND).map(({ id, terms }) => {
    const { address, page, heading, text } = from.documents[Number(id)]!
    return { address, page, heading, excerpt: excerptOf(text, terms), words: terms }
  })
}
