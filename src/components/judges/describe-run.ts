import { formatCount, joinWords } from '../../report/words/index.ts'
import { formatLocalTime } from '../ui/local-time.ts'

interface NamedRun {
  suite?: string | undefined
  models: readonly string[]
  startedAt?: number | undefined
}

/** For people: no one knows a run by its id. */
export function describeRun({ suite = 'Suite', models, startedAt }: NamedRun): string {
  const names = models.length > 2 ? formatCount(models.length, 'model') : joinWords(models)
  return `${suite} · ${names} · ${formatLocalTime(startedAt)}`
}
