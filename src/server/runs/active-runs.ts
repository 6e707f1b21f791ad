import { messageOf } from '../../contract/index.ts'
import { join } from 'node:path'
import { z } from 'zod'
import { readPrivateJson, writePrivateFile } from '../../settings/index.ts'
import { Refusal } from '../http/refusal.ts'
import type { RunManager } from './run-manager.ts'

const listSchema = z.object({ runs: z.array(z.string()) })

/** The runs that this server works on, in a file: the server that is started in its place knows what to continue. */
export interface ActiveRuns {
  /** What an earlier server was working on when it was stopped or killed. */
  readonly earlier: readonly string[]
  /** From now on runs that end stay in the list: they end because the server does. */
  keep(): void
}

export function trackActiveRuns(dataFolder: string, runs: Pick<RunManager, 'listen'>): ActiveRuns {
  const file = join(dataFolder, 'active-runs.json')
  const earlier = listSchema.safeParse(readPrivateJson(file)).data?.runs ?? []
  /** By series: resuming any run of it continues all. */
  const inHand = new Map<string, string>()
  let isKept = false
  const save = () => writePrivateFile(file, JSON.stringify({ runs: [...inHand.values()] }))
  if (earlier.length > 0) save()
  runs.listen((event) => {
    if (isKept) return
    if (event.type === 'run-started') {
      const { id, seriesId } = event.run
      inHand.set(seriesId ?? id, id)
    } else if (event.type === 'run-finished') {
      for (const [key, id] of inHand) if (id === event.runId) inHand.delete(key)
    } else return
    save()
  })
  return {
    earlier,
    keep() {
      isKept = true
    },
  }
}

/** Continues the runs that were in progress in an earlier server, unless it is finished or someone else continues it already. */
export async function continueRuns(
  ids: readonly string[],
  runs: Pick<RunManager, 'resume'>,
  log: (line: string, error?: unknown) => void,
): Promise<void> {
  for (const id of ids)
    try {
      const { runId } = await runs.resume(id)
      log(`Continuing run ${runId}, which was in progress when the server was stopped.`)
    } catch (error) {
      const isOver = error instanceof Refusal && ['complete', 'worked-on', 'not-found'].includes(error.code)
      if (isOver) continue
      log(`Run ${id} cannot be continued: ${messageOf(error)}`, error)
    }
}
