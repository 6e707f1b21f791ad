/**
 * Time per pair beside fastest-levenshtein called bare on the same texts in the same run: of the similarity step, of the
 * whole exact match (with trimming, Unicode, case and containment), of the bare call as an async function, which shows what a
 * promise costs, and of the library's async function, which sends long texts to another thread. Run: `node bench/scoring/exact-match.ts [longest text]`
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

/** A function under test; one whose promise is awaited is timed in a loop of its own, for `await` costs others time too. */
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

/** As many calls as take about two milliseconds, counted when the function has been compiled: the first calls are many times slower. */
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

/** Batches in turn, so that whatever else the machine does meets all alike. Each is set beside the first subject's of the same turn. */
async function timeInTurn(subjects: Subject[], pairs: Pair[]): Promise<{ time: number; ratio: number }[]> {
  const batches: number[] = []
  for (const subject of subjects) batches.push(await findBatch(subject, pairs))
  const rounds = batches[0] === 1 ? 15 : 300
  const times: number[][] = subjects.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, subject] of subjects.entries())
      times[index]!.push(await timeCalls(subject, pairs, batches[index]!))
  return times.map((own) => ({ time: median(own), ratio: median(own.map((time, round) => time / times[0]![round]!)) }))
}

const { scoreExactMatch } = startScoring()
const subjects: Subject[] = [
  { compare: distance },
  { compare: scoreSimilarity },
  { compare: compareTexts },
  { compare: async (response, expected) => ({ score: distance(response, expected) }), awaited: true },
  { compare: scoreExactMatch, awaited: true },
]
const longest = Number(process.argv[2] ?? 20_000)

console.log(
  'characters  pairs     bare        similarity step       whole exact match     bare, awaited         scoreExactMatch()',
)
for (const length of [20, 200, 2000, 20_000].filter((characters) => characters <= longest))
  for (const [kind, draw] of Object.entries(kinds)) {
    const pairs = Array.from({ length: 64 }, () => draw(length))
    const [bare, ...ours] = await timeInTurn(subjects, pairs)
    const cells = ours.map(({ time, ratio }) =>
      `${formatTime(time).padEnd(10)} ${ratio.toFixed(2).padStart(5)} ×`.padEnd(20),
    )
    console.log([String(length).padStart(10), kind.padEnd(8), formatTime(bare!.time).padEnd(10), ...cells].join('  '))
  }
