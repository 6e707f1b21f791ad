import { z } from 'zod'

/** What people call a run or a series. It is not part of the request and can change at any time. */
export interface RunLabel {
  name?: string
  /** At least one. */
  tags?: string[]
  note?: string
}

/** A field that is absent stays as it is; an empty one is removed. */
export interface LabelChange {
  name?: string
  tags?: string[]
  note?: string
}

/** In characters, the same in the terminal, the web app, the library and imported files. */
const labelLimits = { name: 200, tags: 20, tag: 50, note: 10_000 } as const

const lengthOf = (text: string) => Array.from(text).length

/** A text without anything to see would be a name that nobody can click. */
const isVisible = (text: string) => /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(text)

/** The same letters are stored the same way, however they were typed. */
const clean = (text: string) => (isVisible(text) ? text.normalize('NFC').trim() : '')

export const isOneLine = (text: string) => text.isWellFormed() && !/\p{Cc}|[\u2028\u2029]/u.test(text)

const line = (max: number) =>
  z
    .string()
    .transform(clean)
    .refine(isOneLine, 'must be one line without control characters')
    .refine((text) => lengthOf(text) <= max, `must have at most ${max} characters`)

const nameSchema = line(labelLimits.name)

const tagSchema = line(labelLimits.tag).refine((tag) => !tag.includes(','), 'must not contain a comma')

const tagsSchema = z
  .array(tagSchema)
  .transform((tags) => distinct(tags.filter((tag) => tag !== '')))
  .refine((tags) => tags.length <= labelLimits.tags, `must be at most ${labelLimits.tags} tags`)

const noteSchema = z
  .string()
  .transform((text) => clean(text.replaceAll(/\r\n?/g, '\n')))
  .refine((text) => isOneLine(text.replaceAll(/[\n\t]/g, ' ')), 'must not contain control characters')
  .refine((text) => lengthOf(text) <= labelLimits.note, `must have at most ${labelLimits.note} characters`)

/** The first spelling counts. */
function distinct(tags: string[]): string[] {
  const seen = new Set<string>()
  return tags.filter((tag) => {
    const isNew = !seen.has(foldText(tag))
    seen.add(foldText(tag))
    return isNew
  })
}

/** For comparing texts: without case, on one line. */
export function foldText(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')
}

const fields = { name: nameSchema.optional(), tags: tagsSchema.optional(), note: noteSchema.optional() }

export const labelChangeSchema = z.strictObject(fields)

/** A label without empty fields; undefined if nothing is left. */
export function makeLabel({ name = '', tags = [], note = '' }: LabelChange): RunLabel | undefined {
  if (name === '' && note === '' && tags.length === 0) return undefined
  return { ...(name !== '' && { name }), ...(tags.length > 0 && { tags }), ...(note !== '' && { note }) }
}

/** For new and imported runs; a file of a later version may have more fields. */
export const runLabelSchema = z.object(fields).transform(makeLabel)
