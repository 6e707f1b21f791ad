import { formatCount, joinWords } from '../../report/words/index.ts'
import type { ListedRun } from '../../server/runs/listed-runs.ts'
import { formatLocalTime } from '../ui/local-time.ts'

/** For people: no one knows a run by its id. */
export function describeRun({ testSuiteName = 'Suite', models, startedAt }: ListedRun): string {
  const names = models.length > 2 ? formatCount(models.length, 'model') : joinWords(models)
  return `${testSuiteName} · ${names} · ${formatLocalTime(startedAt)}`
}
