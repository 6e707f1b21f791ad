import type { CalibrationSet } from './calibration-set.ts'

const WARRANTY =
  'The kettle has a warranty of two years from the date of purchase. It covers faults in material and manufacture. It does not cover limescale or damage from dropping. Keep the receipt. Repairs take about ten working days.'

const ISLAND =
  'Marrow Island has 340 inhabitants and one school. The ferry runs twice a day, except in storms. There is no hospital; a nurse visits on Wednesdays. Most families live from fishing, and since 2019 some rent rooms to guests.'

/** For the preset faithfulness: every sample has a context, and only what it supports counts. */
export const faithfulness: CalibrationSet = {
  name: 'faithfulness',
  version: 'faithfulness/1',
  title: 'Faithfulness',
  summary: 'Answers from a given context: supported, embellished, contradicted and honestly incomplete ones',
  samples: [
    {
      id: 'faithfulness-supported',
      prompt: 'How long is the warranty, and what does it not cover?',
      context: WARRANTY,
      response: 'Two years from the date of purchase. Limescale and damage from dropping are not covered.',
      expectedScore: 1,
      tolerance: 0.1,
      reason: 'Every claim is in the context.',
    },
    {
      id: 'faithfulness-not-in-context',
      prompt: 'Does the warranty cover accidental water damage?',
      context: WARRANTY,
      response:
        'The text does not mention water damage, so I cannot tell. It covers faults in material and manufacture.',
      expectedScore: 1,
      tolerance: 0.1,
      trap: 'proper refusal',
      reason: 'It says what the context leaves open instead of filling the gap.',
    },
    {
      id: 'faithfulness-true-elsewhere',
      prompt: 'Who pays for shipping in a warranty case?',
      context: WARRANTY,
      response: 'Under consumer law the seller usually pays for shipping in a warranty case.',
      expectedScore: 0.15,
      tolerance: 0.2,
      trap: 'true, but not from the context',
      reason: 'It may be true, but the context does not say it: that is what faithfulness measures.',
    },
    {
      id: 'faithfulness-one-addition',
      prompt: 'What should I know about the warranty?',
      context: WARRANTY,
      response:
        'It lasts two years and covers faults in material and manufacture, but not limescale or damage from dropping. Keep the receipt. Repairs take about ten working days and are done in Hamburg.',
      expectedScore: 0.75,
      tolerance: 0.15,
      reason: 'Five claims are supported and one, the place, is invented.',
    },
    {
      id: 'faithfulness-contradiction',
      prompt: 'Is limescale covered?',
      context: WARRANTY,
      response: 'Yes, limescale is covered for two years.',
      expectedScore: 0,
      tolerance: 0.1,
      trap: 'confident and wrong',
      reason: 'The context says the opposite.',
    },
    {
      id: 'faithfulness-half',
      prompt: 'How long do repairs take, and what do they cost?',
      context: WARRANTY,
      response: 'About ten working days. They cost 25 euros.',
      expectedScore: 0.5,
      tolerance: 0.15,
      reason: 'One claim is supported; the price is invented.',
    },
    {
      id: 'faithfulness-paraphrase',
      prompt: 'How do people on Marrow Island earn a living?',
      context: ISLAND,
      response: 'Mainly by catching fish; for some years a few households have also let rooms to visitors.',
      expectedScore: 1,
      tolerance: 0.1,
      trap: 'right in other words',
      reason: 'Other words for what the context says.',
    },
    {
      id: 'faithfulness-small-stretch',
      prompt: 'How do people get to Marrow Island?',
      context: ISLAND,
      response: 'By ferry, twice a day; in storms it does not run, so the island is then cut off.',
      expectedScore: 0.85,
      tolerance: 0.15,
      reason: 'Supported, but "cut off" is a conclusion that the context only suggests.',
    },
    {
      id: 'faithfulness-exaggerated',
      prompt: 'What is medical care like on Marrow Island?',
      context: ISLAND,
      response: 'There is no hospital, only a nurse who comes every day by helicopter.',
      expectedScore: 0.35,
      tolerance: 0.2,
      reason: 'The missing hospital and the nurse are right; the day and the helicopter are not.',
    },
    {
      id: 'faithfulness-mostly-invented',
      prompt: 'Describe Marrow Island in two sentences.',
      context: ISLAND,
      response:
        'Marrow Island is a volcanic paradise with 340 inhabitants, famous for its wine. It was settled by monks in the ninth century.',
      expectedScore: 0.25,
      tolerance: 0.15,
      trap: 'long and empty',
      reason: 'One figure is from the context; the rest is made up.',
    },
    {
      id: 'faithfulness-mixed',
      prompt: 'Describe Marrow Island in two sentences.',
      context: ISLAND,
      response:
        'Marrow Island has 340 inhabitants, one school and a ferry twice a day. Most people work in tourism, and few still fish.',
      expectedScore: 0.6,
      tolerance: 0.2,
      reason: 'The first sentence is supported in full; the second turns the context around.',
    },
    {
      id: 'faithfulness-ignores',
      prompt: 'How many people live on Marrow Island?',
      context: ISLAND,
      response: 'About 12,000, most of them in the capital.',
      expectedScore: 0,
      tolerance: 0.1,
      trap: 'confident and wrong',
      reason: 'Nothing of it is in the context, and the figure contradicts it.',
    },
  ],
}
