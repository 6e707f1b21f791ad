import { realpathSync } from 'node:fs'
import { InputError } from '../../../contract/index.ts'
import { formatCount } from '../../../report/words/index.ts'
import { isLiveClaim } from '../../../services/index.ts'
import { moveDatabase, type DatabaseLocation, type MovedDatabase } from '../../../storage/index.ts'
import { locateData } from '../../compose.ts'
import { REDRAW_MS } from '../../output/progress.ts'
import { clearLine, clearToEnd, onStderr, printJson, startOfLine, type Terminal } from '../../output/terminal.ts'
import { cleanText } from '../../output/text-table.ts'
import { withApp, type StoredOptions } from '../results/stored-commands.ts'

/** How many names a sentence lists. */
const MAX_NAMES = 5

/** `benchmaker import --from DATABASE`: copies everything from another database into the one in use. */
export function importDatabase(from: string, options: StoredOptions, terminal: Terminal): Promise<number> {
  const source = readLocation(from)
  return withApp(options, async (app) => {
    const target = locateData(app.dataFolder, process.env)
    refuseSame(source, target)
    // Creates and upgrades the tables.
    await app.storage()
    const progress = createCopyProgress(terminal)
    let moved: MovedDatabase
    try {
      moved = await moveDatabase({
        from: source,
        to: target,
        isLive: (claim) => isLiveClaim(claim, Date.now()),
        onProgress: progress.show,
      })
    } finally {
      progress.clear()
    }
    if (options.json) printJson({ imported: moved.runs, ...moved, runs: undefined }, terminal)
    terminal.stderr.write(describeMoved(moved))
    return 0
  })
}

function readLocation(from: string): DatabaseLocation {
  if (/^postgres(ql)?:\/\//.test(from)) return { connectionString: from }
  const [, file] = /^sqlite:(.+)$/s.exec(from) ?? []
  if (file !== undefined) return { file }
  // Not repeated: it may hold a password.
  throw new InputError('--from must be sqlite:FILE or postgres://user:password@host:port/database')
}

function refuseSame(source: DatabaseLocation, target: DatabaseLocation): void {
  if (identifyDatabase(source) === identifyDatabase(target))
    throw new InputError(
      '--from is the database in use; name another one, or choose the one to fill with --data or BENCHMAKER_DATABASE_URL',
    )
}

function identifyDatabase(location: DatabaseLocation): string {
  if ('connectionString' in location) {
    const url = URL.parse(location.connectionString)
    return `${url?.hostname}:${url?.port || '5432'}${url?.pathname}`
  }
  try {
    return realpathSync(location.file)
  } catch {
    return location.file
  }
}

function createCopyProgress(terminal: Terminal) {
  const { stderr, progress } = onStderr(terminal)
  let drawnAt = -Infinity
  return {
    show({ cells, totalCells }: { cells: number; totalCells: number }): void {
      if (!progress || performance.now() - drawnAt < REDRAW_MS) return
      drawnAt = performance.now()
      stderr.write(`${startOfLine}${formatCount(cells)} of ${formatCount(totalCells, 'cell')}${clearToEnd}`)
    },
    clear(): void {
      if (progress) stderr.write(clearLine)
    },
  }
}

function joinNames(names: string[]): string {
  const rest = names.length - MAX_NAMES
  return cleanText(`${names.slice(0, MAX_NAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`)
}

function describeMoved({ runs, skippedRuns, cells, documents, keptDocuments, teamRows }: MovedDatabase): string {
  const lines = [
    `Imported ${formatCount(runs.length, 'run')} with ${formatCount(cells, 'cell')}, and ${formatCount(documents, 'document')} (suites, settings, votes and the like).`,
  ]
  if (teamRows > 0)
    lines.push(
      `Imported ${formatCount(teamRows, 'row')} of a team: accounts, invitations, keys, budgets and the log. Keys stay encrypted: use the same BENCHMAKER_SECRET_KEY.`,
    )
  if (skippedRuns.length > 0)
    lines.push(`Skipped ${formatCount(skippedRuns.length, 'run')} whose ids already exist: ${joinNames(skippedRuns)}.`)
  if (keptDocuments.length > 0)
    lines.push(
      `Kept ${formatCount(keptDocuments.length, 'document')} that ${keptDocuments.length === 1 ? 'differs' : 'differ'} here: ${joinNames(keptDocuments)}.`,
    )
  return `${lines.join('\n')}\n`
}
