/** Which two models are compared, by id: of the earlier side and of the later one. */
export type ModelPair = readonly [before: string, after: string]

export interface ChosenModels {
  before?: string | undefined
  after?: string | undefined
}

/**
 * The models to compare: the chosen two; else each model that both sides have with itself; else every model of one side
 * with every model of the other.
 */
export function pairModels(
  before: readonly string[],
  after: readonly string[],
  { chosen = {}, isSameRuns = false }: { chosen?: ChosenModels; isSameRuns?: boolean } = {},
): ModelPair[] {
  const [first, second] = [[...new Set(before)], [...new Set(after)]]
  const shared = isSameRuns ? [] : second.filter((modelId) => first.includes(modelId))
  if (chosen.before === undefined && chosen.after === undefined && shared.length > 0)
    return shared.map((modelId) => [modelId, modelId])
  const left = chosen.before === undefined ? first : [chosen.before]
  const right = chosen.after === undefined ? second : [chosen.after]
  const pairs = left.flatMap((a) => right.map((b): ModelPair => [a, b]))
  if (!isSameRuns) return pairs
  // Within the same runs a model has nothing to be compared with itself, and A with B is B with A.
  const seen = new Set<string>()
  return pairs.filter(([a, b]) => {
    const isNew = a !== b && !seen.has(JSON.stringify([b, a]))
    seen.add(JSON.stringify([a, b]))
    return isNew
  })
}

/** A model with the runs that it is from, to be named. */
export interface NamedColumn {
  modelId: string
  /** The id of its run or series. */
  runId: string
  startedAt?: number | undefined
  /** What people call the run or series. */
  name?: string | undefined
  /** The file that the run was imported from. */
  file?: string | undefined
}

/** `12 Nov 14:03`, or `12 Nov 14:03:31` with seconds. */
type FormatTime = (milliseconds: number, options?: { withSeconds?: boolean }) => string | undefined

/**
 * Tells columns of the same model apart: `X · 12 Nov 14:03`, with seconds if they started in the same minute, else by the
 * run; those that have a name by it, imported ones by their files.
 */
export function labelColumns(columns: readonly NamedColumn[], formatTime: FormatTime): string[] {
  const timeOf = ({ startedAt }: NamedColumn, withSeconds: boolean) =>
    startedAt === undefined ? undefined : formatTime(startedAt, { withSeconds })
  const details: ((column: NamedColumn) => string | undefined)[] = [
    (column) => column.name ?? column.file ?? timeOf(column, false),
    ({ name, file, ...column }) => name ?? file ?? timeOf(column, true),
    ({ runId }) => runId,
  ]
  let labels = columns.map(({ modelId }) => modelId)
  for (const detailOf of details) {
    const alike = Map.groupBy(labels, (label) => label)
    labels = labels.map((label, index) => {
      if (alike.get(label)!.length === 1) return label
      const column = columns[index]!
      return `${column.modelId} · ${detailOf(column) ?? column.runId}`
    })
  }
  return labels
}
