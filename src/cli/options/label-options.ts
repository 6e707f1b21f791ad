import type { LabelChange } from '../../contract/index.ts'
import { readLabelChange } from '../../services/stored-runs/label.ts'

export interface LabelOptions {
  name?: string
  tag?: string[]
  note?: string
}

/** Fields that are absent stay as they are. */
export function readLabelOptions({ name, tag: tags, note }: LabelOptions): LabelChange {
  return readLabelChange(
    { ...(name !== undefined && { name }), ...(tags && { tags }), ...(note !== undefined && { note }) },
    (field) => (field === 'tags' ? '--tag' : `--${field}`),
  )
}
