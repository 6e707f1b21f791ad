/**
 * How models announce an answer, in the languages that benchmarks are written in. English needs a verb or a colon after the
 * noun: "the answer to this is" announces, "my answer depends" does not.
 */
const MARKS = String.raw`[*_"'”’\x60)\]]{0,4}`

const ENGLISH = String.raw`(?<![\p{L}])(?:(?:final|correct|right|best|most (?:likely|appropriate)|numerical)\s+){0,2}(?:answers?|(?<=(?:correct|right|best|appropriate)\s{1,3})(?:options?|choices?|statements?)|(?<=final\s{1,3})(?:result|solution|value|choice|option|selection))(?![\p{L}])${MARKS}(?:\s+(?:to|for|of|here|in)\s[^.:\n?]{0,120}?)?`
const IS = String.raw`(?:is|are|was|were|would be|will be|must be|should be|has to be|can only be|equals|becomes|comes out to(?: be)?)(?![\p{L}])(?:\s+(?:therefore|thus|then|hence|clearly|simply|just|indeed|as follows|given by|definitely|actually|probably|likely|most likely|approximately|about|roughly|either))*`
const ENGLISH_LINK = String.raw`(?:\s+${IS}\s{0,3}[*_]{0,3}\s?:?|\s{0,3}(?:[:：=]|[-–—](?=\s)))`

/** A heading of its own: `## Final answer`, `**Answer**`. */
const HEADING = String.raw`^[#*_>\t ]{1,12}(?:(?:the|my)\s)?(?:final\s)?(?:answer|result)[*_:\t ]{0,8}\n`

/** Noun, words that may follow it, and what links it to the answer. */
const OTHERS: readonly (readonly [string, string])[] = [
  // Chinese, Japanese and Korean write no spaces; the colon may be missing after the verb only.
  [String.raw`(?:最终|最終|正确|正確|标准)?(?:的)?答案`, String.raw`(?:应该|應該|应|應)?(?:是|为|為|選|选)|`],
  ['(?:最終的な|正しい)?(?:答え|回答|解答|正解)', 'は|'],
  ['(?:최종\\s?|올바른\\s?)?(?:정답|답변|답)', '은|는|이|'],
  ['(?:richtige |korrekte |endgültige )?(?:antwort|lösung)', 'ist|lautet|wäre|'],
  ['(?:réponse|reponse)(?: (?:finale|correcte|exacte|est donc))?', 'est(?: donc)?|'],
  ['(?:(?:respuesta|solución)(?: (?:final|correcta))?|(?:opción|alternativa|letra) correcta)', 'es|sería|'],
  ['(?:resposta(?: (?:final|correta|certa))?|(?:opção|alternativa) (?:correta|certa))', 'é|seria|'],
  ['(?:risposta(?: (?:finale|corretta|esatta|giusta))?|opzione (?:corretta|giusta))', 'è|sarebbe|'],
  ['(?:juiste |correcte )?antwoord', 'is|'],
  ['(?:poprawna |prawidłowa |ostateczna )?odpowiedź', 'to|jest|brzmi|'],
  ['(?:правильный |окончательный |верный )?ответ', 'это|является|'],
  ['(?:правильна |остаточна )?відповідь', 'це|'],
  ['(?:doğru |nihai )?(?:cevap|yanıt)', ''],
  ['(?:đáp án|câu trả lời)(?: (?:đúng|cuối cùng|chính xác))?', 'là|'],
  ['jawaban(?:nya)?(?: (?:akhir|yang benar|benar))?', 'adalah|'],
  ['(?:rätt |korrekt )?svar(?:et)?', 'är|er|'],
  ['(?:الإجابة|الجواب|الاجابة)(?: (?:الصحيحة|الصحيح|النهائية|النهائي))?', 'هي|هو|'],
  ['(?:सही |अंतिम )?(?:उत्तर|जवाब)', 'है|'],
  ['(?:সঠিক )?(?:উত্তর)', 'হল|হলো|'],
  // NFKC takes its third letter apart.
  ['ค(?:ำ|\u0e4d\u0e32)ตอบ(?:ที่ถูกต้อง)?', 'คือ|'],
  ['(?:jibu|jibu sahihi)', 'ni|'],
]

function otherLanguage([noun, verbs]: readonly [string, string]): string {
  const words = verbs.split('|').filter((verb) => verb !== '')
  const isSpaced = !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Thai}]/u.test(noun)
  const verb =
    words.length === 0 ? '' : isSpaced ? `\\s+(?:${words.join('|')})(?![\\p{L}])` : `\\s?(?:${words.join('|')})`
  const before = isSpaced ? String.raw`(?<![\p{L}])` : ''
  const link =
    verb === '' ? String.raw`\s{0,3}[:：=]` : `(?:${verb}\\s{0,3}[*_]{0,3}[:：]?|\\s{0,3}(?:[:：=]|[-–—](?=\\s)))`
  return `${before}${noun}${MARKS}${link}`
}

/** The end of a match is where the answer begins. */
export const ANSWER_PHRASE = new RegExp(
  `(?:${ENGLISH}${ENGLISH_LINK}|${HEADING}|${OTHERS.map(otherLanguage).join('|')})[*_]{0,3}`,
  'gimu',
)

/** What may follow "the answer is" without being one. */
export const EMPTY_PRAISE =
  /^(?:(?:indeed|also|very|now|therefore|not) )*(?:correct|incorrect|right|wrong|valid|clear|obvious|reasonable|consistent|accurate|plausible|helpful|useful|verified|confirmed|unique|based on|supported|stated|shown|given (?:above|below)|in the (?:form|range)|already|still|that|what|whether|why|how|because)(?![\p{L}])/iu
