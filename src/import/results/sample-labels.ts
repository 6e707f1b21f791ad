import type { ForeignSample } from './foreign-results.ts'

/** By what results are grouped. */
export type SampleLabels = Pick<ForeignSample, 'category' | 'difficulty' | 'tags'>

/** Of a text, a number or true and false; a list or object names no category. */
function readSampleLabel(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  return String(value).trim() || undefined
}

/** A list, or a text with `;` or `,` between tags, as in a suite's table. */
function readTags(value: unknown): string[] | undefined {
  const parts: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[;,]/) : []
  const tags = [...new Set(parts.flatMap((part) => readSampleLabel(part) ?? []))]
  return tags.length === 0 ? undefined : tags
}

/** The category, difficulty and tags that a file gives a sample. */
export function readLabels(get: (field: keyof SampleLabels) => unknown): SampleLabels {
  return {
    category: readSampleLabel(get('category')),
    difficulty: readSampleLabel(get('difficulty')),
    tags: readTags(get('tags')),
  }
}
