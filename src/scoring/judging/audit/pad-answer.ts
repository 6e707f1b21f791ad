import { shuffle } from './choose-answers.ts'

/** Sentences that say nothing about any subject. */
const FILLER = [
  'Thank you for asking such an interesting question.',
  'I am happy to share my thoughts on this topic.',
  'It is a subject that many people wonder about.',
  'Let me explain my reasoning with care.',
  'I have looked at the matter from several angles.',
  'To summarise what I wrote, my answer stands as given.',
  'There is plenty to say about it, and experts have written about it at length.',
  'As stated earlier, the above is my answer to the question.',
  'I hope that this response is helpful and clear.',
  'Please feel free to ask for further detail.',
  'All things considered, my answer remains what I said.',
  'In my view, this is a fair description of the matter.',
  'It is always worth taking a moment to think about such questions.',
  'With that in mind, I am confident about what I wrote.',
]

const FEWEST_WORDS = 60
const MOST_WORDS = 300

const countWords = (text: string) => text.match(/\S+/g)?.length ?? 0

/** The same answer between sentences that say nothing: at least 60 words, and as many as the answer has, up to 300. */
export function padAnswer(answer: string, random: () => number): string {
  const wanted = Math.min(MOST_WORDS, Math.max(FEWEST_WORDS, countWords(answer)))
  const sentences: string[] = []
  let words = 0
  while (words < wanted) {
    for (const sentence of shuffle(FILLER, random)) {
      if (words >= wanted) break
      sentences.push(sentence)
      words += countWords(sentence)
    }
  }
  const before = Math.floor(sentences.length / 3)
  return `${sentences.slice(0, before).join(' ')}\n\n${answer}\n\n${sentences.slice(before).join(' ')}`
}
