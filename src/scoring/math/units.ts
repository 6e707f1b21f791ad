/** Units after a number: what they are in SI's base units, so that 1.5 m and 150 cm are the same. */

type Dimensions = Readonly<Record<string, number>>

export interface Unit {
  factor: number
  dimensions: Dimensions
}

const METRE = { m: 1 }
const AREA = { m: 2 }
const VOLUME = { m: 3 }
const FORCE = { kg: 1, m: 1, s: -2 }
const ENERGY = { kg: 1, m: 2, s: -2 }
const POWER = { kg: 1, m: 2, s: -3 }
const PRESSURE = { kg: 1, m: -1, s: -2 }

/** Names separated by blanks, factor, dimensions. */
const TABLE: readonly (readonly [string, number, Dimensions])[] = [
  ['nm nanometer nanometers', 1e-9, METRE],
  ['angstrom angstroms Å', 1e-10, METRE],
  ['um μm µm micron microns micrometer micrometers', 1e-6, METRE],
  ['mm millimeter millimeters millimetre millimetres', 1e-3, METRE],
  ['cm centimeter centimeters centimetre centimetres', 1e-2, METRE],
  ['dm decimeter decimeters', 0.1, METRE],
  ['m meter meters metre metres', 1, METRE],
  ['km kilometer kilometers kilometre kilometres', 1000, METRE],
  ['in inch inches', 0.0254, METRE],
  ['ft foot feet', 0.3048, METRE],
  ['yd yard yards', 0.9144, METRE],
  ['mi mile miles', 1609.344, METRE],
  ['AU', 1.495978707e11, METRE],
  ['pc parsec parsecs', 3.0857e16, METRE],
  ['ha hectare hectares', 1e4, AREA],
  ['acre acres', 4046.8564224, AREA],
  ['L l liter liters litre litres', 1e-3, VOLUME],
  ['mL ml milliliter milliliters millilitre millilitres', 1e-6, VOLUME],
  ['mg milligram milligrams', 1e-6, { kg: 1 }],
  ['g gram grams', 1e-3, { kg: 1 }],
  ['kg kilogram kilograms', 1, { kg: 1 }],
  ['lb lbs pound pounds', 0.45359237, { kg: 1 }],
  ['oz ounce ounces', 0.028349523125, { kg: 1 }],
  ['tonne tonnes', 1000, { kg: 1 }],
  ['ns nanosecond nanoseconds', 1e-9, { s: 1 }],
  ['μs µs microsecond microseconds', 1e-6, { s: 1 }],
  ['ms millisecond milliseconds', 1e-3, { s: 1 }],
  ['s sec secs second seconds', 1, { s: 1 }],
  ['min mins minute minutes', 60, { s: 1 }],
  ['h hr hrs hour hours', 3600, { s: 1 }],
  ['day days', 86_400, { s: 1 }],
  ['week weeks', 604_800, { s: 1 }],
  ['month months', 1, { month: 1 }],
  ['year years yr yrs', 12, { month: 1 }],
  ['mph', 0.44704, { m: 1, s: -1 }],
  ['kph kmh', 1 / 3.6, { m: 1, s: -1 }],
  ['Hz hertz', 1, { s: -1 }],
  ['N newton newtons', 1, FORCE],
  ['dyn dyne dynes', 1e-5, FORCE],
  ['J joule joules', 1, ENERGY],
  ['kJ kilojoule kilojoules', 1000, ENERGY],
  ['erg ergs', 1e-7, ENERGY],
  ['eV', 1.602176634e-19, ENERGY],
  ['keV', 1.602176634e-16, ENERGY],
  ['MeV', 1.602176634e-13, ENERGY],
  ['W watt watts', 1, POWER],
  ['kW kilowatt kilowatts', 1000, POWER],
  ['MW megawatt megawatts', 1e6, POWER],
  ['Pa pascal pascals', 1, PRESSURE],
  ['kPa', 1000, PRESSURE],
  ['K kelvin kelvins', 1, { K: 1 }],
  ['mol mole moles', 1, { mol: 1 }],
  ['A ampere amperes', 1, { A: 1 }],
  ['V volt volts', 1, { kg: 1, m: 2, s: -3, A: -1 }],
  ['ohm ohms Ω', 1, { kg: 1, m: 2, s: -3, A: -2 }],
  ['dollar dollars usd USD $', 1, { dollar: 1 }],
  ['cent cents ¢', 0.01, { dollar: 1 }],
  ['euro euros EUR €', 1, { euro: 1 }],
  ['degree degrees deg °', 1, { degree: 1 }],
  ['rad radian radians', 1, { radian: 1 }],
]

const units = new Map(
  TABLE.flatMap(([names, factor, dimensions]) =>
    names.split(' ').map((name): [string, Unit] => [name, { factor, dimensions }]),
  ),
)

function raise({ factor, dimensions }: Unit, exponent: number): Unit {
  return {
    factor: factor ** exponent,
    dimensions: Object.fromEntries(Object.entries(dimensions).map(([name, of]) => [name, of * exponent])),
  }
}

function multiplyUnits(a: Unit, b: Unit): Unit {
  const dimensions: Record<string, number> = { ...a.dimensions }
  for (const [name, of] of Object.entries(b.dimensions)) dimensions[name] = (dimensions[name] ?? 0) + of
  return {
    factor: a.factor * b.factor,
    dimensions: Object.fromEntries(Object.entries(dimensions).filter(([, of]) => of !== 0)),
  }
}

const PART = /(square|sq\.?|cubic|cu\.?)?\s*([\p{L}°$¢€]+)\.?\s*(?:\^?\{?\(?(-?\d)\)?\}?|(squared|cubed))?/iuy

/** Reads `m/s^2`, `kg m s^{-1}`, `square feet`, `miles per hour`; undefined if any part is no known unit. */
function readUnit(text: string): Unit | undefined {
  let unit: Unit = { factor: 1, dimensions: {} }
  let rest = text.replaceAll(/\\cdot|\*|·/g, ' ').trim()
  let isBelow = false
  if (rest === '') return undefined
  while (rest !== '') {
    const divider = /^(?:\/|per\s|an?\s)\s*/i.exec(rest)?.[0]
    if (divider !== undefined) {
      isBelow = true
      rest = rest.slice(divider.length)
    }
    PART.lastIndex = 0
    const part = PART.exec(rest)
    const known = part && (units.get(part[2]!) ?? units.get(part[2]!.toLowerCase()))
    if (!part || !known) return undefined
    const prefix = part[1]?.toLowerCase()
    const word = part[4]?.toLowerCase()
    const isArea = prefix?.startsWith('sq') || word === 'squared'
    const isVolume = prefix?.startsWith('cu') || word === 'cubed'
    const exponent = (isArea ? 2 : isVolume ? 3 : 1) * Number(part[3] ?? 1)
    unit = multiplyUnits(unit, raise(known, isBelow ? -exponent : exponent))
    rest = rest.slice(part[0].length).trim()
  }
  return unit
}

export function isSameDimension(a: Unit, b: Unit): boolean {
  return Object.keys(multiplyUnits(a, raise(b, -1)).dimensions).length === 0
}

const WRAPPED = String.raw`\\(?:text|textrm|textbf|textit|mathrm|mbox|operatorname|rm|unit|mathit|textsf)\s*\{((?:[^{}]|\{[^{}]*\})*)\}`
const UNIT_TAIL = new RegExp(
  String.raw`((?:\s|\\cdot|/|~|\^\s*\{?\s*-?\d(?:\s*\})?|${WRAPPED.replace('((', '(?:(')}|\^\\circ(?:\s*[CF])?)+)$`,
)

/** Each character fits in one way only: a choice here would take a time without end on a sentence. */
const PLAIN_TAIL = /^(.*[\d)}\]!])\s*([A-Za-zµμΩÅ°¢$€](?:[\p{L}\s./^°{}¢$€-]|\d(?=\}?(?:[A-Za-zµμΩÅ°¢$€]|$)))*)$/su

/** A value and what stands after it (or, for money, before it). */
export interface Measured {
  value: string
  unit: Unit | undefined
  /** Words that are no known unit, as in `9 apples`. */
  isCounted: boolean
}

function cleanWords(text: string): string {
  return text
    .replaceAll(new RegExp(WRAPPED, 'g'), ' $1 ')
    .replaceAll('^\\circ', '°')
    .replaceAll(/[{}~]/g, '')
    .replaceAll(/\s*\^\s*/g, '^')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Separates a number or expression from its unit. */
export function splitUnit(text: string): Measured {
  const money = /^(-?)\s*(?:\\text\s*\{\s*)?([$€£])\s*\}?\s*(-?.*\d.*)$/s.exec(text)
  if (money) {
    const rest = splitUnit(`${money[1]}${money[3]}`)
    return { value: rest.value, unit: rest.unit ?? units.get(money[2]!), isCounted: rest.isCounted }
  }
  const noted = text.replace(/(?<=[\d}])\s*\((?:\\text\s*\{)?[A-Za-z][A-Za-z ]+\}?\)$/, '')
  if (noted !== text) return { ...splitUnit(noted), isCounted: true }
  const tail = UNIT_TAIL.exec(text)?.[0] ?? ''
  // A power or a slash alone is no unit.
  const start = text.length - tail.length
  const isUnit = /\\(?:text|mathrm|mbox|operatorname|rm|unit|mathit)|\\circ/.test(tail)
  if (isUnit && start > 0) {
    const shift = /^(?:\s*(?:\^\s*\{?\s*-?\d\s*\}?|\/))+/.exec(tail)?.[0] ?? ''
    const words = cleanWords(tail.slice(shift.length))
    const value = (text.slice(0, start) + shift).trim()
    if (value !== '' && !/[/^*]$/.test(value)) return { value, unit: readUnit(words), isCounted: /\p{L}/u.test(words) }
  }
  const plain = PLAIN_TAIL.exec(text)
  const words = plain?.[2] ?? ''
  const unit = words.length <= 60 ? readUnit(words) : undefined
  // `5s` and `2m` may be variables; a unit of one letter needs a space.
  const isSpaced = /\s[A-Za-z]$/.test(text) || /^.{2}/.test(words)
  if (plain && unit && isSpaced) return { value: plain[1]!, unit, isCounted: true }
  if (plain && /^[A-Za-z]{2,}(?: [A-Za-z]{2,}){0,5}$/.test(words) && /[A-Za-z]{3}/.test(words))
    return { value: plain[1]!, unit: undefined, isCounted: true }
  return { value: text, unit: undefined, isCounted: false }
}
