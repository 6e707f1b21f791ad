/** A simulated model's possible answers to one question, by quality. */
export interface KnownAnswers {
  right: string[]
  /** Right but wordy, or nearly right. */
  half: string[]
  wrong: string[]
}

const HAIKU = 'Soft rain on the roof\nthe cat counts every droplet\nand forgets the sum'
const PERSON = '{"name": "Ada", "age": 36, "city": "London"}'

/** Answers to `examples/first-look/suite.yaml`, by prompt; a test keeps the two in sync. */
export const knownAnswers: Record<string, KnownAnswers> = {
  'What is the capital of Australia? Answer with the name only.': {
    right: ['Canberra'],
    half: ['canberra', 'The capital of Australia is Canberra.'],
    wrong: ['Sydney', 'Melbourne'],
  },
  'What is the capital of Kazakhstan? Answer with the name only.': {
    right: ['Astana'],
    half: ['It is Astana.'],
    wrong: ['Almaty'],
  },
  'Who wrote Middlemarch? Answer with the name only.': {
    right: ['George Eliot'],
    half: ['George Eliot (Mary Ann Evans)'],
    wrong: ['Jane Austen', 'Thomas Hardy'],
  },
  'Which chemical element has the symbol W? Answer with the name only.': {
    right: ['Tungsten'],
    half: ['It is tungsten, also called wolfram.'],
    wrong: ['Vanadium', 'Xenon'],
  },
  'Name the largest ocean. Answer with the name only.': {
    right: ['Pacific Ocean'],
    half: ['pacific ocean', 'The Pacific'],
    wrong: ['Atlantic Ocean'],
  },
  'In which year did people first walk on the Moon?': {
    right: ['1969', 'People first walked on the Moon in 1969.'],
    half: ['1970'],
    wrong: ['1959'],
  },
  'State the Avogadro constant in 1/mol.': {
    right: ['6.02214076 × 10^23', 'About 6.022e23 per mole.'],
    half: ['Roughly 6.2 × 10^23'],
    wrong: ['6.02 × 10^22'],
  },
  'What is the speed of light in vacuum, in km/s?': {
    right: ['299,792.458 km/s'],
    half: ['About 310,000 km/s'],
    wrong: ['186,282'],
  },
  '1,000 dollars earn 5 % a year, compounded yearly. What is the balance after 10 years?': {
    right: ['After 10 years the balance is $1,628.89.'],
    half: ['About $1,550.'],
    wrong: ['10 × 50 = 500, so 500 dollars.'],
  },
  'A train travels 2 h 30 min at 96 km/h. How far does it go, in km?': {
    right: ['2.5 × 96 = 240 km'],
    half: ['2.3 × 96 = 220.8 km'],
    wrong: ['2 × 96 = 192 km'],
  },
  'A price rises from 80 to 92. By how many per cent?': { right: ['15%'], half: ['About 14 %'], wrong: ['12%'] },
  'What is the area of a right triangle with legs 7 and 12?': {
    right: ['7 · 12 / 2 = 42'],
    half: ['43'],
    wrong: ['84'],
  },
  'Is 221 a prime number? Explain briefly.': {
    right: ['No: 221 = 13 × 17.'],
    half: ['No, it is not.'],
    wrong: ['Yes, 221 is prime.'],
  },
  'Write 5 March 2024 as an ISO 8601 date.': {
    right: ['2024-03-05'],
    half: ['2024-03-05.'],
    wrong: ['05-03-2024', '2024-05-03'],
  },
  'Give any version 4 UUID.': {
    right: ['3f2b8c1e-9d47-4a6b-8e21-5c7d9f0a1b2c'],
    half: ['3f2b8c1e-9d47-1a6b-8e21-5c7d9f0a1b2c'],
    wrong: ['123e4567-e89b'],
  },
  'Write a haiku about rain. Three lines, nothing else.': {
    right: [HAIKU],
    half: [`Here is a haiku:\n\n${HAIKU}`],
    wrong: ['Rain falls gently down on everyone today.'],
  },
  'A customer asks for a refund after 90 days; the limit is 30. Decline politely without the word "sorry".': {
    right: [
      'Thank you for writing. Refunds are open for 30 days, so this one is past the limit; I can offer store credit.',
    ],
    half: ['Unfortunately the 30 days are over.'],
    wrong: ['I am sorry, but we cannot refund this.'],
  },
  'Extract as JSON with the keys name, age and city: "Ada, 36, lives in London."': {
    right: [PERSON, `\`\`\`json\n${PERSON}\n\`\`\``],
    half: ['{"name": "Ada", "age": "36", "city": "London"}'],
    wrong: ['Ada is 36 and lives in London.'],
  },
  'Extract as JSON {"items": [{"sku", "quantity"}]}: "Two of A-17 and one of C-04, please."': {
    right: ['{"items": [{"sku": "A-17", "quantity": 2}, {"sku": "C-04", "quantity": 1}]}'],
    half: ['{"items": [{"sku": "A-17", "quantity": 2}, {"sku": "C04", "quantity": 1}]}'],
    wrong: ['{"items": [{"sku": "A-17", "quantity": 2}]}'],
  },
  'Give the languages named in "We use Rust, Go and Python" as a JSON list in the order named.': {
    right: ['["Rust", "Go", "Python"]'],
    half: ['["Go", "Rust", "Python"]'],
    wrong: ['Rust, Go, Python'],
  },
  'Return a JSON event with a title (text), a start (date-time) and attendees (at least one e-mail address).': {
    right: ['{"title": "Review", "start": "2024-03-05T10:00:00Z", "attendees": ["ada@example.org"]}'],
    half: ['{"title": "Review", "start": "5 March, 10 am", "attendees": ["ada@example.org"]}'],
    wrong: ['Review, 5 March, 10 am, with Ada'],
  },
  'All glims are blue. Some blue things are round. Must some glims be round?\nA) Yes  B) No  C) Only if all blue things are round':
    {
      right: ['B', 'The answer is (B): the round blue things need not be glims.'],
      half: ['B or C'],
      wrong: ['A'],
    },
  'Today is Wednesday. Which day is it 100 days from now?\nA) Thursday  B) Friday  C) Saturday  D) Sunday': {
    right: ['**B) Friday**', '100 = 14 × 7 + 2, so two days after Wednesday.\n\nAnswer: B'],
    half: ['Two days after Wednesday.'],
    wrong: ['Answer: A'],
  },
  'A bat and a ball cost 1.10 together; the bat costs 1.00 more than the ball. What does the ball cost?\nA) 0.10  B) 0.05  C) 0.01':
    {
      right: ['B', 'Let x be the ball: 2x + 1 = 1.10, so x = 0.05. The answer is B.'],
      half: ['The ball costs 0.05.'],
      wrong: ['A'],
    },
  'Translate into French: "The library opens at nine."': {
    right: ['La bibliothèque ouvre à neuf heures.'],
    half: ['La bibliothèque ouvre à 9 heures.'],
    wrong: ['La librairie ouvre à neuf.'],
  },
  'What is the plural of "criterion"? Answer with the word only.': {
    right: ['criteria'],
    half: ['Criteria'],
    wrong: ['criterions'],
  },
  'Write "benchmark" backwards, nothing else.': { right: ['kramhcneb'], half: ['kramhcenb'], wrong: ['bench-mark'] },
  'Sort alphabetically, separated by single spaces: pear apple fig date': {
    right: ['apple date fig pear'],
    half: ['apple, date, fig, pear'],
    wrong: ['pear fig date apple'],
  },
  'In one sentence of at most 20 words, say why the sky is blue. Use the word "scatter" or "scattering".': {
    right: ['Air molecules scatter short blue wavelengths of sunlight far more than long red ones.'],
    half: [
      'The sky is blue because of Rayleigh scattering, which is the process in which light of shorter wavelength is deflected more strongly by the molecules of the air than light of longer wavelength is.',
    ],
    wrong: ['Because it reflects the ocean.'],
  },
  'What does FizzBuzz print for 15? Answer with the word only.': {
    right: ['FizzBuzz'],
    half: ['It prints FizzBuzz.'],
    wrong: ['Fizz', 'Buzz'],
  },
}
