import { z } from 'zod'
import { labelChangeSchema, type LabelChange, type RunLabel } from '../../../contract/index.ts'

/** The fields as typed; tags are separated by commas. */
export const labelFieldsSchema = z.object({ name: z.string(), tags: z.string(), note: z.string() })

export type LabelFields = z.infer<typeof labelFieldsSchema>

export type LabelProblems = Partial<Record<keyof LabelFields, string>>

export function fieldsOf(label: RunLabel | null | undefined): LabelFields {
  const { name = '', tags = [], note = '' } = label ?? {}
  return { name, tags: tags.join(', '), note }
}

const isField = (key: unknown): key is keyof LabelFields => key === 'name' || key === 'tags' || key === 'note'

/** The first problem of each field. */
export function findProblems({ name, tags, note }: LabelFields): LabelProblems {
  const parsed = labelChangeSchema.safeParse({ name, tags: tags.split(','), note })
  const problems: LabelProblems = {}
  for (const { path, message } of parsed.error?.issues ?? []) {
    const [field] = path
    if (isField(field)) problems[field] ??= `${message[0]!.toUpperCase()}${message.slice(1)}.`
  }
  return problems
}

/** Only what was edited: what someone else changed in the meantime stays. */
export function findChange(before: RunLabel | null | undefined, fields: LabelFields): LabelChange {
  const old = fieldsOf(before)
  return {
    ...(fields.name !== old.name && { name: fields.name }),
    ...(fields.tags !== old.tags && { tags: fields.tags.split(',') }),
    ...(fields.note !== old.note && { note: fields.note }),
  }
}

/** The filter with one tag more or less; the address keeps them separated by commas. */
export function toggleTag(tags: readonly string[], tag: string): string {
  const without = tags.filter((other) => other.toLowerCase() !== tag.toLowerCase())
  return (without.length < tags.length ? without : [...tags, tag]).join(',')
}
