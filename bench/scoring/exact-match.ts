/**
 * Time per pair beside fastest-levenshtein called bare on the same texts in the same run: of the similarity step, of the
 * whole exact match (with trimming, Unicode, case and containment), and of the library's function, which sends long texts
 * to another thread. Run: `node bench/scoring/exact-match.ts [longest text]`
 *
 * All pairs differ and are of equal length, so that no early row of the table decides: every step is gone through and the whole
 * distance is computed, which is the most work there is. `unlike` are random letters; `alike` have every tenth letter changed,
 * so that a look at the first letter does not tell them apart; `accents` and `cyrillic` are alike too, in other letters.
 */
import { distance } from 'fastest-levenshtein'
import { startScoring } from '../../src/runner/index.ts'
import { compareTexts, scoreSimilarity } from '../../src/scoring/exact-match.ts'
import { createRandom } from '../../src/statistics/index.ts'
import { formatTime } from '../measure.ts'

type Pair = readonly [string, string]
type Compare = (response: string, expected: string) => unknown

const random = createRandom('bench')
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

function drawText(length: number, alphabet = LETTERS): string {
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
}

function drawAlike(length: number, alphabet = LETTERS): Pair {
  const text = drawText(length, alphabet)
  return [text.replaceAll(/(.{9})./g, '$1-'), text]
}

const kinds: Record<string, (length: number) => Pair> = {
  unlike: (length) => [drawText(length), drawText(length)],
  alike: (length) => drawAlike(length),
  accents: (length) => drawAlike(length, 'àbçdéfghîjklmñöpqrßtúvwxýz'),
  cyrillic: (length) => drawAlike(length, 'абвгдежзиклмнопрстуфхцчшщыьэюя'),
}

async function timePairs(compare: Compare, pairs: Pair[], calls: number): Promise<number> {
  const start = performance.now()
  for (let call = 0; call < calls; call++) {
    const [response, expected] = pairs[call % pairs.length]!
    const result = compare(response, expected)
    if (result instanceof Promise) await result
  }
  return (performance.now() - start) / calls
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Medians, in milliseconds, over batches of some milliseconds taken in turn, so that whatever else the machine does meets all alike. */
async function timeInTurn(compares: Compare[], pairs: Pair[]): Promise<number[]> {
  const calls = Math.ceil(2 / (await timePairs(compares[0]!, pairs, 64)))
  const times: number[][] = compares.map(() => [])
  const rounds = calls === 1 ? 15 : 300
  for (let round = 0; round < rounds; round++) for (const [index, compare] of compares.entries()) times[index]!.push(await timePairs(compare, pairs, calls))
  return times.map(median)
}

const { scoreExactMatch } = startScoring()
const longest = Number(process.argv[2] ?? 20_000)

console.log('characters  pairs     bare        similarity step       whole exact match     scoreExactMatch()')
for (const length of [20, 200, 2000, 20_000].filter((characters) => characters <= longest))
  for (const [kind, draw] of Object.entries(kinds)) {
    const pairs = Array.from({ length: 64 }, () => draw(length))
    const [bare = 0, ...ours] = await timeInTurn([distance, scoreSimilarity, compareTexts, scoreExactMatch], pairs)
    const cells = ours.map((time) => `${formatTime(time).padEnd(10)} ${(time / bare).toFixed(2).padStart(5)} ×`.padEnd(20))
    console.log([String(length).padStart(10), kind.padEnd(8), formatTime(bare).padEnd(10), ...cells].join('  '))
  }
