/**
 * Time per pair beside fastest-levenshtein called bare on the same texts in the same run: of the similarity step, of the
 * whole exact match (with trimming, Unicode, case and containment), and of the library's function, which sends long texts
 * to another thread. Run: `node bench/scoring/exact-match.ts`
 */
import { distance } from 'fastest-levenshtein'
import { startScoring } from '../../src/runner/index.ts'
import { compareTexts, scoreSimilarity } from '../../src/scoring/exact-match.ts'
import { createRandom } from '../../src/statistics/index.ts'
import { compareTimes, formatTime } from '../measure.ts'

const random = createRandom('bench')
const text = (length: number) => Array.from({ length }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('')
const { scoreExactMatch } = startScoring()

console.log('characters  bare        similarity step       whole exact match     scoreExactMatch()')
for (const length of [20, 200, 2000, 20_000]) {
  const pairs = Array.from({ length: 64 }, () => [text(length), text(length)] as const)
  let next = 0
  const pair = () => pairs[next++ % pairs.length]!
  const cells: string[] = []
  for (const compare of [scoreSimilarity, compareTexts, scoreExactMatch]) {
    const { ours, bare, ratio } = await compareTimes(
      () => {
        const [a, b] = pair()
        return compare(a, b)
      },
      () => {
        const [a, b] = pair()
        return distance(a, b)
      },
    )
    if (cells.length === 0) cells.push(formatTime(bare).padEnd(10))
    cells.push(`${formatTime(ours).padEnd(10)} ${ratio.toFixed(2).padStart(5)} ×`.padEnd(20))
  }
  console.log(`${String(length).padStart(10)}  ${cells.join('  ')}`)
}
