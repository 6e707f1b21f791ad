/**
 * Numbers as people and models write them. A run of digits and commas is matched as a whole and split afterwards, which
 * keeps the scan linear.
 *
 * | part | what it matches |
 * | --- | --- |
 * | digits | `1234`, `1,234,567`, `1{,}234` (LaTeX), `1 234` with a no-break or thin space, `.5` |
 * | fraction | `.8`, but not the full stop at the end of a sentence |
 * | exponent | `e-3`, `E+5`, `× 10^23`, `x 10^23`, `* 10**6`, `\times 10^{23}`, `· 10²³` |
 */
const DIGITS = String.raw`\d+(?:(?:,|\{,\}|[\u00a0\u2009\u202f])\d+)*`
const FRACTION = String.raw`\.\d+`
export const POWER = String.raw`(?:\^|\*\*)\s?\{?\s?([-+−]?\d+)\}?|([⁻⁺]?[⁰¹²³⁴-⁹]+)`
export const EXPONENT = String.raw`[eE]([-+−]?\d+)|\s?(?:[×x*·⋅]|\\times|\\cdot)\s?10(?:${POWER})`
const NUMBER = new RegExp(`(?:(${DIGITS})(${FRACTION})?|(?<![\\d.])(${FRACTION}))(?:${EXPONENT})?`, 'gu')
const POWER_OF_TEN = new RegExp(`^(?:${POWER})`, 'u')

const SEPARATOR = /,|\{,\}|[\u00a0\u2009\u202f]/u
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** A minus is a sign only if nothing before it could be a left operand: `(-3` has a sign, `5-3` and `GPT-4` do not. */
const SIGN_BEFORE = /(?:^|[^\p{L}\p{N}_)\]}%.])([-+−])[$€£¥₹]?$/u
const CURRENCY_THEN_SIGN = /[$€£¥₹]([-+−])$/u

function isNegative(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 4), start)
  const sign = (CURRENCY_THEN_SIGN.exec(before) ?? SIGN_BEFORE.exec(before))?.[1]
  return sign === '-' || sign === '−'
}

function readExponent(plain: string | undefined, superscript: string | undefined): number {
  if (plain !== undefined) return Number(plain.replace('−', '-'))
  if (superscript === undefined) return 0
  const digits = [...superscript].map((character) => {
    if (character === '⁻') return '-'
    return character === '⁺' ? '' : String(SUPERSCRIPTS.indexOf(character))
  })
  return Number(digits.join(''))
}

/** Separators group digits only if the first group has 1 to 3 and all others have 3: `1,2,3` is three numbers. */
function splitGroups(digits: string): string[] {
  const groups = digits.split(SEPARATOR)
  if (groups.length === 1) return groups
  const isGrouped = groups[0]!.length <= 3 && groups.every((group, index) => index === 0 || group.length === 3)
  return isGrouped ? [groups.join('')] : groups
}

/** Every finite number in the text, in order. */
export function readNumbers(text: string): number[] {
  const numbers: number[] = []
  NUMBER.lastIndex = 0
  for (let match = NUMBER.exec(text); match; match = NUMBER.exec(text)) {
    const [, digits, fraction = '', bareFraction, eExponent, power, superscript] = match
    const parts = bareFraction === undefined ? splitGroups(digits!) : [bareFraction]
    const negative = isNegative(text, match.index)
    const exponent = readExponent(eExponent ?? power, superscript)

    parts.forEach((part, index) => {
      const isLast = index === parts.length - 1
      const mantissa = isLast ? part + fraction : part
      numbers.push(Number(`${negative && index === 0 ? '-' : ''}${mantissa}e${isLast ? exponent : 0}`))
    })

    // In a bare power such as `10^6` the 10 was read as a number: apply the power to it.
    if (parts.at(-1) === '10' && fraction === '' && exponent === 0) {
      const bare = POWER_OF_TEN.exec(text.slice(NUMBER.lastIndex, NUMBER.lastIndex + 30))
      if (bare) {
        numbers[numbers.length - 1] = Math.sign(numbers.at(-1)!) * Number(`1e${readExponent(bare[1], bare[2])}`)
        NUMBER.lastIndex += bare[0].length
      }
    }
  }
  return numbers.filter((number) => Number.isFinite(number))
}
