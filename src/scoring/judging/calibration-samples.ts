/** A response whose fair score is known, to test a judge. Scores are 0 to 1. */
export interface CalibrationSample {
  id: string
  prompt: string
  response: string
  expectedOutput?: string
  /** For presets that compare the response with a context. */
  context?: string
  expectedScore: number
  tolerance: number
  /** Why the response deserves that score. */
  reason?: string
  /** What may mislead a judge here: `confident and wrong`, `terse but right`, … */
  trap?: string
}

/** Eight samples that any fair judge should agree on: factual, empty, irrelevant and explanatory answers. */
export const defaultCalibrationSamples: readonly CalibrationSample[] = [
  {
    id: 'factual-right',
    prompt: 'What is the capital of France?',
    response: 'The capital of France is Paris.',
    expectedOutput: 'Paris',
    expectedScore: 1,
    tolerance: 0.1,
  },
  {
    id: 'factual-wrong',
    prompt: 'What is the capital of Australia?',
    response: 'The capital of Australia is Sydney.',
    expectedOutput: 'Canberra',
    expectedScore: 0,
    tolerance: 0.15,
  },
  {
    id: 'factual-half',
    prompt: 'Name the two moons of Mars.',
    response: 'Mars has the moon Phobos. I do not recall the other one.',
    expectedOutput: 'Phobos and Deimos',
    expectedScore: 0.5,
    tolerance: 0.2,
  },
  {
    id: 'empty',
    prompt: 'Explain why the sky is blue.',
    response: '',
    expectedOutput:
      'Air molecules scatter short blue wavelengths of sunlight more than long red ones (Rayleigh scattering).',
    expectedScore: 0,
    tolerance: 0.1,
  },
  {
    id: 'irrelevant',
    prompt: 'How do I reverse a list in Python?',
    response: 'Bananas are rich in potassium and make a good snack before a run.',
    expectedOutput: 'Call list.reverse(), or take the slice [::-1] for a reversed copy.',
    expectedScore: 0,
    tolerance: 0.1,
  },
  {
    id: 'explanation-full',
    prompt: 'Why does ice float on water?',
    response:
      'Frozen water molecules are held by hydrogen bonds in an open lattice that takes up more room than the liquid. Ice is therefore about 9 % less dense than water, and so it floats.',
    expectedOutput: 'Hydrogen bonds hold ice in an open lattice, which makes it less dense than liquid water.',
    expectedScore: 1,
    tolerance: 0.15,
  },
  {
    id: 'explanation-shallow',
    prompt: 'Why does ice float on water?',
    response: 'Because ice is lighter than water.',
    expectedOutput: 'Hydrogen bonds hold ice in an open lattice, which makes it less dense than liquid water.',
    expectedScore: 0.5,
    tolerance: 0.2,
  },
  {
    id: 'explanation-wrong',
    prompt: 'Why are there seasons on Earth?',
    response: 'Seasons come about because the Earth is much closer to the Sun in summer than in winter.',
    expectedOutput: "The Earth's axis is tilted, so each hemisphere gets more direct sunlight for half of the year.",
    expectedScore: 0.1,
    tolerance: 0.15,
  },
]
