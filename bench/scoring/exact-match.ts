/**
 * Time per pair, compared with bare fastest-levenshtein on the same texts in the same run: the similarity step, the whole
 * exact match (with trimming, Unicode, case and containment), the bare call as an async function, which shows the cost
 * of a promise, and the library's async function, which sends long texts to another thread.
 * Run: `node bench/scoring/exact-match.ts [maximum text length]`
 *
 * All pairs differ and have equal length, so that no early rule decides: every step runs and the whole distance is
 * computed, which is the worst case. `unlike` pairs are random letters; `alike` pairs differ in every tenth letter, so
 * that the first letter does not distinguish them; `accents` and `cyrillic` pairs are alike too, in other letters.
 */
import { distance } from 'fastest-levenshtein'
import { startScoring } from '../../src/runner/index.ts'
import { compareTexts, scoreSimilarity } from '../../src/scoring/exact-match.ts'
import { createRandom } from '../../src/statistics/index.ts'
import { formatTime } from '../measure.ts'

type Pair = readonly [string, string]

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

/** A function under test; awaited ones are timed in a separate loop, because `await` would slow down the others too. */
interface Subject {
  compare(response: string, expected: string): unknown
  awaited?: boolean
}

async function timeCalls({ compare, awaited }: Subject, pairs: Pair[], calls: number): Promise<number> {
  const start = performance.now()
  if (awaited)
    for (let call = 0; call < calls; call++) {
      const pair = pairs[call % pairs.length]!
      await compare(pair[0], pair[1])
    }
  else
    for (let call = 0; call < calls; call++) {
      const pair = pairs[call % pairs.length]!
      compare(pair[0], pair[1])
    }
  return (performance.now() - start) / calls
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** The number of calls that take about two milliseconds, after warm-up: the first calls are many times slower. */
async function findBatch(subject: Subject, pairs: Pair[]): Promise<number> {
  let calls = 1
  for (let spent = 0; spent < 200;) {
    const time = (await timeCalls(subject, pairs, calls)) * calls
    spent += time
    if (time < 2) calls *= 2
    else if (time > 4 && calls > 1) calls /= 2
  }
  return calls
}

/** Runs batches in turn, so that other load affects all equally. Ratios are to the first subject in the same round. */
async function timeInTurn(subjects: Subject[], pairs: Pair[]): Promise<{ time: number; ratio: number }[]> {
  const batches: number[] = []
  for (const subject of subjects) batches.push(await findBatch(subject, pairs))
  const rounds = batches[0] === 1 ? 15 : 300
  const times: number[][] = subjects.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, subject] of subjects.entries())
      times[index]!.push(await timeCalls(subject, pairs, batches[index]!))
  return times.map((batchTimes) => ({
    time: median(batchTimes),
    ratio: median(batchTimes.map((time, round) => time / times[0]![round]!)),
  }))
}

const { scoreExactMatch } = startScoring()
const subjects: Subject[] = [
  { compare: distance },
  { compare: scoreSimilarity },
  { compare: compareTexts },
  { compare: async (response, expected) => ({ score: distance(response, expected) }), awaited: true },
  { compare: scoreExactMatch, awaited: true },
]
const maxLength = Number(process.argv[2] ?? 20_000)

console.log(
  'characters  pairs     bare        similarity step       whole exact match     bare, awaited         scoreExactMatch()',
)
for (const length of [20, 200, 2000, 20_000].filter((characters) => characters <= maxLength))
  for (const [kind, draw] of Object.entries(kinds)) {
    const pairs = Array.from({ length: 64 }, () => draw(length))
    const [bare, ...ours] = await timeInTurn(subjects, pairs)
    const cells = ours.map(({ time, ratio }) =>
      `${formatTime(time).padEnd(10)} ${ratio.toFixed(2).padStart(5)} ×`.padEnd(20),
    )
    console.log([String(length).padStart(10), kind.padEnd(8), formatTime(bare!.time).padEnd(10), ...cells].join('  '))
  }
