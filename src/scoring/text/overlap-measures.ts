/** How much of a text is in another: the measures of SQuAD, rouge_score and sacreBLEU, each 0 to 1. */

/** Scripts that are written without spaces: each character counts as a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const UNSPACED_ALL = new RegExp(UNSPACED, 'gu')

/** SQuAD's normalisation: lower case, without punctuation and English articles, one space between words. */
export function normalizeText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{P}\p{S}]/gu, '')
    .replaceAll(/\b(?:a|an|the)\b/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function countAll(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

function countShared(a: Map<string, number>, b: Map<string, number>): number {
  let shared = 0
  for (const [item, count] of a) shared += Math.min(count, b.get(item) ?? 0)
  return shared
}

function harmonicMean(precision: number, recall: number): number {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
}

function wordsOf(text: string): string[] {
  return normalizeText(text)
    .replaceAll(UNSPACED_ALL, ' $& ')
    .split(' ')
    .filter((word) => word !== '')
}

/** SQuAD's F1 over words; over characters in scripts without spaces. */
export function wordF1(response: string, reference: string): number {
  const given = wordsOf(response)
  const wanted = wordsOf(reference)
  if (given.length === 0 || wanted.length === 0) return given.length === wanted.length ? 1 : 0
  const shared = countShared(countAll(given), countAll(wanted))
  return harmonicMean(shared / given.length, shared / wanted.length)
}

/** rouge_score's words. It knows only ASCII; other alphabets would be no words at all. */
function rougeWords(text: string, isAscii: boolean): string[] {
  const lower = text.toLowerCase()
  if (isAscii) return lower.match(/[a-z0-9]+/g) ?? []
  return lower.replaceAll(UNSPACED_ALL, ' $& ').match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

function commonSubsequence(a: readonly string[], b: readonly string[]): number {
  const row = new Uint32Array(b.length + 1)
  for (const word of a) {
    let diagonal = 0
    for (let at = 1; at <= b.length; at++) {
      const above = row[at]!
      row[at] = word === b[at - 1] ? diagonal + 1 : Math.max(above, row[at - 1]!)
      diagonal = above
    }
  }
  return row[b.length]!
}

/** ROUGE-L's F-measure, as rouge_score computes it without a stemmer. */
export function rougeL(response: string, reference: string): number {
  // oxlint-disable-next-line no-control-regex
  const isAscii = /^[\0-\x7f]*$/.test(reference)
  const given = rougeWords(response, isAscii)
  const wanted = rougeWords(reference, isAscii)
  if (given.length === 0 || wanted.length === 0) return 0
  const common = commonSubsequence(wanted, given)
  return harmonicMean(common / given.length, common / wanted.length)
}

/** sacreBLEU's tokenizer 13a; characters of scripts without spaces stand alone, as in its tokenizer zh. */
function tokenize(text: string): string[] {
  const unescaped = text
    .trimEnd()
    .replaceAll('<skipped>', '')
    .replaceAll('-\n', '')
    .replaceAll('\n', ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
  return ` ${unescaped.replaceAll(UNSPACED_ALL, ' $& ')} `
    .replaceAll(/[{-~[-` -&(-+:-@/]/g, ' $& ')
    .replaceAll(/([^0-9])([.,])/g, '$1 $2 ')
    .replaceAll(/([.,])([^0-9])/g, ' $1 $2')
    .replaceAll(/([0-9])(-)/g, '$1 $2 ')
    .split(/\s+/)
    .filter((token) => token !== '')
}

function gramsOf(items: readonly string[], size: number, joint: string): string[] {
  return Array.from({ length: Math.max(0, items.length - size + 1) }, (_, at) => items.slice(at, at + size).join(joint))
}

const BLEU_ORDER = 4

/** One text and what it may say. */
export interface Sentence {
  response: string
  references: readonly string[]
}

interface GramCounts {
  given: number
  wanted: number
  shared: number
}

function nearestLength(length: number, lengths: readonly number[]): number {
  return lengths.toSorted((a, b) => Math.abs(a - length) - Math.abs(b - length) || a - b)[0] ?? 0
}

/**
 * BLEU as sacreBLEU computes it: 13a, exponential smoothing, closest reference length. With one sentence the orders that it
 * is too short for do not count (`effective_order`).
 */
export function bleu(sentences: readonly Sentence[]): number {
  const orders = Array.from({ length: BLEU_ORDER }, () => ({ given: 0, shared: 0 }))
  let given = 0
  let wanted = 0
  for (const { response, references } of sentences) {
    const tokens = tokenize(response)
    const others = references.map(tokenize)
    given += tokens.length
    wanted += nearestLength(
      tokens.length,
      others.map(({ length }) => length),
    )
    orders.forEach((order, index) => {
      const most = new Map<string, number>()
      for (const other of others)
        for (const [gram, count] of countAll(gramsOf(other, index + 1, ' ')))
          most.set(gram, Math.max(count, most.get(gram) ?? 0))
      order.shared += countShared(countAll(gramsOf(tokens, index + 1, ' ')), most)
      order.given += Math.max(0, tokens.length - index)
    })
  }
  const counted = sentences.length === 1 ? orders.filter((order) => order.given > 0) : orders
  if (counted.every(({ shared }) => shared === 0) || counted.some((order) => order.given === 0)) return 0
  let smoothing = 1
  const logs = counted.map((order) => {
    if (order.shared > 0) return Math.log(order.shared / order.given)
    smoothing *= 2
    return -Math.log(smoothing * order.given)
  })
  const brevity = given < wanted ? Math.exp(1 - wanted / given) : 1
  return Math.min(1, brevity * Math.exp(logs.reduce((sum, log) => sum + log, 0) / counted.length))
}

const CHRF_ORDER = 6
const CHRF_BETA = 2

function countCharacters(response: string, reference: string): GramCounts[] {
  const [given, wanted] = [response, reference].map((text) => [...text.replaceAll(/\s+/g, '')]) as [string[], string[]]
  return Array.from({ length: CHRF_ORDER }, (_, index) => {
    const [a, b] = [gramsOf(given, index + 1, ''), gramsOf(wanted, index + 1, '')]
    return { given: b.length > 0 ? a.length : 0, wanted: b.length, shared: countShared(countAll(a), countAll(b)) }
  })
}

function chrfOf(counts: readonly GramCounts[]): number {
  const used = counts.filter(({ given, wanted }) => given > 0 && wanted > 0)
  if (used.length === 0) return 0
  const precision = used.reduce((sum, { given, shared }) => sum + shared / given, 0) / used.length
  const recall = used.reduce((sum, { wanted, shared }) => sum + shared / wanted, 0) / used.length
  const factor = CHRF_BETA ** 2
  return precision + recall === 0 ? 0 : ((1 + factor) * precision * recall) / (factor * precision + recall)
}

/** chrF2 as sacreBLEU computes it: characters without spaces up to 6, the best reference of each sentence. */
export function chrf(sentences: readonly Sentence[]): number {
  const total = Array.from({ length: CHRF_ORDER }, (): GramCounts => ({ given: 0, wanted: 0, shared: 0 }))
  for (const { response, references } of sentences) {
    const all = references.map((reference) => countCharacters(response, reference))
    const best = all.toSorted((a, b) => chrfOf(b) - chrfOf(a))[0] ?? []
    best.forEach(({ given, wanted, shared }, index) => {
      total[index]!.given += given
      total[index]!.wanted += wanted
      total[index]!.shared += shared
    })
  }
  return Math.min(1, chrfOf(total))
}
