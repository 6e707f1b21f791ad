import { nameOwner, type RunSummary, type Storage } from '../../../contract/index.ts'
import { buildSummary } from '../../../report/index.ts'
import { terminalRuns, type ListedRow } from '../../../report/tables/runs.ts'
import { formatCount, runStates } from '../../../report/words/index.ts'
import { nameFirst } from '../../../report/words/verdicts/first-place.ts'
import { describeUnfinished } from '../../../report/words/runs/states.ts'
import { searchRuns, type RunActivity } from '../../../services/index.ts'
import { printJson, styleFor, type Terminal } from '../../output/terminal.ts'
import { cleanText, cutEnd, drawTable } from '../../output/text-table.ts'
import { withData, type StoredOptions } from './stored-commands.ts'

const DEFAULT_LIMIT = 50

/** A list is there at once: who is first is read of the newest runs, as long as they have so few cells together. */
const MAX_CELLS_READ = 20_000

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

/** Two names of a few letters each still say which run it is. */
const MIN_CUT_WIDTH = 6

/** By id, who is first in the newest runs that have ended. */
async function findFirst(runs: readonly RunSummary[], storage: Storage): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  let cells = 0
  for (const { id, cells: counts, status } of runs) {
    if (counts.scored === 0 || status === 'running') continue
    cells += counts.total
    if (cells > MAX_CELLS_READ) break
    const run = await storage.loadRun(id, { texts: false })
    if (!run) continue
    const { rows, comparisons } = buildSummary([run])
    found.set(
      id,
      nameFirst(
        rows,
        comparisons.map(({ comparison }) => comparison),
      ),
    )
  }
  return found
}

/** One line per run, and one more for each that is not whole. */
function drawRuns(runs: readonly ListedRow[], terminal: Terminal): string {
  const { columns } = terminal
  const style = styleFor(terminal)
  const table = drawTable(terminalRuns(runs), runs, { columns, minCutWidth: MIN_CUT_WIDTH })
  const lines = table.trimEnd().split('\n')
  const below = runs.map((run) => describeUnfinished(run))
  // Rows that there is no room for take several lines each.
  if (lines.length !== runs.length + 1) {
    const note = { key: 'note', label: '', isObvious: true, text: (run: ListedRow) => below[runs.indexOf(run)] ?? '' }
    return drawTable([...terminalRuns(runs), note], runs, { columns })
  }
  return lines
    .flatMap((line, index) => {
      const note = below[index - 1]
      return note === undefined ? [line] : [line, style('yellow', cutEnd(`  ! ${cleanText(note)}`, columns))]
    })
    .map((line) => `${line}\n`)
    .join('')
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
    const firsts = await findFirst(runs, storage)
    const listed = runs.map((run) => {
      const first = firsts.get(run.id)
      return { ...run, stateWord: nameState(activityOf(run)), ...(first !== undefined && { first }) }
    })
    terminal.stdout.write(drawRuns(listed, terminal))
    if (total > runs.length)
      terminal.stderr.write(`${formatCount(total - runs.length, 'older run')} not shown; use --limit ${total}\n`)
    return 0
  })
}
