import {
  InputError,
  labelChangeSchema,
  makeLabel,
  type LabelChange,
  type RunLabel,
  type Storage,
} from '../../contract/index.ts'

/** Checks a name, tags and a note as given; `nameField` says how the caller's users know the fields. */
export function readLabelChange(
  change: LabelChange,
  nameField: (field: string) => string = (field) => field,
): LabelChange {
  const parsed = labelChangeSchema.safeParse(change)
  if (parsed.success) return parsed.data
  throw new InputError(
    parsed.error.issues.map(({ path, message }) => `${nameField(String(path[0] ?? ''))}: ${message}`).join('\n'),
  )
}

/** For a new run. */
export function readNewLabel(label: LabelChange = {}): RunLabel | undefined {
  return makeLabel(readLabelChange(label))
}

/** Changes what people call a run, or its series. Returns the whole label. */
export async function labelRun(storage: Storage, runId: string, change: LabelChange): Promise<RunLabel | undefined> {
  const parsed = readLabelChange(change)
  if (Object.keys(parsed).length === 0) throw new InputError('nothing to change: give a name, tags or a note')
  return storage.saveLabel(runId, parsed)
}
