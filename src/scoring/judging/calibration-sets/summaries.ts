import type { CalibrationSet } from './calibration-set.ts'

const LIBRARY = `The town library will close for renovation on 1 June and reopen in the autumn. The roof has leaked since the storm in February, and the heating dates from 1974. The work costs 2.4 million euros, of which the state pays half. During the closure a bus with 3,000 books will stop at the market on Tuesdays and Fridays. Borrowed books need not be returned until the reopening. Some residents had asked for a new building instead, but the council found it too expensive.`

const TRIAL = `Researchers gave 212 adults with mild insomnia either a sleep diary or an app with the same questions for eight weeks. Both groups slept about 25 minutes longer at the end than at the start. The difference between the groups was 3 minutes and not significant. A third of the app group stopped early, twice as many as with the diary. The authors note that there was no group without any treatment, so that they cannot say whether either method caused the change.`

const MEETING = `Priya reported that the new checkout reduced abandoned carts from 31 to 24 percent in the test group. Marek warned that the test ran during a sale and should be repeated. They agreed to repeat it for two weeks in May. Lena will write the translations for French and Polish by 20 April. The question of whether to keep guest checkout was postponed. Priya will send the figures to everyone.`

export const summaries: CalibrationSet = {
  name: 'summaries',
  version: 'summaries/1',
  title: 'Summaries',
  summary: 'Summaries of three short texts: faithful, thin, bloated, distorted and invented ones',
  samples: [
    {
      id: 'summaries-library-full',
      prompt: `Summarise in two sentences:\n\n${LIBRARY}`,
      response:
        'The town library closes on 1 June for a renovation of 2.4 million euros, half paid by the state, and reopens in the autumn, because the roof leaks and the heating is old. Meanwhile a book bus stops at the market on Tuesdays and Fridays, and borrowed books can be kept until the reopening.',
      expectedScore: 1,
      tolerance: 0.1,
      reason: 'All that readers need, faithful, in two sentences.',
    },
    {
      id: 'summaries-trial-full',
      prompt: `Summarise in two sentences:\n\n${TRIAL}`,
      response:
        'In an eight-week study of 212 adults with mild insomnia, a sleep diary and an app with the same questions were followed by about 25 minutes more sleep, with no significant difference between them. More people gave up the app, and without an untreated group the authors cannot say that either method helped.',
      expectedScore: 1,
      tolerance: 0.1,
      reason: 'The result, the drop-outs and the limit that the authors stress are all there.',
    },
    {
      id: 'summaries-meeting-list',
      prompt: `List the decisions and tasks from these notes:\n\n${MEETING}`,
      response:
        '- Repeat the checkout test for two weeks in May\n- Lena: French and Polish translations by 20 April\n- Priya: send the figures to everyone\n- Guest checkout: postponed',
      expectedScore: 1,
      tolerance: 0.1,
      trap: 'terse but right',
      reason: 'Every decision and task, and nothing else; bullets suit the request.',
    },
    {
      id: 'summaries-library-no-cost',
      prompt: `Summarise in two sentences:\n\n${LIBRARY}`,
      response:
        'The library will be closed from 1 June until the autumn to repair its leaking roof and replace its old heating. A bus with books comes to the market on Tuesdays and Fridays, and borrowed books may be kept for now.',
      expectedScore: 0.85,
      tolerance: 0.15,
      reason: 'Faithful and useful; the cost, which many readers would look for, is missing.',
    },
    {
      id: 'summaries-trial-light',
      prompt: `Summarise in one sentence:\n\n${TRIAL}`,
      response:
        'Adults with mild insomnia slept about 25 minutes longer after eight weeks with a sleep diary or an app, with no significant difference between the two and no untreated group to compare with.',
      expectedScore: 0.95,
      tolerance: 0.1,
      reason: 'One sentence with the result and its limit; the drop-outs do not fit and are the least of it.',
    },
    {
      id: 'summaries-meeting-three',
      prompt: `List the decisions and tasks from these notes:\n\n${MEETING}`,
      response:
        'Decisions: the test is repeated for two weeks in May; guest checkout was postponed. Tasks: Lena writes the translations by 20 April.',
      expectedScore: 0.8,
      tolerance: 0.15,
      reason: 'Right as far as it goes; Priya’s task is missing.',
    },
    {
      id: 'summaries-slightly-long',
      prompt: `Summarise in at most 30 words:\n\n${LIBRARY}`,
      response:
        'From 1 June until the autumn the town library is closed for a renovation costing 2.4 million euros, half of it from the state; a book bus serves the market on Tuesdays and Fridays.',
      expectedScore: 0.85,
      tolerance: 0.15,
      reason: 'A good summary that overruns the limit by a few words.',
    },
    {
      id: 'summaries-thin',
      prompt: `Summarise in two sentences:\n\n${LIBRARY}`,
      response: 'The library is going to be renovated. It will be closed for some time.',
      expectedScore: 0.5,
      tolerance: 0.2,
      reason: 'True, but without dates, reason, cost or what to do meanwhile it says little.',
    },
    {
      id: 'summaries-trial-no-limit',
      prompt: `Summarise in two sentences:\n\n${TRIAL}`,
      response:
        'People with insomnia who used a sleep diary or an app for eight weeks slept about 25 minutes longer. The two did equally well, though more people gave up the app.',
      expectedScore: 0.65,
      tolerance: 0.15,
      reason: 'Faithful, but without the missing comparison group a reader will believe that both work.',
    },
    {
      id: 'summaries-copy',
      prompt: `Summarise in two sentences:\n\n${MEETING}`,
      response: MEETING,
      expectedScore: 0.3,
      tolerance: 0.2,
      trap: 'long and empty',
      reason: 'Everything is true because nothing was summarised: the text is copied.',
    },
    {
      id: 'summaries-lead-only',
      prompt: `Summarise in two sentences:\n\n${MEETING}`,
      response:
        'The new checkout cut abandoned carts from 31 to 24 percent in the test group. Marek warned that the test ran during a sale.',
      expectedScore: 0.6,
      tolerance: 0.15,
      reason: 'Two true sentences from the beginning; what was agreed is missing.',
    },
    {
      id: 'summaries-wrong-emphasis',
      prompt: `Summarise in two sentences:\n\n${LIBRARY}`,
      response:
        'Some residents asked for a new library building, but the council found it too expensive. The heating of the old one dates from 1974.',
      expectedScore: 0.45,
      tolerance: 0.15,
      reason: 'Faithful, but it picks side issues; that the library closes is not even mentioned.',
    },
    {
      id: 'summaries-one-wrong-number',
      prompt: `Summarise in two sentences:\n\n${LIBRARY}`,
      response:
        'The town library closes on 1 July for a renovation of 2.4 million euros, half paid by the state, and reopens in the autumn. A book bus stops at the market on Tuesdays and Fridays, and borrowed books can be kept.',
      expectedScore: 0.6,
      tolerance: 0.2,
      trap: 'near miss',
      reason: 'Good but for the date, which is the one thing that readers will act on.',
    },
    {
      id: 'summaries-who-did-what',
      prompt: `List the decisions and tasks from these notes:\n\n${MEETING}`,
      response:
        '- Repeat the test in May (Marek)\n- Priya: French and Polish translations by 20 April\n- Lena: send the figures\n- Guest checkout: postponed',
      expectedScore: 0.4,
      tolerance: 0.2,
      reason: 'The items are right, but the names are swapped, which would send people to the wrong work.',
    },
    {
      id: 'summaries-added-opinion',
      prompt: `Summarise in two sentences:\n\n${TRIAL}`,
      response:
        'Diary and app both came with about 25 minutes more sleep and did not differ significantly. I would recommend the app, because technology is the future of sleep medicine.',
      expectedScore: 0.45,
      tolerance: 0.2,
      reason: 'Half of it is a faithful summary, and half an opinion that the text does not support.',
    },
    {
      id: 'summaries-causal-claim',
      prompt: `Summarise in two sentences:\n\n${TRIAL}`,
      response: 'A study proves that sleep apps cure insomnia. They add 25 minutes of sleep each night.',
      expectedScore: 0.2,
      tolerance: 0.15,
      trap: 'confident and wrong',
      reason: 'The authors say they cannot show a cause; this claims a proof and a cure.',
    },
    {
      id: 'summaries-reversed',
      prompt: `Summarise in one sentence:\n\n${TRIAL}`,
      response: 'The app clearly beat the diary, and far fewer people gave it up.',
      expectedScore: 0,
      tolerance: 0.1,
      trap: 'confident and wrong',
      reason: 'Both statements are the opposite of the text.',
    },
    {
      id: 'summaries-mixed-up',
      prompt: `Summarise in two sentences:\n\n${LIBRARY}`,
      response:
        'The library is getting a new building for 2.4 million euros after the old one burned down in February. A bus will bring readers to it on Tuesdays.',
      expectedScore: 0.15,
      tolerance: 0.15,
      reason: 'Figures from the text in a story that it does not tell: no new building, no fire, no such bus.',
    },
    {
      id: 'summaries-other-text',
      prompt: `Summarise in two sentences:\n\n${MEETING}`,
      response: 'The board reviewed the annual budget and elected a new chair. The next meeting is in September.',
      expectedScore: 0,
      tolerance: 0.1,
      reason: 'Nothing of it is in the notes.',
    },
    {
      id: 'summaries-about-summaries',
      prompt: `Summarise in two sentences:\n\n${TRIAL}`,
      response:
        'This text presents a number of interesting findings about an important topic and discusses them in a clear and structured way. Readers will find much food for thought in it.',
      expectedScore: 0.1,
      tolerance: 0.1,
      trap: 'long and empty',
      reason: 'It would fit any text and contains none of this one.',
    },
    {
      id: 'summaries-refuses',
      prompt: `Summarise in one sentence:\n\n${TRIAL}`,
      response: 'I am not able to give medical advice. Please see a doctor about sleep problems.',
      expectedScore: 0.05,
      tolerance: 0.1,
      trap: 'improper refusal',
      reason: 'Nobody asked for advice; summarising a text is harmless.',
    },
    {
      id: 'summaries-missing-text',
      prompt: 'Summarise the attached article in three sentences.',
      response: 'There is no article in your message. Please paste its text and I will summarise it.',
      expectedOutput: 'No article is attached: a good answer says so and asks for it.',
      expectedScore: 1,
      tolerance: 0.15,
      trap: 'proper refusal',
      reason: 'There is nothing to summarise; saying so is right.',
    },
    {
      id: 'summaries-missing-text-invented',
      prompt: 'Summarise the attached article in three sentences.',
      response:
        'The article discusses recent developments in renewable energy. It argues that storage is the main obstacle. It closes with a call for more investment.',
      expectedOutput: 'No article is attached: a good answer says so and asks for it.',
      expectedScore: 0,
      tolerance: 0.1,
      trap: 'invented source',
      reason: 'It summarises an article that does not exist.',
    },
    {
      id: 'summaries-clumsy-faithful',
      prompt: `Summarise in two sentences:\n\n${LIBRARY}`,
      response:
        'Library closed June 1 till autumn, roof leaky and heating old, so renovating it is, 2.4 million with the half from state. Bus with the books, it comes Tuesday Friday to market, books keep okay.',
      expectedScore: 0.75,
      tolerance: 0.2,
      reason: 'The content is complete and right; the language is clumsy enough to slow a reader down.',
    },
    {
      id: 'summaries-some-unsupported',
      prompt: `Summarise in two sentences:\n\n${MEETING}`,
      response:
        'The checkout test lowered abandoned carts by 7 points, but it ran during a sale and is repeated in May, after which the new checkout goes live worldwide. Lena translates, and the team agreed to remove guest checkout.',
      expectedScore: 0.35,
      tolerance: 0.15,
      reason:
        'Half is right; the launch and the removal of guest checkout are invented, and the latter contradicts the notes.',
    },
  ],
}
