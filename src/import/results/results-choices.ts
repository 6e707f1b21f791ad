// Without Node's types: the library's users compile against these.

/** What the user can choose. */
export interface ResultsChoices {
  /** Which metric counts. */
  metric?: string | undefined
  /** The value that becomes 0, and the one that becomes 1. */
  scale?: { min: number; max: number } | undefined
  lowerIsBetter?: boolean | undefined
  /** For files that do not name their model. */
  model?: string | undefined
  /** Columns of a table, by what they hold. */
  columns?: Readonly<Record<string, string>> | undefined
  /** Each prompt of a promptfoo file becomes a contestant `model@prompt` instead of cases of its own. */
  splitPrompts?: boolean | undefined
}

/** What a file has of one metric. */
export interface MetricSummary {
  name: string
  /** `ready`: scores from 0 to 1; `scale`: numbers that need one; `unusable`: no score at all. */
  state: 'ready' | 'scale' | 'unusable'
  /** Samples with a score that can be used. */
  count: number
  min?: number | undefined
  max?: number | undefined
  /** In words: what there is. */
  description: string
}

/** A small file beside a results file, or uploaded with it. */
export interface BesideFile {
  name: string
  text: string
}
