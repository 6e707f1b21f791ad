import { dropThinking, findAnswers } from './read-answer.ts'

/** The letters that one conclusion of a response names. */
export interface NamedLetters {
  letters: string[]
  /** True for "B or C": the response leaves open which. */
  isOpen: boolean
  from: string
}

const OPEN_MARK = String.raw`[*_("'“‘\[{$<「【]{0,6}`
const CLOSE_MARK = String.raw`[*_)"'”’\]}$>」】]{0,6}`
/** A letter is a choice before Chinese, Japanese and Korean, which write no blank: `Bです`. */
const WORD_GOES_ON = String.raw`[\p{M}\p{N}'’]|(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])\p{L}`
/** Before the letter in an answer: `option`, `\text{`, `the letter`. */
const FILLER = String.raw`(?:(?:clearly|therefore|thus|definitely|probably|likely|most|actually|la|el|die|der|das|le|os?|den|de|lettre|letra|buchstabe|simply|indeed|either|both|the|options?|choices?|letters?|answers?|statements?|choose|select|is|are|number|opción|option|opção|opzione|alternativa|lettera|a\s(?:letra|opção|alternativa)|respuesta|antwort|selection|вариант)(?![\p{L}])[*_:]{0,3}\s{0,3}|选项|選項|選|选|第|\\(?:text|textbf|mathrm|mathbf|textrm|mbox|textit|mathit|boxed|rm|bf)\s?\{?|\\[(,;!]\s?)`
const START = new RegExp(String.raw`^\s{0,3}(?:[*_("'“‘\[{$<:：>「【-]{0,6}\s{0,2}${FILLER}){0,4}`, 'iu')
const TOKEN = new RegExp(
  String.raw`^${OPEN_MARK}(?:\\text\{|\\textbf\{|\\mathrm\{|\\mathbf\{)?\(?([A-Za-z])(?!${WORD_GOES_ON})`,
  'u',
)
const AND = /^\s{0,3}(?:,\s{0,2}and|,|，|、|&|and|und|et|y|e|\+|和|与|與|及|и)\s{0,3}/iu
const OR = /^\s{0,3}(?:,\s{0,2}or|or|oder|ou|o|\/|\||或者|或|または|또는|или)\s{0,3}/iu
const CLOSE = new RegExp(`^\\}?${CLOSE_MARK}`, 'u')
const AFTER_LINK = /^(?:(?:option|choice|the|either|both|maybe|perhaps|possibly|即|选项)\s{0,2}){0,2}/i

/** `A good one` and `I think` begin with a word, not with a letter of a choice. */
const WORD_AFTER =
  /^\s+(?!(?:because|since|as|is|are|was|and|or|but|due|for|in|with|though|although|which|if|not|over|rather|would|will|seems?|fits?|best|correct|right|means?|given|being|based|by|from|,|-|–|—|:|\()(?![\p{L}]))\p{Ll}/u

/** The letters at the start of a conclusion: `B`, `(B) Paris`, `option B`, `A and C`, `B or C`. */
function readLettersAt(zone: string, from: string, isWhole: boolean): NamedLetters | undefined {
  let rest = zone.slice(START.exec(zone)?.[0].length ?? 0)
  const letters: string[] = []
  let isOpen = false
  for (;;) {
    const match = TOKEN.exec(rest)
    const letter = match?.[1]
    if (match === null || letter === undefined) break
    const after = rest.slice(match[0].length)
    const isMarked = /[^\s\p{L}]/u.test(match[0].replace(/["'“‘]/gu, '')) || /^[*_)\]}:：.、]/u.test(after)
    const isAlone = after.trim() === '' || /^[\s*_)\]}"'”’$.。!,;]*$/u.test(after)
    // A lower-case letter in a sentence is a word or a variable, unless it stands alone or in brackets.
    if (letter !== letter.toUpperCase() && !(isAlone && isWhole) && !/^[*_]{0,2}[)\]]/u.test(after)) break
    if ((letter === 'A' || letter === 'I') && !isMarked && WORD_AFTER.test(after)) break
    letters.push(letter.toUpperCase())
    rest = after.slice(CLOSE.exec(after)?.[0].length ?? 0)
    const link = OR.exec(rest) ?? AND.exec(rest)
    if (!link) break
    const next = rest.slice(link[0].length)
    const jumped = next.slice(AFTER_LINK.exec(next)?.[0].length ?? 0)
    const following = TOKEN.exec(jumped)
    if (!following || (/^[AI]$/.test(following[1]!) && WORD_AFTER.test(jumped.slice(following[0].length)))) break
    if (following[1] !== following[1]!.toUpperCase() && !isWhole) break
    isOpen ||= OR.test(rest)
    rest = jumped
  }
  return letters.length === 0 ? undefined : { letters: [...new Set(letters)].sort(), isOpen, from }
}

const NOT = String.raw`(?<!(?:\bnot|n't|never|isn’t|is not|cannot be|不|非)\s{0,2}(?:be\s|the\s|option\s|choice\s){0,2}[*_("]{0,3})`
/** Of "both B and C are correct" the conclusion begins at B. */
const NOT_AFTER_ANOTHER = String.raw`(?<!(?<![\p{L}])[A-Z][*_)"']{0,3},?\s(?:and|or|und|et|y)\s(?:option\s)?)`
const LETTER = String.raw`[*_(\["“「【]{0,4}([A-Z])(?!${WORD_GOES_ON})[*_)\]"”」】.]{0,4}`
const CHOSEN = new RegExp(
  String.raw`(?<![\p{L}])(?:(?:I(?:'d| would|'ll| will)?\s|we\s|should\s|must\s)?(?:choose|select|pick|chose|selected|picked|go(?:ing)? with)|my (?:choice|pick|guess|selection) (?:is|would be)|the (?:option|choice|one|statement) (?:that|which) [^.\n]{1,60}? is|(?:therefore|thus|hence|so|consequently|accordingly|donc|also|por lo tanto|поэтому)(?:,|:|\s)\s{0,2}(?:(?:it|this|that|the (?:choice|option|one))\s?(?:is|must be|should be|would be|'s)\s)?|it (?:is|must be|should be|has to be|would be|can only be)|it's|(?:that |which |this )?leav(?:es|ing)(?: us)?(?: with)?(?: only)?|(?:only|last) (?:remaining |possible )?(?:option|choice|one)(?: left| remaining)? is|因此|所以|故|应|應)\s{0,3}(?:选择|選擇|选|選|为|是|为)?\s{0,2}(?=(?:[*_]{0,3}(?:the |option |choice |answer |letter ){0,2})${LETTER})`,
  'giu',
)
/** 故选B, 选择 D: the verb alone is enough. */
const CHOSEN_IN_CHINESE = /(?:选择|選擇|选|選)\s{0,2}[:：]?\s{0,2}(?=[*_(（]{0,3}[A-Z](?![A-Za-z]))/gu
/** `उत्तर B है`, `doğru cevap B`: the verb comes last, or none does. */
const VERBLESS =
  /(?:उत्तर|जवाब|উত্তর|cevap|yanıt|정답|답|正解|答え|답변)\s{1,3}(?=[*_("]{0,3}[A-Z](?![A-Za-z]))|【答案】\s{0,3}|\[答案\]\s{0,3}/giu
const PRAISED = new RegExp(
  String.raw`${NOT}${NOT_AFTER_ANOTHER}(?<![\p{Script=Latin}\p{N}'’])(?=${LETTER}[^.\n]{0,60}?\s{0,3}(?:(?:is|as|are|would be|must be|seems)\s(?:(?:clearly|therefore|thus|indeed|definitely|the|my|final|most|only|likely|probably)\s){0,4}(?:(?:correct|right|true|best|better|accurate|appropriate)(?:\s(?:answer|option|choice|one))?|answer|choice|pick|guess)|是?正确|是?正確|が正しい|가 정답)(?![\p{L}]))`,
  'gu',
)

/** `Result: B`, `Selected option: B`, `ans = B`: too common before other texts to announce an answer of any kind. */
const LABELLED =
  /(?:^|\n)[^\p{L}\p{N}\n]{0,4}(?:(?:selected|chosen|final|correct|best)\s(?:option|answer|choice|letter)|selection|solution|result|correct|right|choice|verdict|decision|guess|ans|its)[*_.]{0,3}\s{0,2}(?:[:：=]|(?<=its)\s)\s{0,3}/giu
/** `A. Incorrect`, `B. Correct`: a verdict on each option. */
const JUDGED = /(?:^|\n)[^\p{L}\p{N}\n]{0,4}(?=([A-Z])[.):]\W{0,4}(?:correct|right|true|yes)(?![\p{L}]))/giu
/** "So A is wrong" concludes nothing but that. */
const REFUTED =
  /^[*_("'[]{0,4}(?:option |choice |answer )?[*_("'[]{0,3}[A-Z][*_)"'\].]{0,4}(?:\s\([^()\n]{0,60}\))?\s(?:is|are|was|can|could|must|does|cannot|can't|isn't|doesn't|has|seems|would)\s?(?:be\s|not\s|also\s|clearly\s|definitely\s|therefore\s){0,3}(?:not|n't|wrong|incorrect|false|eliminated|excluded|ruled|out|invalid|impossible|unlikely|irrelevant|discarded|apply|fit)(?![\p{L}])/iu

/** `B) Paris`, `B because …`, or B in a line of its own, and not as one of several. */
const OPENING =
  /^[*_("'[]{0,4}[A-Z](?:[*_]{0,2}[).:\]][*_)"'\]]{0,4}(?:\s|$)|[*_)"'\]]{0,4},?\s(?:because|since|as|due to)\s|[*_]{0,4}(?=\n)(?![\s\S]*\n[*_("'[]{0,4}[A-Z][*_)"'\].,:]{0,4}(?:\n|$)))/u

interface Conclusion extends NamedLetters {
  start: number
}

function concludeWith(text: string, pattern: RegExp, from: string): Conclusion[] {
  return [...text.matchAll(pattern)].slice(-100).flatMap((match) => {
    const zone = text.slice(match.index + match[0].length, match.index + match[0].length + 300)
    if (REFUTED.test(zone)) return []
    const named = readLettersAt(zone.split('\n', 1)[0]!, from, false)
    return named ? [{ ...named, start: match.index }] : []
  })
}

const NEGATED = /^\s{0,3}[*_]{0,3}(?:definitely |clearly |probably )?not\s/i

/** The letters of a response that is nothing else: `B`, `(B).`, `A, C`. */
export function readOnlyLetters(response: string): NamedLetters[] {
  const isOnly = /^[^\p{L}\p{N}]*[A-Za-z](?:[^\p{L}\p{N}]+[A-Za-z])*[^\p{L}\p{N}]*$/u.test(
    response.trim().slice(0, 200),
  )
  const named = isOnly ? readLettersAt(response.trim(), 'the whole answer', true) : undefined
  return named ? [named] : []
}

/** Every conclusion of a response that names letters, in the order of its text. */
export function findLetters(response: string): NamedLetters[] {
  // `B` in any quotation marks is B.
  const text = dropThinking(response)
    .normalize('NFKC')
    .replace(/^\s*(```+)[^\n`]*\n([^`]*)\1\s*$/, '$2')
    .replaceAll(/(?<![\p{L}\p{N}])(['`‘"“])([A-Za-z])['`’"”](?![\p{L}\p{N}])/gu, '$2')
    .trim()
  const whole = text.length <= 200 ? readWholeLetters(text) : undefined
  if (whole) return [whole]
  const marked = findAnswers(text)
  const stated = marked.flatMap((answer) => {
    const inner = answer.from === 'the stated answer' ? [answer] : findAnswers(answer.text)
    const zone = inner.at(-1)?.text ?? answer.text
    const positive = NEGATED.test(zone) ? (/(?:\bbut|rather|instead)\s(.*)/is.exec(zone)?.[1] ?? '') : zone
    const named = readLettersAt(
      positive,
      answer.from,
      answer.from !== 'the stated answer' || positive.trim().length < 12,
    )
    return named ? [{ ...named, start: answer.start }] : []
  })
  // A box, a tag or a field is where the answer was asked for; prose around it explains.
  if (stated.length > 0 && stated.at(-1)!.from !== 'the stated answer') return stated
  const judged = [...text.matchAll(JUDGED)]
  const said = [
    ...stated,
    ...concludeWith(text, CHOSEN, 'the conclusion'),
    ...concludeWith(text, CHOSEN_IN_CHINESE, 'the conclusion'),
    ...concludeWith(text, VERBLESS, 'the conclusion'),
    ...concludeWith(text, PRAISED, 'the conclusion'),
    ...concludeWith(text, LABELLED, 'the conclusion'),
    ...(judged.length === 1 ? concludeWith(text, JUDGED, 'the conclusion') : []),
  ].toSorted((a, b) => a.start - b.start)
  if (said.length > 0) return said
  const isList = (text.match(/^[^\p{L}\p{N}\n]{0,4}[A-Z][.):](?=[\s*_])/gmu)?.length ?? 0) > 1
  const opening = !isList && OPENING.test(text) ? readLettersAt(text, 'the opening', false) : undefined
  const lastLine = readWholeLetters(text.slice(text.lastIndexOf('\n') + 1).trim(), 'the last line')
  return [lastLine, opening].flatMap((one) => one ?? []).slice(0, 1)
}

/** Letters and nothing else. */
function readWholeLetters(written: string, from = 'the whole answer'): NamedLetters | undefined {
  const text = written.replace(/^(?:[\s=\-–—>→➜⇒➡✅✔☑]|\ufe0f)+(?=[*_(]{0,4}[A-Za-z])/u, '')
  const named = readLettersAt(text, from, true)
  if (!named) return undefined
  const left = text
    .replace(/\\(?:text|textbf|mathrm|mathbf|boxed)(?![A-Za-z])/g, ' ')
    .replace(
      /(?<![\p{L}])(?:option|choice|answer|letter|the|is|or|and|und|oder|both|either|therefore|thus|hence|so|选项|选)s?(?![\p{L}])/giu,
      ' ',
    )
    .replace(/[和与或、及]/gu, ' ')
  return /^[^\p{L}\p{N}]*(?:[A-Za-z][^\p{L}\p{N}]*){1,26}$/u.test(left) &&
    (left.match(/\p{L}/gu)?.length ?? 0) === named.letters.length
    ? named
    : undefined
}
