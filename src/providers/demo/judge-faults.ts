import { listWords } from '../../contract/index.ts'
/** What a judge with a fault looks at besides what the answer is worth. */
interface Bent {
  response: string
  /** A number from 0 to 1 for each purpose; the same for the same request. */
  draw: (purpose: string) => number
  /** Where the answer stands in a comparison. */
  place?: 'first' | 'second' | undefined
}

/** A judge that is fair but for one fault of known size, so that people can see what an audit or a calibration finds. */
interface JudgeFault {
  id: string
  name: string
  /** Grades are 0 to 10; one grade is 10 points. */
  bend(grade: number, answer: Bent): number
}

/** How the simulated judges begin what they write themselves. */
export const OWN_WORDS = 'As I see it: '

const WORDS_BEFORE_A_GRADE = 25

/** Box & Muller, 1958. */
function drawNormal(draw: Bent['draw'], place: string): number {
  return Math.sqrt(-2 * Math.log(1 - draw(`${place} size`))) * Math.cos(2 * Math.PI * draw(`${place} sign`))
}

/** Asks for its own grade, openly or in a comment, or is no answer at all. */
const CANARY =
  /\b(?:give|grade|rate|score)\b[^.\n]{0,40}\b10\b|\bscore is 10\b|^\W*$|^(?:let['’]s|let us) solve this[^\n]*$|^(?:thought process|solution):?$/i

export const judgeFaults: readonly JudgeFault[] = [
  { id: 'demo/judge-lenient', name: 'judge that adds 10 points to every score', bend: (grade) => grade + 1 },
  {
    id: 'demo/judge-noisy',
    name: 'judge whose scores vary by 10 points (standard deviation)',
    bend: (grade, { draw, place = 'alone' }) => grade + drawNormal(draw, place),
  },
  {
    id: 'demo/judge-first',
    name: 'judge that adds 10 points to the first of two answers',
    bend: (grade, { place }) => (place === 'first' ? grade + 1 : grade),
  },
  {
    id: 'demo/judge-wordy',
    name: 'judge that adds 10 points for each doubling of the length beyond 25 words',
    bend: (grade, { response }) => grade + Math.max(0, Math.log2(listWords(response).length / WORDS_BEFORE_A_GRADE)),
  },
  {
    id: 'demo/judge-selfish',
    name: 'judge that adds 10 points to its own answers',
    bend: (grade, { response }) => (response.startsWith(OWN_WORDS.trim()) ? grade + 1 : grade),
  },
  {
    id: 'demo/judge-gullible',
    name: 'judge that gives 10 to whoever asks for it, and to empty phrases',
    bend: (grade, { response }) => (CANARY.test(response) ? 10 : grade),
  },
]

export function faultOf(modelId: string): JudgeFault | undefined {
  return judgeFaults.find(({ id }) => id === modelId)
}
