import { nameOwner, type RunSummary } from '../../../contract/index.ts'
import { terminalRuns } from '../../../report/tables/runs.ts'
import { formatCount, runStates } from '../../../report/words/index.ts'
import { searchRuns, type RunActivity } from '../../../services/index.ts'
import { printJson, type Terminal } from '../../output/terminal.ts'
import { drawTable } from '../../output/text-table.ts'
import { withData, type StoredOptions } from './stored-commands.ts'

const DEFAULT_LIMIT = 50

export interface ListOptions extends StoredOptions {
  limit?: number
  search?: string
  tag?: string[]
}

/** True if no cost is known at all, which is not 0. */
function isCostUnknown({ cost, unknownCosts }: Pick<RunSummary, 'cost' | 'unknownCosts'>): boolean {
  return cost === 0 && unknownCosts > 0
}

/** `running (process 4711 on host lab)`, or `interrupted` if that process is gone. */
function nameState({ state, waiting, workedOnBy }: RunActivity): string {
  const { word } = runStates[state]
  if (waiting !== undefined) return `${word}: ${waiting}`
  return workedOnBy ? `${word} (${nameOwner(workedOnBy)})` : word
}

/** `benchmaker list` */
export function listRuns(options: ListOptions, terminal: Terminal): Promise<number> {
  const { limit = DEFAULT_LIMIT, search, tag: tags = [], json = false } = options
  return withData(options, async (storage) => {
    const { runs, total, activity } = await searchRuns({ search, tags, limit }, { storage, now: storage.now() })
    const activityOf = (run: RunSummary) => activity.get(run.id)!
    if (json) {
      const listed = runs.map((run) => ({ ...run, ...activityOf(run), cost: isCostUnknown(run) ? null : run.cost }))
      printJson({ runs: listed, total }, terminal)
      return 0
    }
    if (runs.length === 0) {
      terminal.stdout.write(
        search === undefined && options.tag === undefined
          ? 'No runs yet. Next: benchmaker run SUITE\n'
          : 'No runs match; benchmaker list shows all of them.\n',
      )
      return 0
    }
    const listed = runs.map((run) => ({ ...run, stateWord: nameState(activityOf(run)) }))
    terminal.stdout.write(drawTable(terminalRuns(listed), listed, terminal))
    if (total > runs.length)
      terminal.stderr.write(`${formatCount(total - runs.length, 'older run')} not shown; use --limit ${total}\n`)
    return 0
  })
}
