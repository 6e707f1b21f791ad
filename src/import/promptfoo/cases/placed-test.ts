import { z } from 'zod'
import { InputError } from '../../../contract/index.ts'
import type { ImportContext } from '../import-warnings.ts'

const record = z.record(z.string(), z.unknown())

const testSchema = z.looseObject({
  description: z.string().optional(),
  vars: z.union([record, z.string(), z.array(z.string())]).nullish(),
  assert: z.array(z.unknown()).nullish(),
  options: record.nullish(),
  metadata: record.nullish(),
  threshold: z.number().nullish(),
})

type TestFields = z.output<typeof testSchema>

/** One test, or a part of one such as `defaultTest`, and where it stands. */
export interface PlacedTest {
  /** For a layer that is not a test by itself: `defaultTest`. */
  name?: string
  fields: TestFields
  place(path: readonly PropertyKey[]): string
  /** The folder of the file it is in, if that is not the config. */
  folder?: string
}

/** The context for paths that a test names. */
export function contextOf({ folder }: Pick<PlacedTest, 'folder'>, context: ImportContext): ImportContext {
  return folder === undefined ? context : { ...context, folder, configFolder: context.configFolder ?? context.folder }
}

export function readTest(value: unknown, place: PlacedTest['place']): PlacedTest {
  const parsed = testSchema.safeParse(value)
  if (parsed.success) return { fields: parsed.data, place }
  const issue = parsed.error.issues[0]!
  throw new InputError(`${place(issue.path)}: ${issue.path.join('.') || 'a test'}: ${issue.message}`)
}
