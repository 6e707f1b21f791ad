import type { SampleFile } from './sample-file.ts'

/** Exams and tests whose columns, options or keys are written in ways of their own. */
export const furtherChoiceFiles: readonly SampleFile[] = [
  {
    of: 'CREAK (a sentence that is true or false)',
    file: 'creak.jsonl',
    rows: [
      { ex_id: 'a', sentence: 'Marlin are fish.', explanation: 'x', label: 'true', entity: 'Marlin' },
      { ex_id: 'b', sentence: 'Rome is in Chile.', explanation: 'x', label: 'false', entity: 'Rome' },
    ],
    recipe: 'judgments',
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['Is this true?', 'Marlin are fish.'],
  },
  {
    of: 'MMLU-Redux (keys that were wrong)',
    file: 'redux.jsonl',
    rows: [
      { question: 'Largest?', choices: ['Mars', 'Jupiter'], answer: 1, error_type: 'ok', correct_answer: null },
      { question: 'A gas?', choices: ['Tin', 'Neon'], answer: 0, error_type: 'wrong_groundtruth', correct_answer: '1' },
      { question: 'A star?', choices: ['Io', 'Sun'], answer: 0, error_type: 'wrong_groundtruth', correct_answer: 'B' },
      { question: 'Bees?', choices: ['Six', 'Ten'], answer: 0, error_type: 'bad_question_clarity', correct_answer: '' },
    ],
    recipe: 'multiple-choice',
    answers: [
      ['B', 'A'],
      ['B', 'A'],
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['Largest?', 'A) Mars'],
  },
  {
    of: 'a quiz as Kahoot has it (numbers of one or several answers)',
    file: 'kahoot.csv',
    text: 'Question,Answer 1,Answer 2,Answer 3,Time limit,Correct answer(s)\nCapital of Peru?,Lima,Rome,Oslo,20,1\nNordic?,Lima,Rome,Oslo,20,3\nLatin?,Lima,Rome,Oslo,20,"1,2"\n',
    recipe: 'multiple-choice',
    answers: [
      ['A', 'B'],
      ['C', 'A'],
      ['A, B', 'A'],
    ],
    shows: ['A) Lima'],
  },
  {
    of: 'ZebraLogic (a puzzle beside the question)',
    file: 'zebra.jsonl',
    rows: [
      { id: 'z1', puzzle: 'Ann lives left of Bo.', question: 'Who lives left?', choices: ['Bo', 'Ann'], answer: 'Ann' },
      { id: 'z2', puzzle: 'Bo lives left of Cy.', question: 'Who lives left?', choices: ['Bo', 'Cy'], answer: 'Bo' },
    ],
    recipe: 'multiple-choice',
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['Ann lives left of Bo.'],
  },
  {
    of: 'MILU (a key that names the column of an option)',
    file: 'milu.jsonl',
    rows: [
      {
        question: 'सबसे बड़ा?',
        option1: 'चींटी',
        option2: 'हाथी',
        option3: 'बिल्ली',
        target: 'option2',
        language: 'Hindi',
      },
      {
        question: 'सबसे छोटा?',
        option1: 'चींटी',
        option2: 'हाथी',
        option3: 'बिल्ली',
        target: 'option1',
        language: 'Hindi',
      },
    ],
    recipe: 'multiple-choice',
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['B) हाथी'],
  },
  {
    of: 'LAB-Bench (an ideal beside distractors)',
    file: 'litqa.jsonl',
    rows: [
      { id: 'l1', question: 'Which gene was lost?', ideal: 'abcD', distractors: ['efgH', 'ijkL'], source: 'doi' },
      { id: 'l2', question: 'How many strains?', ideal: '12', distractors: ['8', '15', '20'], source: 'doi' },
    ],
    recipe: 'right-and-wrong',
    answers: [
      ['=abcD', '=efgH'],
      ['=12', '=15'],
    ],
    shows: ['ijkL'],
  },
  {
    of: 'BLiMP (a good and a bad sentence)',
    file: 'blimp.jsonl',
    rows: [
      { sentence_good: 'The cats sleep.', sentence_bad: 'The cats sleeps.', field: 'syntax', UID: 'x', pairID: '0' },
      { sentence_good: 'Ann runs.', sentence_bad: 'Ann run.', field: 'syntax', UID: 'x', pairID: '1' },
    ],
    recipe: 'right-and-wrong',
    answers: [
      ['=The cats sleep.', '=The cats sleeps.'],
      ['=Ann runs.', '=Ann run.'],
    ],
    shows: ['Which sentence is grammatical?'],
  },
  {
    of: 'XSTest (a label of the prompt)',
    file: 'xstest.csv',
    text: `id,type,prompt,focus,label\n${[0, 1, 2, 3].map((index) => `${index},homonyms,How do I kill process ${index}?,kill,${index % 2 === 0 ? 'safe' : 'unsafe'}`).join('\n')}\n`,
    recipe: 'labels',
    answers: [0, 1, 2, 3].map((index) => (index % 2 === 0 ? ['=safe', '=unsafe'] : ['=unsafe', '=safe'])),
    shows: ['How do I kill process 0?', 'unsafe'],
  },
  {
    of: 'LegalBench (answers that are labels)',
    file: 'marks.tsv',
    text: `index\tanswer\ttext\n${[0, 1, 2, 3].map((index) => `${index}\t${index % 2 === 0 ? 'generic' : 'fanciful'}\tMark ${index} for soap.`).join('\n')}\n`,
    recipe: 'labels',
    answers: [0, 1, 2, 3].map((index) => (index % 2 === 0 ? ['=generic', '=fanciful'] : ['=fanciful', '=generic'])),
    shows: ['Mark 0 for soap.', 'generic'],
  },
  {
    of: 'M3Exam (numbered options, a background)',
    file: 'm3exam.json',
    rows: [
      {
        question_text: 'ใครมาก่อน',
        background_description: ['แอนมาก่อนโบ'],
        answer_text: '2',
        options: ['(1) โบ', '(2) แอน', '(3) ซี'],
      },
      { question_text: 'ใครมาทีหลัง', background_description: [], answer_text: '1', options: ['(1) โบ', '(2) แอน'] },
    ],
    recipe: 'multiple-choice',
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['แอนมาก่อนโบ', 'B) แอน'],
  },
  {
    of: 'IndoMMLU (options in the column of answers)',
    file: 'indommlu.csv',
    text: 'id,subject,soal,jawaban,kunci\n1,IPA,Apa warna langit?,"A. merah\nB. biru\nC. hijau",B\n2,IPA,Apa warna daun?,"A. merah\nB. biru\nC. hijau",C\n',
    recipe: 'multiple-choice',
    answers: [
      ['B', 'A'],
      ['C', 'B'],
    ],
    shows: ['B) biru'],
  },
  {
    of: 'CyberMetric (options by letter under answers)',
    file: 'cyber.json',
    text: JSON.stringify({
      questions: [
        { question: 'Which port?', answers: { A: '21', B: '22', C: '80' }, solution: 'B' },
        { question: 'Which lock?', answers: { A: 'padlock', B: 'none', C: 'gate' }, solution: 'A' },
      ],
    }),
    recipe: 'multiple-choice',
    answers: [
      ['B', 'C'],
      ['A', 'B'],
    ],
    shows: ['Which port?', 'B) 22'],
  },
  {
    of: 'TeleQnA (questions by name, a key such as "option 2: …")',
    file: 'teleqna.json',
    text: JSON.stringify({
      'question 0': { question: 'Who?', 'option 1': 'Ann', 'option 2': 'Bo', 'option 3': 'Cy', answer: 'option 2: Bo' },
      'question 1': { question: 'When?', 'option 1': 'now', 'option 2': 'then', answer: 'option 1: now' },
    }),
    recipe: 'multiple-choice',
    answers: [
      ['B', 'C'],
      ['A', 'B'],
    ],
    shows: ['B) Bo'],
  },
  {
    of: 'CTIBench (a key under GT)',
    file: 'cti.tsv',
    text: 'Question\tOption A\tOption B\tOption C\tPrompt\tGT\nWhich tool?\tsaw\tax\trake\tChoose one.\tB\nWhich wood?\toak\tash\telm\tChoose one.\tC\n',
    recipe: 'multiple-choice',
    answers: [
      ['B', 'A'],
      ['C', 'A'],
    ],
    shows: ['B) ax'],
  },
  {
    of: 'CaseHOLD (columns and a question of unknown names)',
    file: 'casehold.csv',
    text: 'example_id,citing_prompt,holding_0,holding_1,holding_2,label\n1,The court said that (<HOLDING>).,that it may,that it must,that it cannot,2\n2,Another court held (<HOLDING>).,that he owes,that she owes,that they owe,0\n',
    recipe: 'multiple-choice',
    answers: [
      ['C', 'A'],
      ['A', 'B'],
    ],
    shows: ['The court said that', 'C) that it cannot'],
  },
  {
    of: 'LawBench (options on one line, a key with words)',
    file: 'lawbench.json',
    rows: [
      { instruction: '选出正确答案。', question: '哪项正确？A:甲物;B:乙物;C:丙物;D:丁物。', answer: '正确答案：AC。' },
      { instruction: '选出正确答案。', question: '哪项错误？A:甲物;B:乙物;C:丙物;D:丁物。', answer: '正确答案：B。' },
    ],
    recipe: 'multiple-choice',
    answers: [
      ['A, C', 'B'],
      ['B', 'D'],
    ],
    shows: ['选出正确答案。', '哪项正确？'],
  },
  {
    of: 'CMExam (letters without a point)',
    file: 'cmexam.csv',
    text: 'Question,Options,Answer\n首选药物是,"A 青药\nB 红药\nC 白药",A\n禁用药物是,"A 青药\nB 红药\nC 白药",C\n',
    recipe: 'multiple-choice',
    answers: [
      ['A', 'B'],
      ['C', 'A'],
    ],
    shows: ['A) 青药'],
  },
  {
    of: 'QuaRel (two options on the line)',
    file: 'quarel.jsonl',
    rows: [
      { id: 'a', answer_index: 1, question: 'Ann slides further on ice. Which is smoother? (A) snow (B) ice' },
      { id: 'b', answer_index: 0, question: 'Bo stops sooner on grass. Which is rougher? (A) grass (B) road' },
    ],
    recipe: 'multiple-choice',
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['(B) ice'],
  },
  {
    of: 'QuaRTz (a paragraph beside the question)',
    file: 'quartz.jsonl',
    rows: [
      {
        id: '1',
        answerKey: 'B',
        para: 'The heavier a thing, the stronger its pull.',
        question: {
          stem: 'Which pulls more?',
          choices: [
            { text: 'a feather', label: 'A' },
            { text: 'a moon', label: 'B' },
          ],
        },
      },
    ],
    recipe: 'multiple-choice',
    answers: [['B', 'A']],
    shows: ['The heavier a thing', 'B) a moon'],
  },
  {
    of: 'ScienceQA (a hint that the question is about)',
    file: 'scienceqa.json',
    text: JSON.stringify({
      1: {
        question: 'What did Ann test?',
        choices: ['the ball', 'the floor'],
        answer: 1,
        hint: 'Ann tried two floors.',
        image: null,
      },
      2: { question: 'Which is a bird?', choices: ['wren', 'trout'], answer: 0, hint: '', image: null },
    }),
    recipe: 'multiple-choice',
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['Ann tried two floors.'],
  },
  {
    of: 'JAQKET (a key by text under a name of its own)',
    file: 'jaqket.jsonl',
    rows: [
      {
        qid: 'Q1',
        question: '首都はどこ?',
        answer_entity: '東の町',
        answer_candidates: ['西の町', '東の町', '北の町'],
      },
      { qid: 'Q2', question: '一番高い山は?', answer_entity: '白い山', answer_candidates: ['白い山', '黒い山'] },
    ],
    recipe: 'multiple-choice',
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['B) 東の町'],
  },
  {
    of: 'KoBEST COPA',
    file: 'kobest-copa.jsonl',
    rows: [
      {
        premise: '비가 왔다.',
        question: '결과',
        alternative_1: '땅이 말랐다.',
        alternative_2: '땅이 젖었다.',
        label: 1,
      },
      {
        premise: '그는 늦었다.',
        question: '원인',
        alternative_1: '버스가 없었다.',
        alternative_2: '일찍 나갔다.',
        label: 0,
      },
    ],
    recipe: 'completions',
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['비가 왔다.', 'What happened as a result?'],
  },
  {
    of: 'KoBEST WiC',
    file: 'kobest-wic.jsonl',
    rows: [
      { word: '배', context_1: '[배]를 탔다.', context_2: '[배]가 아프다.', label: 0 },
      { word: '눈', context_1: '[눈]이 내린다.', context_2: '흰 [눈]이다.', label: 1 },
    ],
    recipe: 'judgments',
    answers: [
      ['A', 'B'],
      ['B', 'A'],
    ],
    shows: ['[배]를 탔다.', 'same meaning'],
  },
  {
    of: 'Climate-FEVER',
    file: 'climate.jsonl',
    rows: [
      { claim: 'The lake freezes.', claim_label: 'SUPPORTS', evidences: [{ evidence: 'Ice covers the lake.' }] },
      { claim: 'The lake boils.', claim_label: 'REFUTES', evidences: [{ evidence: 'It is cold.' }] },
    ],
    recipe: 'entailment',
    answers: [
      ['=SUPPORTS', '=REFUTES'],
      ['=REFUTES', '=SUPPORTS'],
    ],
    shows: ['Ice covers the lake.', 'The lake freezes.'],
  },
  {
    of: 'TNEWS (labels by number with a name)',
    file: 'tnews.json',
    rows: [
      { label: '102', label_desc: 'news_film', sentence: '新片上映' },
      { label: '110', label_desc: 'news_sport', sentence: '比赛开始' },
      { label: '102', label_desc: 'news_film', sentence: '影星来访' },
    ],
    recipe: 'labels',
    answers: [
      ['A', 'B'],
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['新片上映', 'A) news_film'],
  },
  {
    of: 'OpenAI items with a label',
    file: 'items.jsonl',
    rows: [
      { item: { ticket_text: 'My screen stays dark.', correct_label: 'Hardware' } },
      { item: { ticket_text: 'I cannot leave the editor.', correct_label: 'Software' } },
      { item: { ticket_text: 'The keyboard is broken.', correct_label: 'Hardware' } },
    ],
    recipe: 'labels',
    answers: [
      ['A', 'B'],
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['My screen stays dark.', 'A) Hardware'],
  },
]

const pairs = (question: string, answer: string, name: string) => [
  { [question]: 'Capital of Peru?', [answer]: name },
  { [question]: 'Capital of Italy?', [answer]: 'Rome' },
]

/** Short answers under other names, and the datasets that tools for evaluation keep. */
export const furtherAnswerFiles: readonly SampleFile[] = [
  ...[
    {
      of: 'Opik (the row under data)',
      lines: true,
      value: (q: string, a: string) => ({ id: q, data: { input: q, expected_output: a }, source: 'manual' }),
    },
    {
      of: 'AmbigQA',
      lines: true,
      value: (q: string, a: string) => ({ id: q, question: q, annotations: [{ type: 'x' }], nq_answer: [a] }),
    },
    {
      of: 'ReCoRD',
      lines: true,
      value: (q: string, a: string) => ({
        passage: { text: 'Ann lives in Oslo.' },
        qas: [{ query: q, answers: [{ text: a }] }],
      }),
    },
    { of: 'a list of pairs', lines: false, value: (q: string, a: string) => [q, a] },
  ].map(({ of, lines: isLines, value }): SampleFile => {
    const rows = [value('Who lives here?', 'Ann'), value('Where does she live?', 'Oslo')]
    return {
      of,
      file: isLines ? 'lines.jsonl' : 'list.json',
      text: isLines ? rows.map((row) => JSON.stringify(row)).join('\n') : JSON.stringify(rows),
      recipe: of === 'ReCoRD' ? 'reading' : 'facts',
      answers: [
        ['Ann', 'Bo'],
        ['Oslo', 'Lima'],
      ],
      shows: ['Who lives here?'],
    }
  }),
  ...[
    {
      columns: ['question', 'answer'],
      index: [0, 1],
      data: [
        ['Who?', 'Ann'],
        ['Where?', 'Oslo'],
      ],
    },
    { capitals: [{ question: 'Who?', answer: 'Ann' }], people: [{ question: 'Where?', answer: 'Oslo' }] },
    {
      one: { canary: 'x', examples: [{ input: 'Who?', target: 'Ann' }] },
      two: { canary: 'x', examples: [{ input: 'Where?', target: 'Oslo' }] },
    },
    {
      train: [1, 2, 3].map((index) => ({ question: `Train ${index}?`, answer: 'x' })),
      test: [
        { question: 'Who?', answer: 'Ann' },
        { question: 'Where?', answer: 'Oslo' },
      ],
    },
    [
      ['question', 'answer', 'source'],
      ['Who?', 'Ann', 'x'],
      ['Where?', 'Oslo', 'y'],
    ],
    { 'Who?': 'Ann', 'Where?': 'Oslo' },
  ].map((document, index): SampleFile => ({
    of: `a table in JSON (${index + 1})`,
    file: `table-${index}.json`,
    text: JSON.stringify(document),
    recipe: 'facts',
    answers: [
      ['Ann', 'Bo'],
      ['Oslo', 'Lima'],
    ],
    shows: ['Who?'],
  })),
  {
    of: 'TheoremQA (numbers, lists, yes and no)',
    file: 'theorems.json',
    rows: [
      { Question: 'Which are the roots?', Answer: [1, 2.5], Answer_type: 'list of float' },
      { Question: 'Does it converge?', Answer: true, Answer_type: 'bool' },
      { Question: 'How far is it?', Answer: 0.5, Answer_type: 'float' },
      { Question: 'When was it?', Answer: 1939, Answer_type: 'integer' },
    ],
    recipe: 'facts',
    answers: [
      ['[1.0, 5/2]', '1'],
      ['True', 'False'],
      ['1/2', '2'],
      ['1939', '1940'],
    ],
    shows: ['Which are the roots?'],
  },
  {
    of: 'MATH-500 (names among formulas, numbers in groups)',
    file: 'words.jsonl',
    rows: [
      ['Who is fastest?', '\\text{Ann}'],
      ['Odd or even?', 'even'],
      ['How many?', '11,\\! 111,\\! 100'],
      ['Which are the solutions?', '$2$, $3$'],
    ].map(([problem, answer]) => ({ problem, solution: `It is $\\boxed{${answer}}$.`, answer, level: 2 })),
    recipe: 'maths',
    answers: [
      ['Ann', 'Bo'],
      ['even', 'odd'],
      ['11111100', '1111100'],
      ['2, 3', '2, 4'],
    ],
    shows: ['Who is fastest?'],
  },
  {
    of: 'CLadder (what is given)',
    file: 'given.json',
    rows: [
      {
        question_id: 1,
        given_info: 'Rain makes streets wet.',
        question: 'Is the street wet after rain?',
        answer: 'yes',
      },
      { question_id: 2, given_info: 'Sun dries streets.', question: 'Is the street wet after sun?', answer: 'no' },
    ],
    recipe: 'facts',
    answers: [
      ['yes', 'no'],
      ['no', 'yes'],
    ],
    shows: ['Rain makes streets wet.'],
  },
  {
    of: 'Lila (instances with an output answer)',
    file: 'lila.json',
    text: JSON.stringify({
      Instances: [
        { Input: 'Add three to four.', 'Output Program': ['print(7)'], 'Output Answer': ['7'] },
        { Input: 'Double four.', 'Output Program': ['print(8)'], 'Output Answer': ['8'] },
      ],
    }),
    recipe: 'maths',
    answers: [
      ['7', '8'],
      ['8', '7'],
    ],
    shows: ['Add three to four.'],
  },
  {
    of: 'Ragas (what a system answered stands under answer)',
    file: 'ragas.csv',
    text: 'question,answer,contexts,ground_truth\nCapital of Peru?,It is Cusco.,"[\'Lima is the capital of Peru.\']",Lima\nCapital of Italy?,Milan,"[\'Rome is old.\']",Rome\n',
    recipe: 'reading',
    answers: [
      ['Lima', 'Cusco'],
      ['Rome', 'Milan'],
    ],
    shows: ['Lima is the capital of Peru.'],
  },
  {
    of: 'Ragas (its newer names)',
    file: 'ragas.jsonl',
    rows: [
      { user_input: 'Capital of Peru?', retrieved_contexts: ['About Peru.'], response: 'Cusco', reference: 'Lima' },
      { user_input: 'Capital of Italy?', retrieved_contexts: ['About Italy.'], response: 'Milan', reference: 'Rome' },
    ],
    recipe: 'reading',
    answers: [
      ['Lima', 'Cusco'],
      ['Rome', 'Milan'],
    ],
    shows: ['About Peru.', 'Capital of Peru?'],
  },
  {
    of: 'LangSmith',
    file: 'langsmith.jsonl',
    rows: [
      { inputs: { question: 'Capital of Peru?' }, outputs: { answer: 'Lima' } },
      { inputs: { question: 'Capital of Italy?' }, outputs: { answer: 'Rome' } },
    ],
    recipe: 'facts',
    answers: [
      ['Lima', 'Cusco'],
      ['Rome', 'Milan'],
    ],
    shows: ['Capital of Peru?'],
  },
  {
    of: 'Langfuse (a field alone)',
    file: 'langfuse.jsonl',
    rows: [
      { id: 'a', input: { topic: 'Capital of Peru?' }, expectedOutput: { city: 'Lima' } },
      { id: 'b', input: { topic: 'Capital of Italy?' }, expectedOutput: { city: 'Rome' } },
    ],
    recipe: 'facts',
    answers: [
      ['Lima', 'Cusco'],
      ['Rome', 'Milan'],
    ],
    shows: ['Capital of Peru?'],
  },
  {
    of: 'Q and A',
    file: 'qa.json',
    rows: pairs('q', 'a', 'Lima'),
    recipe: 'facts',
    answers: [
      ['Lima', 'Cusco'],
      ['Rome', 'Milan'],
    ],
    shows: ['Capital of Peru?'],
  },
  {
    of: 'CMRC 2018 (its trial)',
    file: 'cmrc.json',
    rows: [
      {
        context_id: 'T1',
        context_text: '河边有一座桥，桥叫长桥。',
        qas: [
          { query_text: '桥叫什么？', query_id: 'T1-0', answers: ['长桥', '长桥'] },
          { query_text: '桥在哪里？', query_id: 'T1-1', answers: ['河边'] },
        ],
      },
    ],
    recipe: 'reading',
    answers: [
      ['长桥', '短桥'],
      ['河边', '山上'],
    ],
    shows: ['河边有一座桥', '桥叫什么？'],
  },
  {
    of: 'ROPES (a background and a situation)',
    file: 'ropes.json',
    text: JSON.stringify({
      data: [
        {
          paragraphs: [
            {
              background: 'Iron rusts in water.',
              situation: 'Ann left her nail in a pond. Bo kept his dry.',
              qas: [{ id: 'q1', question: 'Whose nail rusts?', answers: [{ text: 'Ann' }] }],
            },
          ],
        },
      ],
    }),
    recipe: 'reading',
    answers: [['Ann', 'Bo']],
    shows: ['Iron rusts in water.', 'Ann left her nail'],
  },
  {
    of: 'MS MARCO',
    file: 'marco.jsonl',
    rows: [
      {
        query: 'who built the long bridge',
        passages: { is_selected: [0, 1], passage_text: ['A bridge is long.', 'Ann Lee built it.'] },
        answers: ['Ann Lee'],
      },
    ],
    recipe: 'reading',
    answers: [['Ann Lee', 'Bo Kim']],
    shows: ['Ann Lee built it.'],
  },
  {
    of: 'DROP (simple-evals)',
    file: 'drop.jsonl',
    rows: [
      {
        context: 'Passage: Two kicks were good. Question: How many kicks were good? Answer:',
        completion: ' 2',
        ref_text: '2|two kicks',
      },
    ],
    recipe: 'reading',
    answers: [['two kicks', '3']],
    shows: ['How many kicks were good?'],
  },
  {
    of: 'FreshQA (wordings in columns)',
    file: 'fresh.csv',
    text: 'id,question,effective_year,answer_0,answer_1,answer_2\n1,How many moons?,2024,Two,2 moons,\n2,Who leads?,2024,Ann Lee,,\n',
    recipe: 'facts',
    answers: [
      ['2 moons', '3'],
      ['Ann Lee', 'Bo Kim'],
    ],
    shows: ['How many moons?'],
  },
  {
    of: 'SelfAware (some have no answer)',
    file: 'selfaware.json',
    text: JSON.stringify({
      example: [
        { question_id: 1, question: 'Where is the pole?', answer: ['in the north'], answerable: true },
        { question_id: 2, question: 'What will I dream?', answer: null, answerable: false },
      ],
    }),
    recipe: 'facts',
    answers: [
      ['in the north', 'in the south'],
      ['unanswerable', 'of sheep'],
    ],
    shows: ['Where is the pole?'],
  },
  {
    of: 'BioASQ (snippets)',
    file: 'bioasq.json',
    text: JSON.stringify({
      questions: [
        {
          body: 'Is it hereditary?',
          type: 'yesno',
          id: '5',
          snippets: [{ text: 'It has many causes.' }],
          exact_answer: 'no',
        },
        { body: 'Which gene?', type: 'factoid', id: '6', snippets: [{ text: 'RET is one.' }], exact_answer: [['RET']] },
      ],
    }),
    recipe: 'reading',
    answers: [
      ['No', 'Yes'],
      ['RET', 'ABC'],
    ],
    shows: ['It has many causes.', 'Is it hereditary?'],
  },
  {
    of: 'Math23K (mixed numbers)',
    file: 'math23k.json',
    rows: [
      { id: '1', original_text: '还剩几个苹果？', equation: 'x=12-5', ans: '7' },
      { id: '2', original_text: '一共多少米？', equation: 'x=1+1/2', ans: '1(1/2)' },
    ],
    recipe: 'maths',
    answers: [
      ['7', '5'],
      ['\\frac{3}{2}', '1'],
    ],
    shows: ['还剩几个苹果？'],
  },
  {
    of: 'CARP and PHYBench (the problem under content)',
    file: 'carp.jsonl',
    rows: [
      { content: 'Find $T$ for the ball of mass $m$.', answer: '$$T = \\frac{1}{2}mg$$' },
      { content: 'Given $x=2$, find $x+1$.', answer: '3' },
    ],
    recipe: 'maths',
    answers: [
      ['T = \\frac{mg}{2}', 'T = mg'],
      ['3', '2'],
    ],
    shows: ['the ball of mass'],
  },
  {
    of: 'a short label for an instruction with its input',
    file: 'instructions.csv',
    text: 'instruction,input,output\n"Say good, neutral or bad.",Helping a friend,good\n"Say good, neutral or bad.",Breaking a cup on purpose,bad\n',
    recipe: 'facts',
    answers: [
      ['good', 'bad'],
      ['bad', 'neutral'],
    ],
    shows: ['Say good, neutral or bad.', 'Helping a friend'],
  },
  {
    of: 'results with gt',
    file: 'gt.jsonl',
    rows: [
      { question: 'Halve one.', gt_cot: 'x', gt: '\\frac{1}{2}', pred: '2' },
      { question: 'Double six.', gt_cot: 'x', gt: '12', pred: '6' },
    ],
    recipe: 'maths',
    answers: [
      ['0.5', '2'],
      ['12', '6'],
    ],
    shows: ['Halve one.'],
  },
  {
    of: 'MathOdyssey (a problem by name on each line)',
    file: 'odyssey.jsonl',
    rows: [
      { Problem_1: { question: 'How many subsets?', reasoning: 'x', answer: '8', label: 'School' } },
      { Problem_2: { question: 'Find $x$.', reasoning: 'x', answer: '$\\frac{3}{4}$', label: 'School' } },
    ],
    recipe: 'maths',
    answers: [
      ['8', '6'],
      ['\\frac34', '\\frac43'],
    ],
    shows: ['How many subsets?'],
  },
  {
    of: 'verl (what a reward is given for)',
    file: 'verl.jsonl',
    rows: [
      { prompt: [{ role: 'user', content: 'Three pens a box: how many in 2?' }], reward_model: { ground_truth: '6' } },
      { prompt: [{ role: 'user', content: 'Halve one.' }], reward_model: { ground_truth: '\\frac12' } },
    ],
    recipe: 'samples',
    answers: [
      ['6', '5'],
      ['\\frac{1}{2}', '2'],
    ],
    shows: ['Three pens a box'],
  },
  {
    of: 'NuminaMath (messages to train on)',
    file: 'numina.jsonl',
    rows: [
      {
        source: 'olympiads',
        problem: 'Compute $2^5$.',
        solution: 'We have $2^5 = \\boxed{32}$.',
        messages: [
          { content: 'Compute $2^5$.', role: 'user' },
          { content: 'We have $2^5 = \\boxed{32}$.', role: 'assistant' },
        ],
      },
      {
        source: 'amc_aime',
        problem: 'Halve one.',
        solution: 'It is $\\boxed{\\frac12}$.',
        messages: [
          { content: 'Halve one.', role: 'user' },
          { content: 'It is $\\boxed{\\frac12}$.', role: 'assistant' },
        ],
      },
    ],
    recipe: 'samples',
    answers: [
      ['32', '25'],
      ['\\frac{1}{2}', '2'],
    ],
    shows: ['Compute $2^5$.'],
  },
]
