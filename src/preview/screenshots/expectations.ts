import { z } from 'zod'
import { readPattern, type PageExpectation, type PageMatch, type PageTarget } from '../../contract/index.ts'

/** Compares what a scripted test expects with what is to be seen on the page. */

const boxSchema = z.object({
  left: z.number(),
  top: z.number(),
  right: z.number(),
  bottom: z.number(),
  width: z.number(),
  height: z.number(),
})
type Box = z.output<typeof boxSchema>

export const factsSchema = z.object({
  title: z.string(),
  count: z.number(),
  texts: z.array(z.string()),
  /** Colours of the expectation as #rrggbb; null for what is no colour. */
  colours: z.record(z.string(), z.string().nullable()),
  others: z.array(boxSchema.nullable()),
  /** The first of those that can be seen. */
  element: z
    .object({
      text: z.string(),
      value: z.string().nullable(),
      checked: z.boolean(),
      disabled: z.boolean(),
      focused: z.boolean(),
      attributes: z.record(z.string(), z.string().nullable()),
      style: z.record(z.string(), z.string()),
      box: boxSchema,
    })
    .optional(),
})
export type Facts = z.output<typeof factsSchema>

const SIDES = ['leftOf', 'rightOf', 'above', 'below', 'inside'] as const
const SIZES = ['width', 'height', 'left', 'top'] as const

/** Layouts are rounded to pixels here and there. */
const PIXEL = 1

/** `button "Save"`, `#count`, `field "Email"` */
export function nameTarget(target: PageTarget): string {
  if (typeof target === 'string') return target
  const { css, role, text, label, nth } = target
  const parts = [css, role ?? (label === undefined ? undefined : 'field'), text ?? label].flatMap((part, index) =>
    part === undefined ? [] : [index === 2 ? JSON.stringify(part) : part],
  )
  return `${parts.join(' ')}${nth === undefined ? '' : ` (${nth > 0 ? `number ${nth}` : `number ${-nth} from the end`})`}`
}

/** What to look up on the page for an expectation. */
export function questionFor({ of, attributes = {}, style = {}, ...rest }: PageExpectation) {
  const others = SIDES.flatMap((side) => rest[side] ?? [])
  const colours = Object.values(style).flatMap((match) => (typeof match === 'object' ? [match.is, match.not] : [match]))
  return {
    of,
    attributes: Object.keys(attributes),
    style: Object.keys(style),
    others,
    colours: colours.filter((colour) => typeof colour === 'string'),
  }
}

type Match = Exclude<PageMatch, string | number | boolean>

const tidy = (value: string | number | boolean): string => String(value).replace(/\s+/g, ' ').trim()
const fold = (value: string | number | boolean): string => tidy(value).toLowerCase()

const readNumber = (seen: string | number): number =>
  typeof seen === 'number' ? seen : Number(/-?\d+(?:[.,]\d+)*/.exec(seen)?.[0].replaceAll(',', '') ?? NaN)

function isAsWanted(seen: string | number, wanted: string | number | boolean, within: number | undefined): boolean {
  const distance = within ?? (typeof seen === 'number' ? PIXEL : undefined)
  if (distance !== undefined) return Math.abs(readNumber(seen) - Number(wanted)) <= distance
  return fold(seen) === fold(wanted)
}

const toMatch = (match: PageMatch): Match => (typeof match === 'object' ? match : { is: match })

function isMatch(seen: string | number, { is, not, contains, matches, atLeast, atMost, within }: Match): boolean {
  return (
    (is === undefined || isAsWanted(seen, is, within)) &&
    (not === undefined || !isAsWanted(seen, not, within)) &&
    (contains === undefined || fold(seen).includes(fold(contains))) &&
    (matches === undefined || readPattern(matches).test(tidy(seen))) &&
    (atLeast === undefined || readNumber(seen) >= atLeast) &&
    (atMost === undefined || readNumber(seen) <= atMost)
  )
}

const quoteValue = (value: string | number | boolean): string => {
  const text = tidy(value)
  return typeof value === 'string' ? JSON.stringify(text.length > 120 ? `${text.slice(0, 119)}…` : text) : text
}

function describeMatch(match: PageMatch): string {
  const { is, not, contains, matches, atLeast, atMost, within } = toMatch(match)
  return [
    is !== undefined && `${quoteValue(is)}${within === undefined ? '' : ` ± ${within}`}`,
    not !== undefined && `not ${quoteValue(not)}`,
    contains !== undefined && `something with ${quoteValue(contains)}`,
    matches !== undefined && `something like ${matches}`,
    atLeast !== undefined && `at least ${atLeast}`,
    atMost !== undefined && `at most ${atMost}`,
  ]
    .filter((part) => part !== false)
    .join(', ')
}

/** Colours are compared as #rrggbb. */
function normaliseColours(match: PageMatch, colours: Facts['colours']): Match {
  const { is, not, ...rest } = toMatch(match)
  const hex = (value: typeof is) => (typeof value === 'string' ? (colours[value] ?? value) : value)
  return { ...rest, ...(is !== undefined && { is: hex(is) }), ...(not !== undefined && { not: hex(not) }) }
}

/** `0` is `0px`. */
const isStyle = (seen: string, match: Match): boolean =>
  isMatch(seen, match) || (String(match.is) === '0' && /^0(?:px|%|s)?$/.test(seen))

const ROUNDED = (pixels: number): number => Math.round(pixels * 10) / 10

const sideWords: Record<(typeof SIDES)[number], string> = {
  leftOf: 'left of',
  rightOf: 'right of',
  above: 'above',
  below: 'below',
  inside: 'inside',
}

function isPlaced(side: (typeof SIDES)[number], own: Box, other: Box): boolean {
  if (side === 'leftOf') return own.right <= other.left + PIXEL
  if (side === 'rightOf') return own.left >= other.right - PIXEL
  if (side === 'above') return own.bottom <= other.top + PIXEL
  if (side === 'below') return own.top >= other.bottom - PIXEL
  return (
    own.left >= other.left - PIXEL &&
    own.right <= other.right + PIXEL &&
    own.top >= other.top - PIXEL &&
    own.bottom <= other.bottom + PIXEL
  )
}

const describeBox = ({ left, top, right, bottom }: Box): string =>
  `${ROUNDED(left)}–${ROUNDED(right)} px across, ${ROUNDED(top)}–${ROUNDED(bottom)} px down`

/** Expectations of the element itself, each with what is seen instead. */
function listFaults(expectation: PageExpectation, facts: Facts, name: string): string[] {
  const { count, visible, texts } = expectation
  const faults: string[] = []
  const expect = (holds: boolean, wanted: string, seen: string): void => {
    if (!holds) faults.push(`expected ${wanted}, saw ${seen}`)
  }
  if (count !== undefined)
    expect(
      isMatch(facts.count, { within: 0, ...toMatch(count) }),
      `${describeMatch(count)} of ${name}`,
      String(facts.count),
    )
  if (visible !== undefined)
    expect(visible === facts.count > 0, `${name} ${visible ? 'to be' : 'not to be'} seen`, visible ? 'none' : 'it')
  if (texts !== undefined)
    expect(
      texts.length === facts.texts.length && texts.every((text, index) => fold(text) === fold(facts.texts[index]!)),
      `${name} to say ${texts.map(quoteValue).join(', ')}`,
      facts.texts.length === 0 ? 'none' : facts.texts.slice(0, 12).map(quoteValue).join(', '),
    )
  const { element } = facts
  const own = new Set(Object.keys(expectation).filter((key) => !OF_MANY.has(key)))
  if (own.size === 0) return faults
  if (!element) return [...faults, `expected ${name}, saw none on the screen`]
  return [...faults, ...listElementFaults(expectation, facts, { name, element })]
}

/** What does not need an element to be there. */
const OF_MANY: ReadonlySet<string> = new Set(['of', 'count', 'visible', 'texts', 'title', 'noErrors'])

function listElementFaults(
  expectation: PageExpectation,
  { colours, others }: Facts,
  { name, element }: { name: string; element: NonNullable<Facts['element']> },
): string[] {
  const { text, value, attributes = {}, style = {} } = expectation
  const { box } = element
  const faults: string[] = []
  const expect = (holds: boolean, wanted: string, seen: string): void => {
    if (!holds) faults.push(`expected ${wanted}, saw ${seen}`)
  }
  if (text !== undefined)
    expect(isMatch(element.text, toMatch(text)), `${name} to say ${describeMatch(text)}`, quoteValue(element.text))
  if (value !== undefined)
    expect(
      element.value !== null && isMatch(element.value, toMatch(value)),
      `${describeMatch(value)} in ${name}`,
      element.value === null ? 'that it is no field' : quoteValue(element.value),
    )
  for (const state of ['checked', 'disabled', 'focused'] as const) {
    const wanted = expectation[state]
    if (wanted !== undefined)
      expect(
        element[state] === wanted,
        `${name} ${wanted ? '' : 'not '}${STATES[state]}`,
        wanted ? 'that it is not' : 'that it is',
      )
  }
  for (const [attribute, wanted] of Object.entries(attributes)) {
    const seen = element.attributes[attribute] ?? null
    expect(
      wanted === null ? seen === null : seen !== null && isMatch(seen, toMatch(wanted)),
      `${name} ${wanted === null ? `without ${attribute}` : `with ${attribute} ${describeMatch(wanted)}`}`,
      seen === null ? 'that it has none' : quoteValue(seen),
    )
  }
  for (const [property, wanted] of Object.entries(style)) {
    const seen = element.style[property] ?? ''
    expect(
      isStyle(seen, normaliseColours(wanted, colours)),
      `${name} with ${property} ${describeMatch(wanted)}`,
      seen === '' ? 'that it has none' : seen,
    )
  }
  for (const size of SIZES) {
    const wanted = expectation[size]
    if (wanted !== undefined)
      expect(
        isMatch(box[size], toMatch(wanted)),
        `${size} of ${name} ${describeMatch(wanted)} px`,
        `${ROUNDED(box[size])} px`,
      )
  }
  const boxes = others.values()
  for (const side of SIDES) {
    const target = expectation[side]
    if (target === undefined) continue
    const other = boxes.next().value ?? undefined
    const wanted = `${name} ${sideWords[side]} ${nameTarget(target)}`
    if (other)
      expect(isPlaced(side, box, other), wanted, `it at ${describeBox(box)}, and the other at ${describeBox(other)}`)
    else expect(false, wanted, `no ${nameTarget(target)} on the screen`)
  }
  return faults
}

const STATES = { checked: 'on', disabled: 'disabled', focused: 'to have the focus' }

/** What is not as expected, in words; empty if all is. `errors` are those of the page so far. */
export function findFaults(expectation: PageExpectation, facts: Facts, errors: readonly string[]): string[] {
  const { of, title, noErrors } = expectation
  const faults = of === undefined ? [] : listFaults(expectation, facts, nameTarget(of))
  if (title !== undefined && !isMatch(facts.title, toMatch(title)))
    faults.push(`expected the title ${describeMatch(title)}, saw ${quoteValue(facts.title)}`)
  if (noErrors && errors.length > 0) faults.push(`expected no errors, saw ${quoteValue(errors[0]!)}`)
  return faults
}
