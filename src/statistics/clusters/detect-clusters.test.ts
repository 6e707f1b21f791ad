import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../numbers/random.ts'
import { detectClusters } from './detect-clusters.ts'

/** The rule as it is written, pair by pair, for prompts of plain words: an independent computation. */
function clusterByPairs(prompts: readonly string[]): number[] {
  const gramsOf = prompts.map((prompt) => {
    const words = prompt.toLowerCase().replaceAll(/\d+/g, '#').split(' ')
    if (words.length < 3) return new Set([words.join(' ')])
    return new Set(words.slice(2).map((_, start) => words.slice(start, start + 3).join(' ')))
  })
  const countOf = (gram: string) => gramsOf.filter((grams) => grams.has(gram)).length
  const kept = gramsOf.map((grams) => new Set([...grams].filter((gram) => countOf(gram) <= prompts.length / 2)))
  const clusters = prompts.map((_, index) => index)
  prompts.forEach((prompt, a) =>
    prompts.forEach((other, b) => {
      const shared = [...kept[a]!].filter((gram) => kept[b]!.has(gram)).length
      const isAlike = shared / (kept[a]!.size + kept[b]!.size - shared) >= 0.4
      if (!isAlike && prompt !== other) return
      const [low, high] = [Math.min(clusters[a]!, clusters[b]!), Math.max(clusters[a]!, clusters[b]!)]
      clusters.forEach((cluster, index) => (clusters[index] = cluster === high ? low : cluster))
    }),
  )
  const names = [...new Set(clusters)]
  return clusters.map((cluster) => names.indexOf(cluster))
}

/** Of all pairs of prompts: how many found pairs are true, and how many true pairs are found. */
function compareWithTruth(found: readonly number[], truth: readonly number[]) {
  let [both, inFound, inTruth] = [0, 0, 0]
  for (let a = 0; a < found.length; a++)
    for (let b = 0; b < a; b++) {
      const [isFound, isTrue] = [found[a] === found[b], truth[a] === truth[b]]
      if (isFound && isTrue) both++
      if (isFound) inFound++
      if (isTrue) inTruth++
    }
  return { precision: both / inFound, recall: both / inTruth }
}

const countGrouped = (prompts: readonly string[]) => {
  const found = detectClusters(prompts)
  return [...Map.groupBy(found, (cluster) => cluster).values()].filter(({ length }) => length > 1).flat().length
}

const NAMES = 'Anna Bilal Chen Dora Emeka Farah Goran Hana Ivan Jana Kofi Lena'.split(' ')
const THINGS = 'apples pencils stamps marbles books cups shells coins'.split(' ')

/** Word problems: other names, things and numbers in the same sentences. */
const wordProblems: ((name: string, thing: string, number: () => number) => string)[] = [
  (name, thing, number) =>
    `${name} has ${number()} ${thing} in a box. A friend gives ${name} another ${number()} of them and takes ${number()} away on the next day. How many ${thing} are in the box at the end of the second day?`,
  (name, thing, number) =>
    `A shop sells ${thing} for ${number()} dollars each. ${name} buys ${number()} of them and pays with a note of ${number()} dollars. How much change does the cashier have to give back to the customer?`,
  (name, thing, number) =>
    `${name} packs ${number()} ${thing} into bags that hold ${number()} each. If every full bag is sent to a school and the rest is kept at home, how many ${thing} does the family keep in the end?`,
  (name, thing, number) =>
    `Every morning ${name} walks ${number()} kilometres to the market, and back again by a path that is ${number()} metres longer. Carrying ${number()} ${thing} makes no difference. What distance does that make in a week?`,
  (name, thing, number) =>
    `Two trains leave stations ${number()} miles apart at noon, driving towards each other at ${number()} and ${number()} miles an hour. ${name} sits in the faster one with some ${thing}. At what time do the trains meet?`,
  (name, thing, number) =>
    `The sum of three consecutive numbers is ${number()}. ${name} multiplies the largest of the three by ${number()} and writes it on a card beside the ${thing}. Which number stands on the card?`,
]

/** Tasks around a text, as in suites of translations and summaries: the text is the same, the task or its details differ. */
const TEXTS = [
  'the old lighthouse keeper counted ships until the fog swallowed the harbour and nobody came to relieve him',
  'our quarterly revenue fell by a small margin although the new warehouse in the north opened ahead of schedule',
  'please remember to water the tomato plants twice a day while we are visiting my grandparents in the mountains',
  'the committee postponed its decision on the bridge because two engineers disagreed about the age of the cables',
  'she learned to play the cello at forty and gave her first small concert in a library filled with snow boots',
]
const TASKS = [
  'Translate into French:',
  'Translate into German:',
  'Translate this sentence into Polish:',
  'Summarise in five words:',
]

describe('detectClusters', () => {
  it('finds what comparing every pair finds, for prompts of few words in many mixtures', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'd', 'e', '7', '12')
    const prompt = fc.array(word, { minLength: 1, maxLength: 9 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(fc.array(prompt, { maxLength: 25 }), (prompts) => {
        expect(detectClusters(prompts)).toEqual(clusterByPairs(prompts))
      }),
      { numRuns: 500 },
    )
  })

  it('finds what comparing every pair finds, for long prompts that share parts of all lengths', () => {
    const random = createRandom('clusters')
    const word = () => `w${'abcdefghijklmnop'[Math.floor(random() * 16)]}${'abcdefgh'[Math.floor(random() * 8)]}`
    const parts = Array.from({ length: 8 }, () => Array.from({ length: 5 + Math.floor(random() * 40) }, word))
    const prompts = Array.from({ length: 150 }, () =>
      [...parts[Math.floor(random() * 8)]!, ...Array.from({ length: Math.floor(random() * 60) }, word)].join(' '),
    )
    const found = detectClusters(prompts)
    expect(found).toEqual(clusterByPairs(prompts))
    expect(new Set(found).size).toBeGreaterThan(20)
    expect(new Set(found).size).toBeLessThan(130)
  })

  it('joins from a Jaccard index of .4 on: 2 of 5 trigrams, not 2 of 6; and what a third prompt connects', () => {
    const rest = ['one thing', 'another', 'and a third one here', 'nothing like it']
    expect(detectClusters(['a b c d e', 'a b c d f g h', ...rest])).toEqual([0, 1, 2, 3, 4, 5])
    expect(detectClusters(['a b c d e', 'a b c d f g', ...rest])).toEqual([0, 0, 1, 2, 3, 4])
    expect(detectClusters(['a b c d e f', 'q q q q q', 'c d e f g h', 'e f g h i j', ...rest])).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ])
    expect(detectClusters(['a b c d e f', 'q q q q q', 'b c d e f g', 'c d e f g h', ...rest])).toEqual([
      0, 1, 0, 0, 2, 3, 4, 5,
    ])
  })

  it('reads numbers as one sign, no case and no punctuation; a short prompt is one gram', () => {
    const rest = Array.from({ length: 6 }, (_, index) => `unlike ${'xyzuvw'[index]} ${'mnopqr'[index]} anything`)
    expect(detectClusters(['What is 3 + 4?', 'what is 1,250.5 + 17', ...rest]).slice(0, 3)).toEqual([0, 0, 1])
    expect(detectClusters(['Count 3!', 'count 88', 'Count', ...rest]).slice(0, 4)).toEqual([0, 0, 1, 2])
    expect(detectClusters(["Don't stop me now", 'Dont stop me now', ...rest]).slice(0, 3)).toEqual([0, 0, 1])
  })

  it('takes a character for a word in scripts without blanks', () => {
    const prompts = [
      '小明有3个苹果，又买了5个，一共有几个苹果？',
      '小红有12个苹果，又买了40个，一共有几个苹果？',
      '光合作用发生在植物细胞的哪个部分？',
      '第二次世界大战是哪一年结束的？',
      '请写一首关于秋天的诗。',
    ]
    expect(detectClusters(prompts)).toEqual([0, 0, 1, 2, 3])
  })

  it('is not one cluster: a suite of one template with different contents', () => {
    const capitals = 'France Spain Italy Poland Norway Greece'.split(' ')
    const prompts = capitals.map((name) => `Name the capital city of ${name}. Answer with its name only.`)
    expect(detectClusters(prompts)).toEqual([0, 1, 2, 3, 4, 5])
    expect(detectClusters(['What is 3 + 4?', 'What is 12 + 9?', 'What is 5 + 5?'])).toEqual([0, 1, 2])
  })

  it('is one cluster: the same prompt again, also if all prompts are the same and no 3-gram is left', () => {
    expect(detectClusters(['Say yes or no', 'say  YES or no ', 'Say yes or no'])).toEqual([0, 0, 0])
    expect(detectClusters(['🎲', 'Say yes or no', '🎲'])).toEqual([0, 1, 0])
  })

  it('leaves empty prompts their own, and has nothing to say of none', () => {
    expect(detectClusters(['', ' ', 'Say yes'])).toEqual([0, 1, 2])
    expect(detectClusters([])).toEqual([])
    expect(detectClusters(['Say yes'])).toEqual([0])
    expect(() => detectClusters(['Say yes', undefined as unknown as string])).toThrow(RangeError)
  })

  it('finds word problems with other names, things and numbers: precision 1, recall at least .9', () => {
    const random = createRandom('word problems')
    const draw = <Item>(list: readonly Item[]) => list[Math.floor(random() * list.length)]!
    const prompts = Array.from({ length: 60 }, (_, index) =>
      wordProblems[index % 6]!(draw(NAMES), draw(THINGS), () => 2 + Math.floor(random() * 900)),
    )
    const { precision, recall } = compareWithTruth(
      detectClusters(prompts),
      prompts.map((_, index) => index % 6),
    )
    expect(precision).toBe(1)
    expect(recall).toBeGreaterThanOrEqual(0.9)
  })

  it('finds tasks around the same text, and does not mix texts that share a task: precision and recall 1', () => {
    const prompts = TASKS.flatMap((task) => TEXTS.map((text) => `${task} ${text}.`))
    const truth = TASKS.flatMap(() => TEXTS.map((_, index) => index))
    expect(compareWithTruth(detectClusters(prompts), truth)).toEqual({ precision: 1, recall: 1 })
  })

  it('groups hardly any of 250 unrelated questions that begin alike', () => {
    const random = createRandom('unrelated')
    const syllables = 'ba do ki lu me ra so ti va ne'.split(' ')
    const word = () =>
      Array.from({ length: 2 + Math.floor(random() * 2) }, () => syllables[Math.floor(random() * 10)]).join('')
    const openings = [
      'What is the',
      'Which of the following is the',
      'Who was the first',
      'How does the',
      'Explain why the',
    ]
    const prompts = Array.from(
      { length: 250 },
      (_, index) => `${openings[index % 5]} ${Array.from({ length: 8 + (index % 20) }, word).join(' ')} in the end?`,
    )
    expect(countGrouped(prompts)).toBe(0)
  })
})

const folder = new URL('../../../../shared/data/datasets/', import.meta.url)
const isThere = existsSync(folder)

describe.skipIf(!isThere)(
  `published datasets${isThere ? '' : ' (skipped: the folder with shared data is not there)'}`,
  () => {
    const readText = (name: string) => readFileSync(new URL(name, folder), 'utf8')
    const fieldOf = (name: string, field: string): string[] => {
      const rows = name.endsWith('.csv')
        ? Papa.parse<Record<string, string>>(readText(name), { header: true, skipEmptyLines: true }).data
        : readText(name)
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as Record<string, string>)
      return rows.map((row) => row[field]!)
    }
    it.each([
      ['gsm8k.jsonl', 'question'],
      ['mmlu-stem.jsonl', 'question'],
      ['truthfulqa.csv', 'Question'],
      ['simpleqa.csv', 'problem'],
      ['ifeval.jsonl', 'prompt'],
    ])('groups none of the unrelated prompts of %s', (name, field) => {
      const prompts = fieldOf(name, field)
      expect(prompts.length).toBeGreaterThanOrEqual(24)
      expect(countGrouped(prompts)).toBe(0)
    })

    it('finds the pairs of BIG-Bench Hard that ask for another day of the same story', () => {
      const { examples } = JSON.parse(readText('bbh_date_understanding.json')) as { examples: { input: string }[] }
      const found = detectClusters(examples.map(({ input }) => input))
      for (const [a, b] of [
        [1, 24],
        [3, 15],
        [12, 17],
        [20, 21],
      ] as const)
        expect(found[a]).toBe(found[b])
      expect(new Set(found).size).toBe(20)
    })
  },
)
