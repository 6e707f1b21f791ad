import type { CalibrationSet } from './calibration-set.ts'

/** For the preset completeness: how much of what the task asks for is there? */
export const completeness: CalibrationSet = {
  name: 'completeness',
  version: 'completeness/1',
  title: 'Completeness',
  summary: 'Answers to questions with several parts, of which all, some or none are covered',
  samples: [
    {
      id: 'completeness-all',
      prompt: 'Name one advantage and one disadvantage of electric cars, and give your conclusion in one sentence.',
      response:
        'Advantage: they are quiet and free of exhaust where they drive. Disadvantage: charging takes longer than refuelling. Conclusion: they suit people who can charge at home.',
      expectedScore: 1,
      tolerance: 0.1,
      reason: 'All three parts are there.',
    },
    {
      id: 'completeness-two-of-three',
      prompt: 'Name one advantage and one disadvantage of electric cars, and give your conclusion in one sentence.',
      response: 'They are quiet, but charging takes longer than refuelling.',
      expectedScore: 0.65,
      tolerance: 0.15,
      reason: 'Two of three parts; the conclusion is missing.',
    },
    {
      id: 'completeness-one-of-three',
      prompt: 'Name one advantage and one disadvantage of electric cars, and give your conclusion in one sentence.',
      response:
        'Electric cars are quiet. They are really very quiet, so quiet that people sometimes do not hear them coming; this quietness is among the things that owners mention most.',
      expectedScore: 0.35,
      tolerance: 0.15,
      trap: 'long and empty',
      reason: 'One part of three, told at length.',
    },
    {
      id: 'completeness-none',
      prompt: 'Name one advantage and one disadvantage of electric cars, and give your conclusion in one sentence.',
      response: 'There are many opinions about electric cars.',
      expectedScore: 0.05,
      tolerance: 0.1,
      reason: 'None of the three parts.',
    },
    {
      id: 'completeness-terse-all',
      prompt: 'For a trip to Rome give: season, means of transport, number of days.',
      response: 'April; train; four.',
      expectedScore: 1,
      tolerance: 0.15,
      trap: 'terse but right',
      reason: 'All three items in three words: complete.',
    },
    {
      id: 'completeness-detail-thin',
      prompt: 'Explain how to plant a tree: the hole, the planting itself, and the care in the first year.',
      response:
        'Dig a hole twice as wide as the root ball. Set the tree so that the top of the ball is level with the ground, fill up and tread down. Then look after it.',
      expectedScore: 0.75,
      tolerance: 0.15,
      reason: 'Two parts are covered well, and the third in name only.',
    },
    {
      id: 'completeness-minor-gap',
      prompt: 'Explain how to plant a tree: the hole, the planting itself, and the care in the first year.',
      response:
        'Dig a hole twice as wide as the root ball and just as deep. Set the tree upright, fill up with soil and tread it down. In the first year water it every week in dry weather.',
      expectedScore: 0.9,
      tolerance: 0.1,
      reason: 'All parts are covered; a stake or mulch would round off the care.',
    },
    {
      id: 'completeness-wrong-part',
      prompt: 'List the ingredients and the steps for a vinaigrette, and say how long it keeps.',
      response: 'Oil, vinegar, mustard, salt and pepper.',
      expectedScore: 0.35,
      tolerance: 0.15,
      reason: 'The ingredients are complete; the steps and how long it keeps are missing.',
    },
    {
      id: 'completeness-promise',
      prompt: 'List the ingredients and the steps for a vinaigrette, and say how long it keeps.',
      response: 'I will now list the ingredients, then the steps, and finally how long it keeps.',
      expectedScore: 0,
      tolerance: 0.1,
      trap: 'long and empty',
      reason: 'It announces everything and delivers nothing.',
    },
    {
      id: 'completeness-half',
      prompt: 'Give two reasons for and two against a school uniform.',
      response: 'For: nobody is judged by brands. Against: it costs parents extra.',
      expectedScore: 0.5,
      tolerance: 0.15,
      reason: 'Two of the four reasons.',
    },
    {
      id: 'completeness-extra',
      prompt: 'Give two reasons for and two against a school uniform.',
      response:
        'For: nobody is judged by brands; mornings are easier. Against: it costs parents extra; pupils lose a way to express themselves. Also, uniforms are common in Britain and Japan.',
      expectedScore: 1,
      tolerance: 0.1,
      reason: 'All four reasons; the extra sentence takes nothing away from completeness.',
    },
    {
      id: 'completeness-cut-off',
      prompt: 'Name the seven days of the week in order.',
      response: 'Monday, Tuesday, Wednesday, Thursday, Fri',
      expectedScore: 0.6,
      tolerance: 0.15,
      reason: 'It breaks off after four and a half of seven.',
    },
    {
      id: 'completeness-one-of-four',
      prompt: 'Give two reasons for and two against a school uniform.',
      response: 'Against: it costs parents extra. There is much more to say about it on both sides.',
      expectedScore: 0.25,
      tolerance: 0.15,
      reason: 'One of the four reasons, and a hint that there are more.',
    },
  ],
}
