import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { testCaseSchema } from '../contract/index.ts'
import { compileCase } from './compiling/compile-case.ts'
import { checkSuite } from './compiling/suite.ts'
import { checkInstructions } from './instructions.ts'
import { countSentences, instructionKinds } from './instructions/kinds.ts'
import { createScoring } from './scoring.ts'
import { scorers } from './scorers.ts'

const scoring = createScoring({ random: () => 0 })

type Fields = Record<string, unknown>

async function follows(kind: string, response: string, fields: Fields = {}, strict = true): Promise<boolean> {
  return (await checkInstructions(response, [{ kind, ...fields }], strict)).score === 1
}

/** Kind, fields, a response that follows, one that does not. */
const PAIRS: readonly (readonly [string, Fields, string, string])[] = [
  ['keywords:existence', { keywords: ['Correlated', 'exper'] }, 'a correlated experience', 'a correlated thing'],
  ['keywords:frequency', { keyword: 'dog', frequency: 2, relation: 'at least' }, 'Dog and dogs', 'A dog'],
  ['keywords:frequency', { keyword: 'dog', frequency: 2, relation: 'less than' }, 'A dog', 'Dog and dogs'],
  ['keywords:forbidden_words', { forbidden_words: ['été'] }, 'Les étés', 'Un été chaud'],
  ['keywords:forbidden_words', { forbidden_words: ['cat'] }, 'Concatenate', 'The Cat sat'],
  ['keywords:letter_frequency', { letter: 'e', let_frequency: 2, let_relation: 'at least' }, 'Eve', 'eat'],
  ['keywords:letter_frequency', { letter: '#', let_frequency: 2, let_relation: 'at least' }, '## x', '# x'],
  [
    'language:response_language',
    { language: 'de' },
    'Das ist ein ganz einfacher deutscher Satz.',
    'This is a simple English sentence.',
  ],
  [
    'length_constraints:number_sentences',
    { num_sentences: 2, relation: 'at least' },
    'Mr. Fox came. He left!',
    'Mr. Fox came and left.',
  ],
  ['length_constraints:number_paragraphs', { num_paragraphs: 2 }, 'one\n***\ntwo\n***', 'one\n\ntwo'],
  ['length_constraints:number_words', { num_words: 3, relation: 'less than' }, "it's", 'one two three'],
  [
    'length_constraints:nth_paragraph_first_word',
    { num_paragraphs: 2, nth_paragraph: 2, first_word: 'Weekend' },
    'a\n\n"weekend," b',
    'a\n\nb weekend',
  ],
  ['detectable_content:number_placeholders', { num_placeholders: 2 }, '[name] and [address]', '[name]'],
  ['detectable_content:postscript', { postscript_marker: 'P.S.' }, 'Hi\n\nP. S. bye', 'Hi\n\nPS bye'],
  ['detectable_content:postscript', { postscript_marker: 'P.P.S' }, 'Hi\n\nP.P.S bye', 'Hi\n\nP.S. bye'],
  ['detectable_format:number_bullet_lists', { num_bullets: 2 }, '* a\n- b', '* a\n- b\n- c'],
  ['detectable_format:constrained_response', {}, 'My answer is yes.', 'Yes.'],
  ['detectable_format:number_highlighted_sections', { num_highlights: 2 }, '*a* and *b*', '*a* and **'],
  [
    'detectable_format:multiple_sections',
    { section_spliter: 'Section', num_sections: 2 },
    'Section 1\na\nSection 2',
    'Section one',
  ],
  ['detectable_format:json_format', {}, '```json\n{"a": 1}\n```', 'a: 1'],
  ['detectable_format:title', {}, '<<poem>> x', '<< >> x'],
  ['combination:two_responses', {}, 'a\n******\nb', 'a\n******\na'],
  ['combination:repeat_prompt', { prompt_to_repeat: 'Say hi' }, 'say hi\nHi', 'Hi'],
  ['startend:end_checker', { end_phrase: 'Any questions?' }, '"Well. Any questions?"', 'Any questions? No.'],
  ['startend:quotation', {}, '"quoted"', 'not "quoted"'],
  [
    'change_case:capital_word_frequency',
    { capital_frequency: 2, capital_relation: 'at least' },
    'A BIG dog',
    'A big dog',
  ],
  ['change_case:english_capital', {}, 'THIS IS A SIMPLE ENGLISH SENTENCE.', 'This is a simple English sentence.'],
  [
    'change_case:english_lowercase',
    {},
    'this is a simple english sentence.',
    'das ist ein deutscher satz mit vielen wörtern.',
  ],
  ['punctuation:no_comma', {}, 'No commas here', 'Well, one'],
]

describe('instructions', () => {
  it.each(PAIRS)('%s %j', async (kind, fields, right, wrong) => {
    expect(await follows(kind, right, fields)).toBe(true)
    expect(await follows(kind, wrong, fields)).toBe(false)
    expect(await follows(kind, ' ', fields)).toBe(false)
  })
  it('are all 25 kinds of IFEval', () => {
    expect(Object.keys(instructionKinds)).toHaveLength(25)
    expect(new Set(PAIRS.map(([kind]) => kind))).toEqual(new Set(Object.keys(instructionKinds)))
  })
  it.each([
    ['ar', 'هذه جملة بسيطة مكتوبة باللغة العربية حول الطقس اليوم.'],
    ['bg', 'Това е просто изречение на български език за времето днес.'],
    ['bn', 'এটি আজকের আবহাওয়া সম্পর্কে বাংলা ভাষায় লেখা একটি সহজ বাক্য।'],
    ['es', 'Esta es una frase sencilla en español sobre el tiempo de hoy.'],
    ['fa', 'این یک جمله ساده به زبان فارسی درباره هوای امروز است.'],
    ['fi', 'Tämä on yksinkertainen suomenkielinen lause tämän päivän säästä.'],
    ['fr', "C'est une phrase simple en français sur le temps qu'il fait aujourd'hui."],
    ['gu', 'આ આજના હવામાન વિશે ગુજરાતીમાં લખાયેલું એક સરળ વાક્ય છે.'],
    ['hi', 'यह आज के मौसम के बारे में हिंदी में लिखा गया एक सरल वाक्य है।'],
    ['it', 'Questa è una semplice frase in italiano sul tempo di oggi.'],
    ['ja', 'これは今日の天気についての簡単な日本語の文です。'],
    ['kn', 'ಇದು ಇಂದಿನ ಹವಾಮಾನದ ಬಗ್ಗೆ ಕನ್ನಡದಲ್ಲಿ ಬರೆದ ಸರಳ ವಾಕ್ಯ.'],
    ['ko', '이것은 오늘 날씨에 대한 간단한 한국어 문장입니다.'],
    ['mr', 'हे आजच्या हवामानाबद्दल मराठीत लिहिलेले एक सोपे वाक्य आहे.'],
    ['ne', 'यो आजको मौसमको बारेमा नेपाली भाषामा लेखिएको एउटा सरल वाक्य हो।'],
    ['pa', 'ਇਹ ਅੱਜ ਦੇ ਮੌਸਮ ਬਾਰੇ ਪੰਜਾਬੀ ਵਿੱਚ ਲਿਖਿਆ ਇੱਕ ਸਧਾਰਨ ਵਾਕ ਹੈ।'],
    ['pl', 'To jest proste zdanie po polsku o dzisiejszej pogodzie.'],
    ['pt', 'Esta é uma frase simples em português sobre o tempo que não está bom hoje.'],
    ['ru', 'Это простое предложение на русском языке о сегодняшней погоде.'],
    ['sw', 'Hii ni sentensi rahisi kwa lugha ya Kiswahili kuhusu hali ya hewa ya leo nchini Tanzania.'],
    ['ta', 'இது இன்றைய வானிலை பற்றி தமிழில் எழுதப்பட்ட எளிய வாக்கியம்.'],
    ['te', 'ఇది నేటి వాతావరణం గురించి తెలుగులో రాసిన సాధారణ వాక్యం.'],
    ['th', 'นี่คือประโยคง่ายๆ ในภาษาไทยเกี่ยวกับสภาพอากาศวันนี้'],
    ['tr', 'Bu, bugünkü hava hakkında Türkçe yazılmış basit bir cümledir.'],
    ['uk', 'Це просте речення українською мовою про сьогоднішню погоду.'],
    ['ur', 'یہ آج کے موسم کے بارے میں اردو میں لکھا گیا ایک سادہ جملہ ہے۔'],
    ['vi', 'Đây là một câu đơn giản bằng tiếng Việt về thời tiết hôm nay.'],
    ['zh', '这是一个关于今天天气的简单中文句子。'],
  ])('detects %s', async (language, text) => {
    expect(await follows('language:response_language', text, { language })).toBe(true)
    const other = 'This is a simple English sentence about the weather.'
    expect(await follows('language:response_language', other, { language })).toBe(false)
  })
  it('takes a language that cannot be detected as followed', async () => {
    expect(await follows('language:response_language', '12345', { language: 'de' })).toBe(true)
  })
  it('score the share that is followed, and pass only with all of them', async () => {
    const testCase = {
      prompt: 'Write',
      scoringMethod: 'instructions',
      checks: [
        { kind: 'punctuation:no_comma', num_words: null, keywords: null },
        { kind: 'length_constraints:number_words', relation: 'at least', num_words: 3 },
      ],
    }
    const parsed = testCaseSchema.parse({ id: 'a', ...testCase })
    const compiled = compileCase(parsed, scorers)
    expect(compiled.problems).toEqual([])
    const result = await scoring.scoreCompiled(compiled, 'Two words')
    expect(result).toMatchObject({
      score: 0.5,
      notes: '1 of 2 instructions followed; not length_constraints:number_words',
      checks: [
        { name: 'punctuation:no_comma', score: 1 },
        { name: 'length_constraints:number_words', score: 0 },
      ],
    })
    expect((await scoring.scoreCompiled(compiled, 'Now three words')).score).toBe(1)
  })
  it('may be one of several checks', async () => {
    const testCase = testCaseSchema.parse({
      id: 'a',
      prompt: 'Write',
      checks: [
        { scoringMethod: 'instructions', checks: [{ kind: 'punctuation:no_comma' }], strict: false },
        { scoringMethod: 'boolean', expectedOutput: 'hi' },
      ],
    })
    const compiled = compileCase(testCase, scorers)
    expect(compiled.problems).toEqual([])
    expect((await scoring.scoreCompiled(compiled, 'Hi')).score).toBe(1)
    expect((await scoring.scoreCompiled(compiled, 'Hi, you')).score).toBe(0.5)
  })
  it('loosely ignore the first and last line and asterisks', async () => {
    const response = 'Sure, here it is:\n*no commas*\nAnything else, friend?'
    expect(await follows('punctuation:no_comma', response)).toBe(false)
    expect(await follows('punctuation:no_comma', response, {}, false)).toBe(true)
  })
  it('are refused with their suite if the kind is unknown or a field is missing', () => {
    const problemsOf = (check: Fields) =>
      checkSuite({ name: 'S', testCases: [{ id: 'a', prompt: '?', scoringMethod: 'instructions', checks: [check] }] })
    expect(problemsOf({ kind: 'punctuation:no_commas' }).problems).toEqual([
      { path: ['testCases', 0], message: expect.stringContaining('there is no instruction "punctuation:no_commas"') },
    ])
    expect(problemsOf({ kind: 'keywords:existence' }).problems[0]?.message).toContain('keywords:existence: keywords')
    expect(
      problemsOf({ kind: 'length_constraints:number_words', num_words: 3, relation: 'at most' }).problems,
    ).toHaveLength(1)
    expect(problemsOf({ kind: 'keywords:existence', keywords: ['a'], num_words: null })).toMatchObject({
      problems: [],
      warnings: [],
    })
  })
  it('counts sentences', () => {
    expect(countSentences('One. Two! Three?')).toBe(3)
    expect(countSentences('Dr. Who met J. R. R. Tolkien at 3.5 p.m. and left.')).toBe(1)
    expect(countSentences('No end')).toBe(1)
    expect(countSentences('第一句。第二句。')).toBe(2)
  })
  const ifeval = new URL('../../../shared/data/datasets/ifeval.jsonl', import.meta.url)
  it.skipIf(!existsSync(ifeval))('reads the rows of IFEval (needs the dataset)', () => {
    const testCases = readFileSync(ifeval, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map((row) => ({
        id: String(row.key),
        prompt: row.prompt,
        scoringMethod: 'instructions',
        checks: row.instruction_id_list.map((kind: string, index: number) => ({ kind, ...row.kwargs[index] })),
      }))
    expect(checkSuite({ name: 'IFEval', testCases })).toMatchObject({ problems: [], warnings: [] })
  })
})
