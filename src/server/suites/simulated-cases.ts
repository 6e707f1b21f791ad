import type { GenerateCasesRequest } from '../../contract/index.ts'

interface SimulatedCase {
  id: string
  prompt: string
  scoringMethod: string
  expectedOutput: string
  metadata: { category: string; difficulty: string; tags: string[] }
  [option: string]: unknown
}

type Template = (
  number: number,
  topic: string,
) => Pick<SimulatedCase, 'prompt' | 'scoringMethod' | 'expectedOutput'> & Record<string, unknown>

/** Operands for arithmetic that the simulated models can do. */
function drawOperands(number: number): [a: number, b: number] {
  return [17 + number * 6, 5 + ((number * 7) % 23)]
}

const TEMPLATES: Record<string, Template> = {
  'numeric-tolerance': (number, topic) => {
    const [a, b] = drawOperands(number)
    return {
      prompt: `About ${topic}: one order has ${a} pieces, another ${b}. What is ${a} + ${b}?`,
      scoringMethod: 'numeric-tolerance',
      expectedOutput: String(a + b),
      tolerance: 0,
      answer: 'last',
    }
  },
  'exact-match': (number, topic) => {
    const [a, b] = drawOperands(number)
    return {
      prompt: `About ${topic}: what is ${a} times ${b}? Answer with the number only.`,
      scoringMethod: 'exact-match',
      expectedOutput: String(a * b),
      partial: false,
    }
  },
  'regex-match': (number, topic) => {
    const [a, b] = drawOperands(number)
    return {
      prompt: `About ${topic}: what is ${a} minus ${b}? Answer with the number only.`,
      scoringMethod: 'regex-match',
      expectedOutput: `^\\s*${a - b}\\s*$`,
    }
  },
  boolean: (number, topic) => {
    const [a, b] = drawOperands(number)
    return {
      prompt: `About ${topic}: add ${a} + ${b} and name the result.`,
      scoringMethod: 'boolean',
      expectedOutput: String(a + b),
    }
  },
  'llm-judge': (number, topic) => ({
    prompt: `Explain point ${number + 1} of ${topic} to a beginner.`,
    scoringMethod: 'llm-judge',
    expectedOutput: 'The main point first, then one reason and one example.',
  }),
}

const MIX = ['numeric-tolerance', 'exact-match', 'regex-match', 'llm-judge']
const DIFFICULTIES = ['easy', 'medium', 'hard']

/** The cases that the simulated models "write": from templates, deterministic, and tagged as simulated. */
export function writeSimulatedCases({ description, count, scoringMethod }: GenerateCasesRequest): {
  testCases: SimulatedCase[]
  leftOut: string[]
} {
  if (scoringMethod !== undefined && !Object.hasOwn(TEMPLATES, scoringMethod))
    return {
      testCases: [],
      leftOut: [
        `The simulated models cannot write cases for ${scoringMethod}, only for ${Object.keys(TEMPLATES).join(', ')}. A real model can write any.`,
      ],
    }
  const topic = description.replaceAll(/\s+/g, ' ').trim().slice(0, 60)
  const testCases = Array.from({ length: count }, (_, index) => ({
    id: `simulated-${index + 1}`,
    ...TEMPLATES[scoringMethod ?? MIX[index % MIX.length]!]!(index, topic),
    metadata: { category: 'generated', difficulty: DIFFICULTIES[index % DIFFICULTIES.length]!, tags: ['simulated'] },
  }))
  return { testCases, leftOut: [] }
}
