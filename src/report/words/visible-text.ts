/**
 * Characters that a terminal obeys or does not show: controls, bidirectional overrides, other invisible ones, line
 * separators, halves of characters, and interlinear annotations.
 */
const HARMFUL = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu

/** Emoji are joined by invisible characters, and flags of regions are spelt with them. */
const EMOJI =
  /\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]*)+|\u{1F3F4}[\u{E0020}-\u{E007E}]{1,16}\u{E007F}/gu

const VARIATION_SELECTOR = /[\uFE00-\uFE0F]/
const JOINER = /[\u200C\u200D]/

/** Persian, Hindi and others need joiners inside words; between other letters they only disguise. */
const NEEDS_JOINERS =
  /^(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}])[\p{L}\p{M}]$/u

function escape(character: string): string {
  // By UTF-16 unit: inside a JSON string, the escape then means the same character.
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}

function escapePart(text: string): string {
  return text.replaceAll(HARMFUL, (character: string, at: number) => {
    if (character === '\n' || character === '\t') return character
    const before = text.charAt(at - 1)
    if (VARIATION_SELECTOR.test(character) && /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(before))
      return character
    if (JOINER.test(character) && NEEDS_JOINERS.test(before)) return character
    return escape(character)
  })
}

/**
 * Makes a text safe to print: what a terminal would obey or hide is shown as an escape such as `\u202e`. Line breaks
 * and tabs stay. A JSON document means the same afterwards.
 */
export function makeVisible(text: string): string {
  // Nearly all texts are harmless.
  if (text.search(HARMFUL) < 0) return text
  let visible = ''
  let end = 0
  for (const { 0: emoji, index } of text.matchAll(EMOJI)) {
    visible += escapePart(text.slice(end, index)) + emoji
    end = index + emoji.length
  }
  return visible + escapePart(text.slice(end))
}

/** The same on one line: line breaks and tabs become spaces. For every foreign text that is printed within a line. */
export function makeVisibleLine(text: string): string {
  return makeVisible(text.replaceAll(/\r\n|[\r\n\t]/g, ' '))
}
