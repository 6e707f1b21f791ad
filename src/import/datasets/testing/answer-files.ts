import type { SampleFile } from './sample-file.ts'

const squad = (qas: unknown[], context: string, title = 'Bridges') => ({
  version: 'v2.0',
  data: [{ title, paragraphs: [{ context, qas }] }],
})

/** Questions with a number, a formula, a word, code or an open answer. */
export const answerFiles: readonly SampleFile[] = [
  {
    of: 'GSM8K',
    file: 'gsm.jsonl',
    rows: [
      { question: 'A box holds 12 pens. How many pens are in 3 boxes?', answer: '12 * 3 = <<12*3=36>>36\n#### 36' },
      { question: 'A shop sells 1,250 mugs twice. How many is that?', answer: '1250*2\n#### 2,500' },
    ],
    recipe: 'maths',
    answers: [
      ['36', '12'],
      ['2500', '1250'],
    ],
    shows: ['A box holds 12 pens.'],
  },
  {
    of: 'MATH (and LaTeX with double braces)',
    file: 'math.jsonl',
    rows: [
      {
        problem: 'Simplify $\\frac{{2}}{{4}}$ and name {{char}}.',
        level: 'Level 1',
        type: 'Algebra',
        solution: 'Halve both: $\\boxed{\\frac{1}{2}}$.',
      },
      { problem: 'Solve $x^2 = 9$ for $x > 0$.', level: 'Level 2', type: 'Algebra', solution: 'So $x = \\boxed{3}$.' },
    ],
    recipe: 'maths',
    answers: [
      ['\\frac12', '\\frac13'],
      ['3', '-3'],
    ],
    shows: ['Simplify $\\frac{{2}}{{4}}$ and name {{char}}.'],
  },
  {
    of: 'MATH-500',
    file: 'math500.jsonl',
    rows: [
      {
        problem: 'What is $(3,4)$ moved by one to the right?',
        solution: 'It is $\\boxed{(4,4)}$.',
        answer: '(4,4)',
        subject: 'Geometry',
        level: 2,
        unique_id: 'test/g/1.json',
      },
      {
        problem: 'Name $\\pi/2$ in degrees.',
        solution: '$\\boxed{90^\\circ}$',
        answer: '90^\\circ',
        subject: 'Geometry',
        level: 2,
        unique_id: 'test/g/2.json',
      },
    ],
    recipe: 'maths',
    answers: [
      ['(4,4)', '(4,5)'],
      ['90^\\circ', '45^\\circ'],
    ],
    shows: ['moved by one'],
  },
  {
    of: 'AIME',
    file: 'aime.jsonl',
    rows: [
      {
        ID: '2024-I-1',
        Problem: 'Find the number of ways to seat 4 people in a row.',
        Solution: '4! = 24',
        Answer: 24,
      },
    ],
    recipe: 'maths',
    answers: [['24', '240']],
    shows: ['Find the number of ways'],
  },
  {
    of: 'SVAMP and ASDiv',
    file: 'asdiv.jsonl',
    rows: [
      {
        Body: 'Ann has 5 apples and Bo has 4',
        Question: 'How many apples have they in all?',
        'Solution-Type': 'Addition',
        Answer: '9 (apples)',
        Formula: '5+4=9',
      },
    ],
    recipe: 'maths',
    answers: [['9', '1']],
    shows: ['Ann has 5 apples', 'How many apples'],
  },
  {
    of: 'MultiArith (original)',
    file: 'MultiArith.json',
    rows: [
      {
        iIndex: 2,
        lAlignments: [],
        lEquations: ['X=(7-3)'],
        lSolutions: [4.0],
        sQuestion: 'Of 7 eggs 3 break. How many are left?',
      },
    ],
    recipe: 'maths',
    answers: [['4', '10']],
    shows: ['Of 7 eggs 3 break.'],
  },
  {
    of: 'MultiArith',
    file: 'multiarith.jsonl',
    rows: [{ question: 'Of 7 eggs 3 break. How many are left?', final_ans: '4' }],
    recipe: 'maths',
    answers: [['4', '3']],
    shows: ['Of 7 eggs 3 break.'],
  },
  {
    of: 'MGSM (without a header)',
    file: 'mgsm_de.tsv',
    text: 'Eine Kiste hat 12 Stifte. Wie viele Stifte sind in 3 Kisten?\t36\nEin Hof hat "100" Hühner, 40 gehen. Wie viele bleiben?\t60\n',
    recipe: 'maths',
    answers: [
      ['36', '15'],
      ['60', '40'],
    ],
    shows: ['Eine Kiste hat 12 Stifte.'],
  },
  {
    of: 'MGSM (Hugging Face)',
    file: 'mgsm.jsonl',
    rows: [{ question: '1箱に12本。3箱で何本？', answer: null, answer_number: 36, equation_solution: null }],
    recipe: 'maths',
    answers: [['36', '3']],
    shows: ['1箱に12本'],
  },
  {
    of: 'OlympiadBench',
    file: 'olympiad.jsonl',
    rows: [
      {
        id: 1,
        question: 'Find all real $x$ with $2x = 6$.',
        solution: ['Halve.'],
        final_answer: ['$3$'],
        is_multiple_answer: false,
        unit: null,
        answer_type: 'Numerical',
      },
    ],
    recipe: 'maths',
    answers: [['3', '6']],
    shows: ['Find all real'],
  },
  {
    of: 'SQuAD 1 (nested)',
    file: 'dev-v1.1.json',
    text: JSON.stringify(
      squad(
        [
          {
            id: 'q1',
            question: 'When did the bridge open?',
            answers: [
              { text: '1932', answer_start: 22 },
              { text: 'in 1932', answer_start: 19 },
            ],
          },
          { id: 'q2', question: 'Who built it?', answers: [{ text: 'Ann Smith', answer_start: 0 }] },
        ],
        'Ann Smith built the bridge, which opened in 1932.',
      ),
    ),
    recipe: 'reading',
    answers: [
      ['1932', '1923'],
      ['Ann Smith', 'Eve Jones'],
    ],
    shows: ['Ann Smith built the bridge', 'When did the bridge open?'],
  },
  {
    of: 'SQuAD 2 (rows)',
    file: 'squad2.jsonl',
    rows: [
      {
        id: 'q1',
        title: 'Bridges',
        context: 'Ann Smith built the bridge.',
        question: 'Who built the bridge?',
        answers: { text: ['Ann Smith', 'Smith'], answer_start: [0, 4] },
      },
      {
        id: 'q2',
        title: 'Bridges',
        context: 'Ann Smith built the bridge.',
        question: 'Who painted it?',
        answers: { text: [], answer_start: [] },
      },
    ],
    recipe: 'reading',
    answers: [
      ['Smith', 'Bo Jones'],
      ['unanswerable', 'Ann Smith'],
    ],
    shows: ['Ann Smith built the bridge.', 'Who built the bridge?'],
  },
  {
    of: 'DROP',
    file: 'drop.jsonl',
    rows: [
      {
        section_id: 'nfl_1',
        query_id: 'a',
        passage: 'The Owls scored 3 goals and the Hawks 5.',
        question: 'How many goals did the Hawks score?',
        answers_spans: { spans: ['5'], types: ['number'] },
      },
      {
        section_id: 'nfl_1',
        query_id: 'b',
        passage: 'The Owls scored 3 goals and the Hawks 5.',
        question: 'Who scored 3?',
        answers_spans: { spans: ['Owls', 'the Owls'], types: ['span', 'span'] },
      },
    ],
    recipe: 'reading',
    answers: [
      ['5', '3'],
      ['the Owls', 'the Hawks'],
    ],
    shows: ['The Owls scored 3 goals', 'How many goals'],
  },
  {
    of: 'DROP (original)',
    file: 'drop_dataset_dev.json',
    text: JSON.stringify({
      nfl_1: {
        passage: 'The Owls scored 3 goals.',
        qa_pairs: [
          {
            question: 'How many goals?',
            answer: { number: '3', date: { day: '', month: '', year: '' }, spans: [] },
            query_id: 'a',
          },
        ],
      },
      nfl_2: {
        passage: 'Ann met Bo on 5 May 1932.',
        qa_pairs: [
          {
            question: 'Whom did Ann meet?',
            answer: { number: '', date: { day: '', month: '', year: '' }, spans: ['Bo'] },
            query_id: 'b',
          },
        ],
      },
    }),
    recipe: 'reading',
    answers: [
      ['3', '4'],
      ['Bo', 'Ann'],
    ],
    shows: ['The Owls scored 3 goals.', 'How many goals?'],
  },
  {
    of: 'TriviaQA (original)',
    file: 'triviaqa.json',
    text: JSON.stringify({
      Data: [
        {
          Answer: {
            Aliases: ['The Big Apple', 'NYC'],
            MatchedWikiEntityName: 'x',
            NormalizedAliases: ['nyc', 'big apple'],
            Type: 'WikipediaEntity',
            Value: 'New York',
          },
          Question: 'Which city has Central Park?',
          QuestionId: 'tc_1',
          QuestionSource: 'own',
        },
      ],
      Domain: 'x',
      Version: 1,
    }),
    recipe: 'facts',
    answers: [['NYC', 'Boston']],
    shows: ['Which city has Central Park?'],
  },
  {
    of: 'TriviaQA',
    file: 'triviaqa.jsonl',
    rows: [
      {
        question: 'Which city has Central Park?',
        question_id: 'tc_1',
        question_source: 'own',
        answer: {
          aliases: ['NYC'],
          normalized_aliases: ['nyc', 'new york'],
          value: 'New York',
          type: 'WikipediaEntity',
        },
      },
    ],
    recipe: 'facts',
    answers: [['New York', 'Boston']],
    shows: ['Which city has Central Park?'],
  },
  {
    of: 'NQ-open',
    file: 'nq.jsonl',
    rows: [
      { question: 'who wrote the two towers', answer: ['J. R. R. Tolkien', 'Tolkien'] },
      { question: 'when did the tower open', answer: ['1889'] },
    ],
    recipe: 'facts',
    answers: [
      ['Tolkien', 'Lewis'],
      ['1889', '1899'],
    ],
    shows: ['who wrote the two towers'],
  },
  {
    of: 'PopQA',
    file: 'popqa.tsv',
    text: 'id\tsubj\tprop\tobj\tpossible_answers\tquestion\n1\tAnn Smith\toccupation\tpolitician\t["politician", "statesman"]\tWhat is Ann Smith\'s job?\n2\tBo Jones\tplace\tOslo\t["Oslo"]\tWhere was Bo Jones born?\n',
    recipe: 'facts',
    answers: [
      ['statesman', 'singer'],
      ['Oslo', 'Rome'],
    ],
    shows: ["What is Ann Smith's job?"],
  },
  {
    of: 'HotpotQA',
    file: 'hotpot.json',
    rows: [
      {
        _id: 'h1',
        answer: 'Oslo',
        question: 'In which city was the sister of Ann born?',
        supporting_facts: [['Ann', 0]],
        context: [
          ['Ann', ['Ann is the sister of Eve.']],
          ['Eve', ['Eve was born in Oslo.', ' She sings.']],
        ],
        type: 'bridge',
        level: 'hard',
      },
    ],
    recipe: 'reading',
    answers: [['Oslo', 'Bergen']],
    shows: ['Eve was born in Oslo.', 'In which city'],
  },
  {
    of: 'BoolQ',
    file: 'boolq.jsonl',
    rows: [
      {
        question: 'is the tower open at night',
        title: 'Tower',
        answer: true,
        passage: 'The tower is open day and night.',
      },
      { question: 'is the tower of stone', title: 'Tower', answer: false, passage: 'The tower is of iron.' },
    ],
    recipe: 'reading',
    answers: [
      ['Yes', 'No'],
      ['False', 'True'],
    ],
    shows: ['The tower is open day and night.', 'is the tower open at night'],
  },
  {
    of: 'StrategyQA',
    file: 'strategyqa.json',
    rows: [
      {
        qid: 'a',
        term: 'Owl',
        description: 'bird',
        question: 'Could an owl read this by night?',
        answer: false,
        facts: ['Owls do not read.'],
        decomposition: ['x'],
      },
    ],
    recipe: 'facts',
    answers: [['No', 'Yes']],
    shows: ['Could an owl read this by night?'],
  },
  {
    of: 'BBH (other tasks)',
    file: 'web_of_lies.json',
    text: JSON.stringify({
      canary: 'x',
      examples: [
        { input: 'Question: Ann lies. Bo says Ann tells the truth. Does Bo tell the truth?', target: 'No' },
        { input: 'Question: Eve tells the truth. Cy says so. Does Cy tell the truth?', target: 'Yes' },
      ],
    }),
    recipe: 'facts',
    answers: [
      ['No', 'Yes'],
      ['Yes', 'No'],
    ],
    shows: ['Does Bo tell the truth?'],
  },
  {
    of: 'BBH (object counting)',
    file: 'object_counting.json',
    text: JSON.stringify({
      canary: 'x',
      examples: [{ input: 'I have two pears and a plum. How many fruits do I have?', target: '3' }],
    }),
    recipe: 'maths',
    answers: [['3', '2']],
    shows: ['I have two pears'],
  },
  {
    of: 'CoQA',
    file: 'coqa.json',
    text: JSON.stringify({
      version: '1.0',
      data: [
        {
          source: 'own',
          id: 'c1',
          filename: 'c1.txt',
          story: 'Ann has a red cat.',
          questions: [
            { input_text: 'Who has a cat?', turn_id: 1 },
            { input_text: 'What colour is it?', turn_id: 2 },
          ],
          answers: [
            { input_text: 'Ann', span_text: 'Ann', turn_id: 1 },
            { input_text: 'red', span_text: 'red', turn_id: 2 },
          ],
        },
      ],
    }),
    recipe: 'reading',
    answers: [
      ['Ann', 'Bo'],
      ['red', 'blue'],
    ],
    shows: ['Ann has a red cat.', 'Who has a cat?'],
  },
  {
    of: 'PubMedQA',
    file: 'pubmedqa.jsonl',
    rows: [
      {
        pubid: 7,
        question: 'Does tea help against thirst?',
        context: {
          contexts: ['Forty people drank tea.', 'None was thirsty.'],
          labels: ['METHODS', 'RESULTS'],
          meshes: [],
        },
        long_answer: 'Tea helped everyone in this trial against thirst.',
        final_decision: 'yes',
      },
      {
        pubid: 8,
        question: 'Does sand?',
        context: { contexts: ['Nobody drank sand.'], labels: ['METHODS'], meshes: [] },
        long_answer: 'It did not.',
        final_decision: 'no',
      },
    ],
    recipe: 'reading',
    answers: [
      ['yes', 'no'],
      ['no', 'yes'],
    ],
    shows: ['Forty people drank tea.', 'Does tea help'],
  },
  {
    of: 'LAMBADA',
    file: 'lambada.jsonl',
    rows: [
      { text: 'He had left the key on the table, and now she looked for the key' },
      { text: 'Ann called Bo twice, but nobody but his dog heard Ann' },
    ],
    recipe: 'last-word',
    answers: [
      ['key', 'table'],
      ['Ann', 'Bo'],
    ],
    shows: ['now she looked for the ____'],
  },
  {
    of: 'SimpleQA',
    file: 'simpleqa.csv',
    text: "metadata,problem,answer\n\"{'topic': 'Art', 'answer_type': 'Person', 'urls': ['https://example.org/a']}\",Who painted the red barn?,Ann Smith\n\"{'topic': 'Places', 'answer_type': 'Place', 'urls': []}\",\"Where, in Norway, is the barn?\",\"Bergen, Norway\"\n",
    recipe: 'facts',
    answers: [
      ['Ann Smith', 'Bo Jones'],
      ['Bergen, Norway', 'Oslo, Norway'],
    ],
    shows: ['Who painted the red barn?'],
  },
  {
    of: 'OpenAI evals',
    file: 'evals.jsonl',
    rows: [
      {
        input: [
          { role: 'system', content: 'Answer with the city only.' },
          { role: 'system', content: 'Capital of Peru?', name: 'example_user' },
          { role: 'system', content: 'Lima', name: 'example_assistant' },
          { role: 'user', content: 'Capital of Norway?' },
        ],
        ideal: 'Oslo',
      },
      {
        input: [
          { role: 'system', content: 'Answer with the city only.' },
          { role: 'user', content: 'Largest city of the USA?' },
        ],
        ideal: ['New York', 'New York City'],
      },
    ],
    recipe: 'samples',
    answers: [
      ['Oslo', 'Bergen'],
      ['New York City', 'Boston'],
    ],
    shows: ['Answer with the city only.', 'Capital of Norway?'],
  },
  {
    of: 'EvalScope (questions)',
    file: 'evalscope-qa.jsonl',
    rows: [
      { system: 'x', query: '中国的首都是哪里？', response: '北京' },
      { system: 'x', query: '日本的首都是哪里？', response: '东京' },
    ],
    recipe: 'facts',
    answers: [
      ['北京', '上海'],
      ['东京', '大阪'],
    ],
    shows: ['中国的首都是哪里？'],
  },
  {
    of: 'LiveBench',
    file: 'livebench.jsonl',
    rows: [{ question_id: 'a', category: 'math', turns: ['What is 6 times 7?'], ground_truth: '42', task: 'own' }],
    recipe: 'maths',
    answers: [['42', '48']],
    shows: ['What is 6 times 7?'],
  },
  {
    of: 'NarrativeQA',
    file: 'narrative.jsonl',
    rows: [
      {
        document: { id: 'a', summary: { text: 'Ann finds a cat.' } },
        question: { text: 'Who finds a cat?', tokens: [] },
        answers: [{ text: 'Ann' }, { text: 'a girl called Ann' }],
      },
    ],
    recipe: 'facts',
    answers: [['Ann', 'Bo']],
    shows: ['Ann finds a cat.', 'Who finds a cat?'],
  },
  {
    of: 'Dolly',
    file: 'dolly.jsonl',
    rows: [{ instruction: 'Who ran?', context: 'Ann ran home.', response: 'Ann', category: 'closed_qa' }],
    recipe: 'guess',
    answers: [['Ann', 'Bo']],
    shows: ['Ann ran home.', 'Who ran?'],
  },
  {
    of: 'MATH (simple-evals)',
    file: 'math_test.csv',
    text: ',Question,Answer\n0,"Find $x$ if $2x=4$.",2\n1,"Name the set.","\\{1,2\\}"\n',
    recipe: 'maths',
    answers: [
      ['2', '3'],
      ['\\{2,1\\}', '\\{1,3\\}'],
    ],
    shows: ['Find $x$'],
  },
  {
    of: 'unknown names',
    file: 'unknown.csv',
    text: 'Nr;Instruction;Completion\n1;Name a colour of the flag of Poland.;white\n2;Name the colour of snow.;white\n',
    recipe: 'guess',
    answers: [
      ['white', 'blue'],
      ['white', 'green'],
    ],
    shows: ['Name a colour of the flag of Poland.'],
  },
]

/** What only a judge or a program can score. */
export const openFiles: readonly SampleFile[] = [
  {
    of: 'MT-Bench',
    file: 'mt.jsonl',
    rows: [
      {
        question_id: 81,
        category: 'writing',
        turns: ['Write a poem about rain.', 'Now without the letter e.'],
        reference: ['Drops', 'Drip'],
      },
    ],
    recipe: 'conversations',
    shows: ['Write a poem about rain.', 'Now without the letter e.'],
  },
  {
    of: 'Arena-Hard',
    file: 'arena-hard.jsonl',
    rows: [
      {
        question_id: 'x',
        category: 'arena-hard-v0.1',
        cluster: 'Poems',
        turns: [{ content: 'Write a poem about {{rain}}.' }],
      },
    ],
    recipe: 'conversations',
    shows: ['Write a poem about {{rain}}.'],
  },
  {
    of: 'Arena-Hard 2',
    file: 'arena-hard-2.jsonl',
    rows: [{ uid: 'x', category: 'hard_prompt', subcategory: 'coding', prompt: 'Write a sonnet on pipes.' }],
    recipe: 'conversations',
    shows: ['Write a sonnet on pipes.'],
  },
  {
    of: 'AlpacaEval',
    file: 'alpaca_eval.json',
    rows: [
      {
        instruction: 'What are good names for a cat?',
        output: 'Tom',
        generator: 'text_davinci_003',
        dataset: 'helpful_base',
        datasplit: 'eval',
      },
    ],
    recipe: 'conversations',
    shows: ['What are good names for a cat?'],
  },
  {
    of: 'WildBench',
    file: 'wildbench.jsonl',
    rows: [
      {
        id: 1,
        session_id: 's',
        conversation_input: [
          { role: 'user', content: 'Hello', language: 'English' },
          { role: 'assistant', content: 'Hi', language: 'English' },
          { role: 'user', content: 'Plan a day in Oslo.', language: 'English' },
        ],
        references: { m: 'x' },
        length: 3,
        checklist: ['Is it a plan?'],
        intent: 'Plan',
        primary_tag: 'Planning',
      },
    ],
    recipe: 'conversations',
    shows: ['Hello', 'Plan a day in Oslo.'],
  },
  {
    of: 'questions with long answers',
    file: 'essays.jsonl',
    rows: [
      {
        question: 'Why does ice float?',
        answer:
          'Ice floats because water takes more room when it freezes, so that the same volume of it weighs less than the liquid that it displaces when it lies in it.',
      },
    ],
    recipe: 'facts',
    shows: ['Why does ice float?'],
  },
  {
    of: 'IFEval',
    file: 'ifeval.jsonl',
    rows: [
      {
        key: 1,
        prompt: 'Write two lines about rain without commas.',
        instruction_id_list: ['punctuation:no_comma'],
        kwargs: [{ num_words: null }],
      },
    ],
    recipe: 'instructions',
    shows: ['without commas'],
  },
  {
    of: 'HumanEval',
    file: 'humaneval.jsonl',
    rows: [
      {
        task_id: 'HumanEval/0',
        prompt: 'def double(n: int) -> int:\n    """ Twice n. """\n',
        entry_point: 'double',
        canonical_solution: '    return 2 * n\n',
        test: '\n\ndef check(candidate):\n    assert candidate(2) == 4\n    assert candidate(0) == 0\n',
      },
    ],
    recipe: 'code',
    shows: ['def double(n: int)', 'Twice n.'],
  },
  {
    of: 'MBPP',
    file: 'mbpp.jsonl',
    rows: [
      {
        task_id: 2,
        text: 'Write a function to double a number.',
        code: 'def double(n):\n  return 2 * n',
        test_list: ['assert double(2) == 4', 'assert double(0) == 0'],
        test_setup_code: '',
        challenge_test_list: [],
      },
    ],
    recipe: 'code',
    shows: ['Write a function to double a number.', 'assert double(2) == 4'],
  },
]
