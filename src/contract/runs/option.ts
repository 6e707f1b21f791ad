import { z } from 'zod'
import type { TypedAs } from './typed-values.ts'

/** How an option is called and explained, the same wherever it can be set. */
interface OptionText {
  /** The name of its control. */
  label: string
  /** What it does, as `--help` prints it; elsewhere it starts with a capital. */
  help: string
  /** Replaces `help` in the form, where there is little room. */
  hint?: string
  /** A comma in the brackets makes it a list, `<age>` an age such as 12h. */
  flag: string
  unit?: 'seconds' | 'USD'
  /** The section of the form that shows it. Without one, the form has a special control for it or none. */
  group?: 'Cases' | 'Judges' | 'Reduce cost' | 'Limits'
  /** What applies if it is not set and has no default; the form shows a number as if it were set. */
  unset?: string | number
  /** How it is typed, if it is neither a number, a choice nor a plain text. */
  typedAs?: TypedAs
  /** The values of an enumeration, in words. */
  choices?: Record<string, string>
  /** The form shows and sends it only if that option is set. */
  onlyWith?: string
  /** Shown on a team server only. */
  isForTeams?: boolean
  /** The form shows and sends it only for suites with a simulated user. */
  isForUsers?: boolean
}

/** Something that a user can set, described once for the terminal, the web app, the library and the reference. */
export interface Option<Field extends z.ZodType = z.ZodType> extends OptionText {
  /** With its limits and its default. */
  field: Field
}

export type Options = Record<string, Option>

type LimitsOf<Field> = Field extends z.ZodDefault<infer Inner> | z.ZodOptional<infer Inner> ? Inner : Field

export function option<Field extends z.ZodType>(field: Field, text: OptionText): Option<Field> {
  return { ...text, field: field.describe(text.help.charAt(0).toUpperCase() + text.help.slice(1)) }
}

/** The fields of a request, with their defaults. */
export function fieldsOf<Given extends Options>(options: Given): { [Name in keyof Given]: Given[Name]['field'] }
export function fieldsOf(options: Options): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(options).map(([name, { field }]) => [name, field]))
}

/** The limits of an option, without its default. */
export function limitsOf({ field }: Pick<Option, 'field'>): z.ZodType {
  if (!(field instanceof z.ZodDefault || field instanceof z.ZodOptional)) return field
  const inner = field.unwrap()
  return inner instanceof z.ZodType ? inner : field
}

/** The fields of a change: what is absent stays as it is, whatever its default. */
export function changesOf<Given extends Options>(
  options: Given,
): { [Name in keyof Given]: z.ZodOptional<LimitsOf<Given[Name]['field']>> }
export function changesOf(options: Options): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(options).map(([name, given]) => [
      name,
      limitsOf(given)
        .optional()
        .describe(given.field.description ?? ''),
    ]),
  )
}

/** Undefined if there is none. */
export function defaultOf({ field }: Option): unknown {
  return field.safeParse(undefined).data
}

export interface NumberRange {
  min?: number
  max?: number
  /** `min` itself is not allowed. */
  isMinExcluded?: boolean
  isWhole?: boolean
}

const limitsSchema = z.object({
  minimum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  maximum: z.number().optional(),
})

/** The numbers that an option allows; undefined if it is no number. */
export function rangeOf(given: Option): NumberRange | undefined {
  const limits = limitsOf(given)
  if (!(limits instanceof z.ZodNumber)) return undefined
  const { minimum, exclusiveMinimum, maximum } = limitsSchema.parse(z.toJSONSchema(limits))
  const min = exclusiveMinimum ?? minimum
  return {
    ...(min !== undefined && min !== Number.MIN_SAFE_INTEGER && { min }),
    // JSON Schema gives every whole number the largest one that JavaScript can count.
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { max: maximum }),
    ...(exclusiveMinimum !== undefined && { isMinExcluded: true }),
    ...(limits.isInt && { isWhole: true }),
  }
}

export function isInRange(value: number, { min, max, isMinExcluded, isWhole }: NumberRange): boolean {
  if (!Number.isFinite(value) || (isWhole && !Number.isInteger(value))) return false
  const isTooSmall = min !== undefined && (isMinExcluded ? value <= min : value < min)
  return !isTooSmall && (max === undefined || value <= max)
}

/** The numbers of a range in words, to follow “must be”. */
export function describeRange({ min, max, isMinExcluded, isWhole }: NumberRange): string {
  const kind = isWhole ? 'a whole number' : 'a number'
  if (min !== undefined && max !== undefined && !isMinExcluded) return `${kind} from ${min} to ${max}`
  const parts = [
    min !== undefined && `${isMinExcluded ? 'greater than' : 'of at least'} ${min}`,
    max !== undefined && `${min === undefined ? 'of ' : ''}at most ${max}`,
  ].filter(Boolean)
  return [kind, parts.join(' and ')].filter(Boolean).join(' ')
}

/** A number with a message that names its limits. */
export function numberFrom(min: number, max: number): z.ZodNumber {
  const message = `must be ${describeRange({ min, max })}`
  return z.number(message).min(min, message).max(max, message)
}

/** A whole number from 1, with a message that names its limits. */
export function wholeNumber(max?: number): z.ZodInt {
  const message = `must be ${describeRange({ min: 1, isWhole: true, ...(max !== undefined && { max }) })}`
  const schema = z.int(message).min(1, message)
  return max === undefined ? schema : schema.max(max, message)
}
