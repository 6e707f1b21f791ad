import { RESULT_KINDS } from '../../../contract/index.ts'
import { joinWords } from '../../../report/words/index.ts'
import { formatLocalClock, formatLocalTime } from '../../ui/local-time.ts'
import { groupOfRun, type RunGroup } from '../runs/run-groups.ts'

export interface Choice {
  selection: string
  label: string
  suiteName: string
  models: string[]
  startedAt: number
}

/** Everything that can be compared: series, their runs, and single runs. No two have the same label. */
export function listChoices(groups: RunGroup[]): Choice[] {
  const choices = labelChoices(groups)
  const withModels = tellApart(choices, ({ models }) => summariseNames(models))
  const withSeconds = tellApart(withModels, ({ startedAt }) => formatLocalClock(startedAt, { withSeconds: true }))
  return tellApart(withSeconds, ({ selection }) => selection)
}

/** What a run is compared with at first: the run or series of its suite that was started before it. */
export function findPrevious(groups: readonly RunGroup[], selection: string): string | undefined {
  // The runs of one series say how much the models vary, not what changed.
  const own = groups.find((group) => group.selection === selection || group.runs.some(({ id }) => id === selection))
  return groups
    .filter(
      ({ kind, suiteName, startedAt }) =>
        own !== undefined && RESULT_KINDS.includes(kind) && suiteName === own.suiteName && startedAt < own.startedAt,
    )
    .toSorted((a, b) => b.startedAt - a.startedAt)[0]?.selection
}

/** `a and b`, or `a, b and 3 more` */
function summariseNames(models: readonly string[]): string {
  return models.length > 3 ? `${models.slice(0, 2).join(', ')} and ${models.length - 2} more` : joinWords(models)
}

/** Adds a detail to the labels that are not unique. */
function tellApart(choices: Choice[], detail: (choice: Choice) => string): Choice[] {
  const counts = new Map<string, number>()
  for (const { label } of choices) counts.set(label, (counts.get(label) ?? 0) + 1)
  return choices.map((choice) =>
    counts.get(choice.label)! > 1 ? { ...choice, label: `${choice.label} · ${detail(choice)}` } : choice,
  )
}

function labelChoices(groups: RunGroup[]): Choice[] {
  return groups.flatMap(({ selection, suiteName, label: { name = '' } = {}, startedAt, models, isSeries, runs }) => {
    const make = (part: Pick<Choice, 'selection' | 'models' | 'startedAt'>, description: string): Choice => ({
      ...part,
      label: name === '' ? description : `${name} · ${description}`,
      suiteName,
    })
    if (!isSeries) return [make({ selection, models, startedAt }, `${formatLocalTime(startedAt)} · ${suiteName}`)]
    return [
      make({ selection, models, startedAt }, `${formatLocalTime(startedAt)} · series of ${runs.length}, ${suiteName}`),
      ...runs.map((run, index) =>
        make(
          { selection: groupOfRun(run).selection, models: run.models, startedAt: run.startedAt },
          `${formatLocalTime(run.startedAt)} · run ${index + 1} of ${runs.length}, ${suiteName}`,
        ),
      ),
    ]
  })
}
