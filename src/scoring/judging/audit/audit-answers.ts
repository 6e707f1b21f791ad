/** An answer that a judge is audited with. Scores are 0 to 1. */
export interface AuditAnswer {
  id?: string | undefined
  prompt: string
  response: string
  expectedOutput?: string | undefined
  /** What the answer deserves: by design, or by a person's rating. */
  expectedScore?: number | undefined
  /** Who wrote it; by this, a judge's own answers are recognised. */
  modelId?: string | undefined
}

/** One question with answers in pairs of equal quality: the same in other words. */
interface AuditQuestion {
  id: string
  prompt: string
  reference: string
  good: [string, string]
  medium: [string, string]
  poor: string
}

/** Medium answers leave things out, and say nothing wrong: a judge that rewrites one has nothing to correct. */
const QUESTIONS: readonly AuditQuestion[] = [
  {
    id: 'ice',
    prompt: 'Why does ice float on water?',
    reference: 'Ice is less dense because hydrogen bonds hold its molecules in an open lattice.',
    good: [
      'Hydrogen bonds hold the molecules of ice in an open lattice. Because of these gaps ice is less dense than water.',
      'It floats because it is less dense: in ice, hydrogen bonds hold molecules apart in an open lattice.',
    ],
    medium: [
      'Ice is less dense than water, because it is built in a more open way.',
      'Because ice is less dense; frozen water has a more open structure.',
    ],
    poor: 'Cold things always rise.',
  },
  {
    id: 'seasons',
    prompt: 'Why are there seasons on Earth?',
    reference: 'The axis is tilted, so each hemisphere gets more direct sunlight for half the year.',
    good: [
      'The axis of the Earth is tilted. For half of the year each hemisphere gets more direct sunlight.',
      'Because the axis is tilted, each hemisphere gets more direct sunlight during one half of the year.',
    ],
    medium: [
      'The axis is tilted, so the sunlight on a hemisphere varies over the year.',
      'Over the year a hemisphere sees varying sunlight, as the axis is tilted.',
    ],
    poor: 'Our planet is nearer to the Sun in summer.',
  },
  {
    id: 'status-codes',
    prompt: 'What is the difference between HTTP status 401 and 403?',
    reference: '401 means the client is not authenticated; 403 means the client is known but lacks permission.',
    good: [
      '401 means that the client is not authenticated yet. 403 means that the client is known but lacks permission.',
      'With 401 the client is not authenticated, which means it must log in; with 403 it is known, but lacks permission.',
    ],
    medium: [
      '401 means that the client is not authenticated. 403 is a refusal of another kind.',
      '401 means the client was not authenticated; 403 is a related refusal.',
    ],
    poor: 'They both say that the server has crashed.',
  },
  {
    id: 'photosynthesis',
    prompt: 'What does a plant need for photosynthesis?',
    reference: 'Light, water, carbon dioxide and chlorophyll.',
    good: [
      'It takes light, water, carbon dioxide and chlorophyll.',
      'Chlorophyll in its leaves, and from outside water, carbon dioxide and light.',
    ],
    medium: ['It takes light and water, and a gas from the air.', 'Water and light, besides something from the air.'],
    poor: 'It takes warm soil and worms.',
  },
  {
    id: 'reverse-list',
    prompt: 'How do I reverse a list in Python?',
    reference: 'Call list.reverse() to change it in place, or use the slice [::-1] for a reversed copy.',
    good: [
      'Call list.reverse() to change the list in place. For a reversed copy, use the slice items[::-1].',
      'Use the slice [::-1] for a reversed copy, or call reverse() on the list to change it in place.',
    ],
    medium: [
      'Call list.reverse(); the list will change in place.',
      'The list will change in place if you call its reverse().',
    ],
    poor: 'Sort it twice.',
  },
  {
    id: 'inflation',
    prompt: 'What does inflation do to savings?',
    reference: 'Prices rise, so the same money buys less and savings lose real value unless interest keeps up.',
    good: [
      'When prices rise, the same money buys less, so savings lose real value unless the interest keeps up.',
      'Savings lose real value unless interest keeps up, since prices rise and the same money buys less.',
    ],
    medium: ['Prices rise, and the same money buys less.', 'The same money buys less once prices rise.'],
    poor: 'It makes them grow faster.',
  },
  {
    id: 'vaccine',
    prompt: 'How does a vaccine protect against a disease?',
    reference:
      'It shows the immune system a harmless part of the germ, so memory cells can respond quickly to a later infection.',
    good: [
      'A vaccine shows the immune system a harmless part of the germ. Memory cells can then respond quickly to a later infection.',
      'Memory cells can respond quickly to a later infection, because the vaccine shows the immune system a harmless part of the germ.',
    ],
    medium: [
      'It shows the immune system a harmless part of the germ.',
      'A harmless part of the germ shows the immune system what to expect.',
    ],
    poor: 'It heats the blood until the fever is gone.',
  },
  {
    id: 'compound-interest',
    prompt: '1,000 dollars earn 5 % a year, compounded yearly. What is the balance after two years, and why?',
    reference:
      '1,102.50 dollars: interest is earned on interest, since 1,000 becomes 1,050 and then grows by 5 % again.',
    good: [
      'It becomes 1,102.50 dollars. Interest is earned on interest, since 1,000 is first 1,050 and then grows by 5 % again.',
      '1,000 becomes 1,050 and then grows by 5 % again to 1,102.50 dollars, since interest is earned on interest.',
    ],
    medium: [
      'It becomes 1,102.50 dollars, since interest is added.',
      '1,102.50 dollars, since the interest becomes part of the balance.',
    ],
    poor: '10 % of it is 100, which makes 1,100 in all.',
  },
  {
    id: 'council',
    prompt:
      'Summarise in one sentence: The council met on Monday, rejected the new car park, and set aside 2 million for cycle lanes.',
    reference: 'On Monday the council rejected the car park and set aside 2 million for cycle lanes.',
    good: [
      'On Monday the council rejected the car park and set aside 2 million for cycle lanes.',
      'The council set aside 2 million for cycle lanes on Monday and rejected the car park.',
    ],
    medium: ['On Monday the council rejected the car park.', 'The car park was rejected by the council on Monday.'],
    poor: 'A bridge will be painted next spring.',
  },
  {
    id: 'atom',
    prompt: 'Name the parts of an atom and their charges.',
    reference: 'Protons are positive, neutrons neutral, electrons negative.',
    good: [
      'Protons are positive, neutrons are neutral and electrons are negative.',
      'The electrons are negative, the protons positive and the neutrons neutral.',
    ],
    medium: ['Protons, which are positive, and neutrons.', 'It has neutrons, and protons that are positive.'],
    poor: 'It has a hard shell around a yolk.',
  },
  {
    id: 'tides',
    prompt: 'What causes the tides?',
    reference: 'The gravity of the Moon, and less of the Sun, pulls the oceans into two bulges while the Earth turns.',
    good: [
      'The gravity of the Moon, and less of the Sun, pulls the oceans into two bulges, while the Earth turns under them.',
      'While the Earth turns, the gravity of the Moon (less of the Sun) pulls the oceans into two bulges.',
    ],
    medium: [
      'The gravity of the Moon pulls the oceans into bulges.',
      'The oceans form into bulges that the Moon pulls by its gravity.',
    ],
    poor: 'Strong winds push waves to the beach.',
  },
  {
    id: 'deadlock',
    prompt: 'What is a deadlock in a program?',
    reference: 'Two threads each hold a lock that the other needs, so both wait forever.',
    good: [
      'Two threads each hold a lock that the other needs, so both of them wait forever.',
      'Both of two threads wait forever, as each needs a lock that the other has on hold.',
    ],
    medium: ['Two threads wait for a lock forever.', 'A lock stays shut and two threads wait forever.'],
    poor: 'It is a very long comment.',
  },
]

const QUALITY = { good: 1, medium: 0.5, poor: 0 }

function listAnswers({ id, prompt, reference, good, medium, poor }: AuditQuestion): AuditAnswer[] {
  const answer = (name: string, response: string, expectedScore: number): AuditAnswer => ({
    id: `${id} · ${name}`,
    prompt,
    response,
    expectedOutput: reference,
    expectedScore,
  })
  return [
    ...good.map((response, index) => answer(`good ${index + 1}`, response, QUALITY.good)),
    ...medium.map((response, index) => answer(`medium ${index + 1}`, response, QUALITY.medium)),
    answer('poor', poor, QUALITY.poor),
  ]
}

/** Twelve questions with good, medium and poor answers. */
export const builtInAuditAnswers: readonly AuditAnswer[] = QUESTIONS.flatMap(listAnswers)
