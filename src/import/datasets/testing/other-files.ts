import type { SampleFile } from './sample-file.ts'

/** Shapes with options that need more than their usual names: counted otherwise, nested, lettered in another alphabet. */
export const otherChoiceFiles: readonly SampleFile[] = [
  {
    of: 'JCommonsenseQA (choice0 …)',
    file: 'jcqa.jsonl',
    recipe: 'multiple-choice',
    rows: [
      { q_id: 0, question: '絵と物語がある本は?', choice0: '写真集', choice1: '辞典', choice2: '絵本', label: 2 },
      { q_id: 1, question: '空は何色?', choice0: '青', choice1: '赤', choice2: '黒', label: 0 },
    ],
    answers: [
      ['C', 'B'],
      ['A', 'C'],
    ],
    shows: ['A) 写真集', 'C) 絵本'],
  },
  {
    of: 'MMLU-ProX (option_0 …)',
    file: 'prox.jsonl',
    recipe: 'multiple-choice',
    rows: [
      {
        question_id: 70,
        question: '哪个最大？',
        option_0: '猫',
        option_1: '象',
        option_2: '鼠',
        option_3: null,
        answer: 'B',
        answer_index: 1,
        category: '动物',
      },
      {
        question_id: 71,
        question: '哪个最小？',
        option_0: '猫',
        option_1: '象',
        option_2: '鼠',
        option_3: '马',
        answer: 'C',
        answer_index: 2,
        category: '动物',
      },
    ],
    answers: [
      ['B', 'A'],
      ['C', 'A'],
    ],
    shows: ['A) 猫', 'C) 鼠'],
  },
  {
    of: 'XCOPA with labels that never are 0',
    file: 'xcopa.jsonl',
    recipe: 'completions',
    rows: [
      {
        premise: 'La strada è bagnata.',
        choice1: 'Fa freddo.',
        choice2: 'Ha piovuto.',
        question: 'cause',
        label: 1,
        idx: 0,
        changed: false,
      },
    ],
    answers: [['B', 'A']],
    shows: ['What was the cause of this?', 'B) Ha piovuto.'],
  },
  {
    of: 'QuALITY (labels from 1)',
    file: 'quality.jsonl',
    recipe: 'multiple-choice',
    rows: [
      {
        article_id: '1',
        set_unique_id: 's1',
        article: 'The river is long. It flows north into the sea.',
        questions: [
          {
            question: 'Where does it flow?',
            question_unique_id: 'q1',
            options: ['north', 'south', 'east'],
            gold_label: 1,
          },
          {
            question: 'What is long?',
            question_unique_id: 'q2',
            options: ['the sea', 'the river', 'the road'],
            gold_label: 2,
          },
        ],
      },
    ],
    answers: [
      ['A', 'B'],
      ['B', 'A'],
    ],
    shows: ['The river is long. It flows north into the sea.', 'A) north'],
  },
  {
    of: 'an exam in German (numbered columns)',
    file: 'fragen.csv',
    recipe: 'multiple-choice',
    text: 'Frage;Antwort 1;Antwort 2;Antwort 3;Richtige Antwort\nWas ist rot?;Gras;Blut;Himmel;2\nWas ist grün?;Gras;Blut;Himmel;1\n',
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['Was ist rot?', 'B) Blut'],
  },
  {
    of: 'an exam in French (lettered columns)',
    file: 'examen.csv',
    recipe: 'multiple-choice',
    text: 'Énoncé,proposition_a,proposition_b,proposition_c,bonne_reponse\nCapitale du Pérou ?,Quito,Lima,Cuzco,b\nCapitale de la Grèce ?,Athènes,Patras,Volos,a\n',
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['B) Lima'],
  },
  {
    of: 'an exam in Arabic (Arabic letters)',
    file: 'arabic.csv',
    recipe: 'multiple-choice',
    text: 'السؤال,أ,ب,ج,د,الإجابة\nما هي عاصمة بيرو؟,كيتو,ليما,كوسكو,لاباز,ب\nما لون السماء؟,أزرق,أحمر,أخضر,أسود,أ\n',
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['B) ليما'],
  },
  {
    of: 'an exam in Persian',
    file: 'persian.jsonl',
    recipe: 'multiple-choice',
    rows: [
      { سوال: 'پایتخت پرو کجاست؟', 'گزینه 1': 'کیتو', 'گزینه 2': 'لیما', 'گزینه 3': 'کوسکو', 'پاسخ صحیح': 2 },
      { سوال: 'آسمان چه رنگ است؟', 'گزینه 1': 'آبی', 'گزینه 2': 'سرخ', 'گزینه 3': 'سبز', 'پاسخ صحیح': 1 },
    ],
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['B) لیما'],
  },
  {
    of: 'an exam in Turkish without accents',
    file: 'soru.jsonl',
    recipe: 'multiple-choice',
    rows: [
      { soru: 'En uzun hangisi?', secenekler: ['yol', 'nehir', 'ev'], cevap: 1 },
      { soru: 'En eski hangisi?', secenekler: ['yol', 'nehir', 'ev'], cevap: 0 },
    ],
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['B) nehir'],
  },
  {
    of: 'ToMBench (names in two languages)',
    file: 'tom.jsonl',
    recipe: 'multiple-choice',
    rows: [
      {
        STORY: 'Ann puts the ball into the box and leaves. Bo moves it to the bag.',
        QUESTION: 'Where does Ann look?',
        'OPTION-A': 'in the box',
        'OPTION-B': 'in the bag',
        'OPTION-C': null,
        '答案\nANSWER': 'A',
      },
      {
        STORY: 'Ann sleeps.',
        QUESTION: 'Who sleeps?',
        'OPTION-A': 'Bo',
        'OPTION-B': 'Cy',
        'OPTION-C': 'Ann',
        '答案\nANSWER': 'C',
      },
    ],
    answers: [
      ['A', 'B'],
      ['C', 'A'],
    ],
    shows: ['Bo moves it', 'A) in the box'],
  },
  {
    of: 'HEAD-QA',
    file: 'headqa.jsonl',
    recipe: 'multiple-choice',
    rows: [
      {
        name: 'C_1',
        year: '2013',
        qid: 1,
        qtext: '¿Cuál es un hueso?',
        ra: 2,
        image: null,
        answers: [
          { aid: 1, atext: 'La piel' },
          { aid: 2, atext: 'El fémur' },
          { aid: 3, atext: 'El ojo' },
        ],
      },
    ],
    answers: [['B', 'A']],
    shows: ['¿Cuál es un hueso?', 'B) El fémur'],
  },
  {
    of: 'MERA (an instruction with fields)',
    file: 'mera.jsonl',
    recipe: 'multiple-choice',
    rows: [
      {
        instruction: 'Вопрос по теме {subject}.\n{text}\nA {option_a}\nB {option_b}\nОтвет:',
        inputs: { text: 'Что длиннее?', option_a: 'река', option_b: 'дом', subject: 'мир' },
        outputs: 'A',
        meta: { id: 7, domain: 'geo' },
      },
    ],
    answers: [['A', 'B']],
    shows: ['Что длиннее?', 'A) река'],
  },
  {
    of: 'a quiz whose options say which is right',
    file: 'quiz.json',
    recipe: 'multiple-choice',
    rows: [
      {
        question: 'Which is a fruit?',
        answers: [
          { text: 'Salt', correct: false },
          { text: 'Plum', correct: true },
        ],
      },
      {
        question: 'Which is a metal?',
        answers: [
          { text: 'Iron', correct: true },
          { text: 'Wool', correct: false },
        ],
      },
    ],
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['B) Plum'],
  },
  {
    of: 'a quiz whose key repeats letter and text',
    file: 'keys.json',
    recipe: 'multiple-choice',
    rows: [
      { question: 'Which is a fruit?', options: 'A) Salt\nB) Plum\nC) Wool', answer: 'B) Plum' },
      { question: 'Which is a metal?', options: 'A) Iron\nB) Plum\nC) Wool', answer: 'A) Iron' },
    ],
    answers: [
      ['B', 'A'],
      ['A', 'B'],
    ],
    shows: ['B) Plum'],
  },
  {
    of: 'options in the problem, the key in a box',
    file: 'boxed.jsonl',
    recipe: 'multiple-choice',
    rows: [
      { problem: 'Which is a fruit?\n\nA. salt\nB. plum\nC. wool', solution: '\\boxed{B}', domain: 'Food' },
      { problem: 'Which is a metal?\n\nA. iron\nB. plum\nC. wool', solution: '\\boxed{A}', domain: 'Food' },
    ],
    answers: [
      ['B', 'A'],
      ['A', 'C'],
    ],
    shows: ['B. plum'],
  },
  {
    of: 'GAOKAO-Bench with several right options',
    file: 'gaokao.json',
    recipe: 'multiple-choice',
    text: '{"keywords":"Physics","example":[{"year":"2010","question":"正确的是（ ）\\n A. 一\\n B. 二\\n C. 三\\n D. 四\\n","answer":["A","C"],"analysis":"AC","index":0,"score":6},{"year":"2010","question":"错误的是（ ）\\n A. 一\\n B. 二\\n C. 三\\n D. 四\\n","answer":["D"],"analysis":"D","index":1,"score":6}]}',
    answers: [
      ['AC', 'A'],
      ['D', 'A'],
    ],
    shows: ['C. 三'],
  },
  {
    of: 'JEEBench (some questions without options)',
    file: 'jee.json',
    recipe: 'multiple-choice',
    rows: [
      { index: 1, question: 'The speed is\n\n(A) $6.0$\n\n(B) $6.4$\n\n(C) $6.6$', gold: 'B' },
      { index: 2, question: 'The mass is\n\n(A) one\n\n(B) two\n\n(C) three', gold: 'C' },
      { index: 3, question: 'The force is ____', gold: '5.5' },
    ],
    answers: [
      ['B', 'A'],
      ['C', 'A'],
      ['5.5', '5'],
    ],
    shows: ['(B) $6.4$'],
  },
  {
    of: "Humanity's Last Exam (some questions with options)",
    file: 'hle.jsonl',
    recipe: 'facts',
    rows: [
      {
        id: '66',
        question: 'Which is a fruit?\n\nAnswer Choices:\nA. Salt\nB. Plum\nC. Wool',
        image: '',
        answer: 'B',
        answer_type: 'multipleChoice',
      },
      { id: '67', question: 'Who wrote it?', image: '', answer: 'Euler', answer_type: 'exactMatch' },
      { id: '68', question: 'Who read it?', image: '', answer: 'Gauss', answer_type: 'exactMatch' },
    ],
    answers: [
      ['B', 'A'],
      ['Euler', 'Gauss'],
      ['Gauss', 'Euler'],
    ],
    shows: ['B. Plum'],
  },
  {
    of: 'MultiRC (nested)',
    file: 'multirc.jsonl',
    recipe: 'multiple-choice',
    rows: [
      {
        idx: 0,
        passage: {
          text: 'The river is long. It flows north into the sea.',
          questions: [
            {
              question: 'Where does it flow?',
              idx: 0,
              answers: [
                { text: 'North', idx: 0, label: 1 },
                { text: 'South', idx: 1, label: 0 },
                { text: 'To the sea', idx: 2, label: 1 },
              ],
            },
          ],
        },
      },
    ],
    answers: [['A, C', 'A']],
    shows: ['The river is long. It flows north into the sea.', 'C) To the sea'],
  },
  {
    of: 'DREAM (original)',
    file: 'dream.json',
    recipe: 'multiple-choice',
    text: '[[["W: These are two dollars.","M: I take six."],[{"question":"How many does he take?","choice":["Six","Two","One"],"answer":"Six"}],"5-510"]]',
    answers: [['A', 'B']],
    shows: ['M: I take six.', 'A) Six'],
  },
  {
    of: 'DREAM (Hugging Face)',
    file: 'dream-rows.jsonl',
    recipe: 'multiple-choice',
    rows: [
      {
        id: 0,
        dialogue_id: '5-510',
        dialogue: ['W: These are two dollars.', 'M: I take six.'],
        question: 'How many does he take?',
        choice: ['Six', 'Two', 'One'],
        answer: 'Six',
      },
    ],
    answers: [['A', 'B']],
    shows: ['W: These are two dollars.\nM: I take six.'],
  },
  {
    of: 'e-CARE',
    file: 'ecare.jsonl',
    recipe: 'completions',
    rows: [
      {
        index: 'd-0',
        premise: 'The pan was on the fire.',
        'ask-for': 'effect',
        hypothesis1: 'It was hot.',
        hypothesis2: 'It was cold.',
        label: 0,
      },
    ],
    answers: [['A', 'B']],
    shows: ['What happened as a result?', 'A) It was hot.'],
  },
  {
    of: 'ART (abductive NLI)',
    file: 'art.jsonl',
    recipe: 'completions',
    rows: [
      {
        story_id: 's1',
        obs1: 'The garden was dry.',
        obs2: 'The garden was wet.',
        hyp1: 'It snowed elsewhere.',
        hyp2: 'It rained.',
        label: '2',
      },
    ],
    answers: [['B', 'A']],
    shows: ['Before: The garden was dry.', 'After: The garden was wet.'],
  },
  {
    of: 'StoryCloze',
    file: 'cloze.csv',
    recipe: 'completions',
    text: 'InputStoryid,InputSentence1,InputSentence2,InputSentence3,InputSentence4,RandomFifthSentenceQuiz1,RandomFifthSentenceQuiz2,AnswerRightEnding\ns1,Ann was new.,She met Bo.,They sang.,They laughed.,They became friends.,They never met.,1\n',
    answers: [['A', 'B']],
    shows: ['They laughed.', 'A) They became friends.'],
  },
  {
    of: 'HaluEval',
    file: 'halueval.jsonl',
    recipe: 'right-and-wrong',
    rows: [
      {
        knowledge: 'The mill is from 1844.',
        question: 'How old is the mill?',
        right_answer: 'From 1844',
        hallucinated_answer: 'It was built in 1900.',
      },
    ],
    answers: [['=From 1844', '=It was built in 1900.']],
    shows: ['The mill is from 1844.'],
  },
  {
    of: 'WiC',
    file: 'wic.jsonl',
    recipe: 'judgments',
    rows: [
      {
        word: 'bank',
        sentence1: 'She sat on the bank of the river.',
        sentence2: 'The bank lends money.',
        idx: 0,
        label: false,
        start1: 15,
      },
      { word: 'cold', sentence1: 'The water is cold.', sentence2: 'A cold wind blew.', idx: 1, label: true },
    ],
    answers: [
      ['=No', '=Yes'],
      ['=Yes', '=No'],
    ],
    shows: ['the word "bank"', 'The bank lends money.'],
  },
  {
    of: 'WSC',
    file: 'wsc.jsonl',
    recipe: 'judgments',
    rows: [
      {
        text: 'Ann told Bo about the map, and he kept it.',
        target: { span1_index: 0, span1_text: 'Ann', span2_index: 7, span2_text: 'he' },
        idx: 0,
        label: false,
      },
    ],
    answers: [['=No', '=Yes']],
    shows: ['Does "he" stand for "Ann" here?'],
  },
  {
    of: 'QNLI',
    file: 'glue-qnli.jsonl',
    recipe: 'judgments',
    rows: [
      { question: 'When was it built?', sentence: 'It was built in 1990.', label: 0, idx: 0 },
      { question: 'Who built it?', sentence: 'It rained.', label: 1, idx: 1 },
    ],
    answers: [
      ['=Yes', '=No'],
      ['=No', '=Yes'],
    ],
    shows: ['Sentence: It was built in 1990.'],
  },
  {
    of: 'MultiRC (rows)',
    file: 'multirc-rows.jsonl',
    recipe: 'judgments',
    rows: [
      {
        paragraph: 'The river is long. It flows north into the sea.',
        question: 'Where does it flow?',
        answer: 'North',
        label: 1,
      },
      {
        paragraph: 'The river is long. It flows north into the sea.',
        question: 'Where does it flow?',
        answer: 'South',
        label: 0,
      },
    ],
    answers: [
      ['=Yes', '=No'],
      ['=No', '=Yes'],
    ],
    shows: ['Answer: North'],
  },
  {
    of: 'MRPC (known by the name of the file)',
    file: 'mrpc.dev.jsonl',
    recipe: 'entailment',
    rows: [
      { sentence1: 'Ann accused Bo.', sentence2: 'Bo was accused by Ann.', label: 1, idx: 0 },
      { sentence1: 'Ann left.', sentence2: 'Bo came.', label: 0, idx: 1 },
    ],
    answers: [
      ['=equivalent', '=not equivalent'],
      ['=not equivalent', '=equivalent'],
    ],
    shows: ['How do these texts relate?'],
  },
  {
    of: 'SST-2 (known by the name of the file)',
    file: 'sst2.tsv',
    recipe: 'labels',
    text: 'sentence\tlabel\na dull film\t0\na lovely film\t1\na sad waste\t0\n',
    answers: [
      ['=negative', '=positive'],
      ['=positive', '=negative'],
      ['=negative', '=positive'],
    ],
    shows: ['a dull film'],
  },
  {
    of: 'the dataset viewer, with the words of labels',
    file: 'viewer.json',
    recipe: 'labels',
    text: '{"features":[{"feature_idx":1,"name":"label","type":{"names":["bad","good"],"_type":"ClassLabel"}}],"rows":[{"row_idx":0,"row":{"text":"a dull film","label":0},"truncated_cells":[]},{"row_idx":1,"row":{"text":"a lovely film","label":1},"truncated_cells":[]},{"row_idx":2,"row":{"text":"a fine film","label":1},"truncated_cells":[]}]}',
    answers: [
      ['=bad', '=good'],
      ['=good', '=bad'],
      ['=good', '=bad'],
    ],
    shows: ['a dull film'],
  },
  {
    of: 'Banking77 (category alone)',
    file: 'intents.csv',
    recipe: 'labels',
    text: 'text,category\nWhere is my card?,card_arrival\nIs my card here yet?,card_arrival\nHow do I top up?,top_up\n',
    answers: [
      ['=card_arrival', '=top_up'],
      ['=card_arrival', '=top_up'],
      ['=top_up', '=card_arrival'],
    ],
    shows: ['Where is my card?'],
  },
]

/** Questions whose passage, table, task or unit stands in a place of its own. */
export const otherAnswerFiles: readonly SampleFile[] = [
  {
    of: 'BoolQ (0 and 1)',
    file: 'boolq.jsonl',
    recipe: 'reading',
    rows: [
      {
        question: 'does the river flow north',
        passage: 'The river is long. It flows north into the sea.',
        idx: 0,
        label: 1,
      },
      { question: 'is the river short', passage: 'The river is long. It flows north into the sea.', idx: 1, label: 0 },
    ],
    answers: [
      ['yes', 'no'],
      ['no', 'yes'],
    ],
    shows: ['The river is long. It flows north into the sea.'],
  },
  {
    of: 'MuSiQue',
    file: 'musique.jsonl',
    recipe: 'reading',
    rows: [
      {
        id: '2hop__1',
        paragraphs: [
          { idx: 0, title: 'Long River', paragraph_text: 'It flows into the Red Sea.' },
          { idx: 1, title: 'Short River', paragraph_text: 'It flows into a lake.' },
        ],
        question: 'Into what does the Long River flow?',
        answer: 'Red Sea',
        answer_aliases: ['the Sea of Reeds'],
        answerable: true,
      },
    ],
    answers: [['the Red Sea', 'a lake']],
    shows: ['Long River: It flows into the Red Sea.', 'Short River: It flows into a lake.'],
  },
  {
    of: 'QASPER',
    file: 'qasper.json',
    recipe: 'reading',
    text: '{"1911.1":{"title":"On Mills","abstract":"We count mills.","full_text":[{"section_name":"Counting","paragraphs":["We walked.","There are 57 mills."]}],"qas":[{"question":"How many mills are there?","question_id":"b6","answers":[{"answer":{"unanswerable":false,"extractive_spans":["57"],"yes_no":null,"free_form_answer":""}}]},{"question":"Did they walk?","question_id":"b7","answers":[{"answer":{"unanswerable":false,"extractive_spans":[],"yes_no":true,"free_form_answer":""}}]}]}}',
    answers: [
      ['57', '58'],
      ['yes', 'no'],
    ],
    shows: ['There are 57 mills.'],
  },
  {
    of: 'QuAC',
    file: 'quac.json',
    recipe: 'reading',
    text: '{"data":[{"title":"River","paragraphs":[{"id":"C_1","context":"The river is long. It flows north into the sea. CANNOTANSWER","qas":[{"followup":"y","yesno":"x","question":"Where does it flow?","answers":[{"text":"north","answer_start":3}],"id":"q0"},{"followup":"n","yesno":"x","question":"Who owns it?","answers":[{"text":"CANNOTANSWER","answer_start":9}],"id":"q1"}]}]}]}',
    answers: [
      ['north', 'south'],
      ['unanswerable', 'Ann'],
    ],
    shows: ['The river is long. It flows north into the sea.'],
  },
  {
    of: 'bAbI (the story in the input)',
    file: 'babi.jsonl',
    recipe: 'facts',
    rows: [{ input: 'Bo went to the garden. Ann went to the hall.', question: 'Where is Bo?', target: 'garden' }],
    answers: [['garden', 'hall']],
    shows: ['Ann went to the hall.'],
  },
  {
    of: 'TabMWP (a table)',
    file: 'tabmwp.json',
    recipe: 'reading',
    text: '{"1":{"question":"How much do both cost together?","choices":null,"answer":"25.01","unit":"$","table":"shoes | $7.72\\nboots | $17.29"},"2":{"question":"Which is dearer?","choices":["shoes","boots"],"answer":"boots","unit":null,"table":"shoes | $7.72\\nboots | $17.29"}}',
    answers: [
      ['25.01', '24'],
      ['B', 'A'],
    ],
    shows: ['boots | $17.29', 'Give the answer in $.'],
  },
  {
    of: 'WikiTableQuestions',
    file: 'wtq.jsonl',
    recipe: 'reading',
    rows: [
      {
        id: 'nt-0',
        question: 'Which team won in 2001?',
        answers: ['Reds'],
        table: {
          header: ['Year', 'Team'],
          rows: [
            ['2001', 'Reds'],
            ['2002', 'Blues'],
          ],
          name: 'csv/1',
        },
      },
    ],
    answers: [['Reds', 'Blues']],
    shows: ['Year | Team\n2001 | Reds'],
  },
  {
    of: 'FinQA',
    file: 'finqa.json',
    recipe: 'reading',
    rows: [
      {
        pre_text: ['Notes of 2015.'],
        post_text: ['In thousands.'],
        filename: 'E/page_23.pdf',
        table: [
          ['', 'amount'],
          ['2014', '$ 35'],
          ['2015', '$ 29'],
        ],
        qa: { question: 'By how much did it fall?', answer: '6', program: 'subtract(35, 29)' },
        id: 'E/1',
      },
    ],
    answers: [['6', '5']],
    shows: ['Notes of 2015.', '2014 | $ 35', 'In thousands.'],
  },
  {
    of: 'TAT-QA',
    file: 'tatqa.json',
    recipe: 'reading',
    rows: [
      {
        table: {
          uid: 't',
          table: [
            ['', '2019'],
            ['Total', '1,496.5'],
          ],
        },
        paragraphs: [{ uid: 'p', order: 1, text: 'Sales are in millions.' }],
        questions: [{ uid: 'q1', order: 1, question: 'What is the total in 2019?', answer: ['1,496.5'] }],
      },
    ],
    answers: [['1,496.5', '1,000']],
    shows: ['Total | 1,496.5', 'Sales are in millions.'],
  },
  {
    of: 'SciBench (with units)',
    file: 'scibench.json',
    recipe: 'maths',
    rows: [
      {
        problem_text: 'What is the energy?',
        answer_latex: ' 2.6',
        answer_number: '2.6',
        unit: ' $\\mathrm{MeV}$',
        problemid: 'p1',
      },
      { problem_text: 'What is x?', answer_latex: '-14', answer_number: '-14', unit: ' ', problemid: 'p2' },
    ],
    answers: [
      ['2.6', '3.6'],
      ['-14', '14'],
    ],
    shows: ['Give the answer in $\\mathrm{MeV}$.'],
  },
  {
    of: 'MAWPS (numbers in a column)',
    file: 'mawps.csv',
    recipe: 'maths',
    text: 'Question,Numbers,Equation,Answer\nAnn has number0 pears and number1 plums . How many ?,3 4,+ number0 number1,7.0\n',
    answers: [['7', '8']],
    shows: ['Ann has 3 pears and 4 plums'],
  },
  {
    of: 'TheoremQA (a list of numbers)',
    file: 'theoremqa.json',
    recipe: 'facts',
    rows: [
      { Question: 'Which are the roots?', Answer: [1, 2], Answer_type: 'list of integer' },
      { Question: 'Does it converge?', Answer: true, Answer_type: 'bool' },
    ],
    answers: [
      ['[1, 2]', '1'],
      ['True', 'False'],
    ],
    shows: ['Which are the roots?'],
  },
  {
    of: 'CRUXEval',
    file: 'crux.jsonl',
    recipe: 'facts',
    rows: [
      { code: 'def f(x):\n    return x + x', input: '[1]', output: '[1, 1]', id: 's0' },
      { code: 'def f(s):\n    return s[::-1]', input: "'ab'", output: "'ba'", id: 's1' },
    ],
    answers: [
      ['[1, 1]', '[2]'],
      ["'ba'", "'ab'"],
    ],
    shows: ['return x + x', 'f([1])'],
  },
  {
    of: 'NQ-open (lists without a header)',
    file: 'nq-test.qa.tsv',
    recipe: 'facts',
    text: "who wrote the long book\t['Ann Lee', 'A. Lee']\nwho read the long book\t['Bo Ray']\n",
    answers: [
      ['A. Lee', 'Bo Ray'],
      ['Bo Ray', 'Ann Lee'],
    ],
    shows: ['who wrote the long book'],
  },
  {
    of: 'BIG-bench with a task for all examples',
    file: 'task.json',
    recipe: 'facts',
    text: '{"name":"x","description":"d","keywords":["k"],"metrics":["exact_str_match"],"task_prefix":"Name the capital.\\n","examples":[{"input":"Peru","target":["Lima"]},{"input":"Norway","target":"Oslo"}]}',
    answers: [
      ['Lima', 'Quito'],
      ['Oslo', 'Bergen'],
    ],
    shows: ['Name the capital.', 'Peru'],
  },
  {
    of: 'Natural Instructions',
    file: 'task001.json',
    recipe: 'facts',
    text: '{"Contributors":["x"],"Definition":["Name the capital of the country."],"Positive Examples":[{"input":"Spain","output":"Madrid","explanation":"e"}],"Instances":[{"id":"t-1","input":"Peru","output":["Lima"]},{"id":"t-2","input":"Norway","output":["Oslo"]}]}',
    answers: [
      ['Lima', 'Quito'],
      ['Oslo', 'Bergen'],
    ],
    shows: ['Name the capital of the country.', 'Peru'],
  },
]

/** Texts for which several wordings are right, and code. */
export const otherOpenFiles: readonly SampleFile[] = [
  {
    of: 'WMT',
    file: 'wmt.jsonl',
    recipe: 'translations',
    rows: [{ translation: { de: 'Der Fluss ist lang.', en: 'The river is long.' } }],
    shows: ['from German into English', 'Der Fluss ist lang.'],
  },
  {
    of: 'FLORES',
    file: 'flores.jsonl',
    recipe: 'translations',
    rows: [
      { id: 1, domain: 'news', sentence_eng_Latn: 'The river is long.', sentence_fra_Latn: 'Le fleuve est long.' },
    ],
    shows: ['The river is long.'],
  },
  {
    of: 'WMT24++',
    file: 'wmt24.jsonl',
    recipe: 'translations',
    rows: [{ lp: 'en-de_DE', segment_id: 1, source: 'The river is long.', target: 'Der Fluss ist lang.' }],
    shows: ['The river is long.'],
  },
  {
    of: 'XSum',
    file: 'xsum.jsonl',
    recipe: 'summaries',
    rows: [{ document: 'The river rose in the night. Roads are closed.', summary: 'A flood closed roads.', id: '3' }],
    shows: ['Roads are closed.'],
  },
  {
    of: 'CNN/DailyMail',
    file: 'cnn.jsonl',
    recipe: 'summaries',
    rows: [{ article: 'The river rose in the night.', highlights: 'River rises.', id: '4' }],
    shows: ['The river rose'],
  },
  {
    of: 'SAMSum',
    file: 'samsum.json',
    recipe: 'summaries',
    rows: [{ id: '1', summary: 'Ann bakes for Bo.', dialogue: 'Ann: I bake. Want some?\nBo: Sure!' }],
    shows: ['Bo: Sure!'],
  },
  {
    of: 'LiveCodeBench (functions)',
    file: 'lcb.jsonl',
    recipe: 'code',
    rows: [
      {
        question_title: 'sum',
        question_content: 'Add the numbers.',
        question_id: '3',
        starter_code: 'class Solution:\n    def total(self, nums: List[int]) -> int:\n',
        public_test_cases: '[{"input": "[1, 2]", "output": "3", "testtype": "functional"}]',
        metadata: '{"func_name": "total"}',
      },
    ],
    shows: ['Add the numbers.', 'class Solution'],
  },
]
