import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { InputError } from '../../../contract/index.ts'
import { describeArenaLead } from '../../../report/words/index.ts'
import { writeRankingHtml } from '../../../report/formats/html/ranking-html.ts'
import { buildArenaRanking, type RankedModel } from '../../../report/model/arena-ranking.ts'
import { shareRanking } from '../../../report/sharing/share-ranking.ts'
import { listVotes, loadArenaRuns } from '../../../services/index.ts'
import { arenaTable, placeModels } from '../../../report/tables/rankings.ts'
import { sharingOf, type SharingFlags } from '../../options/sharing-options.ts'
import { checkWritable } from '../../output/report-files.ts'
import { printJson, type Terminal } from '../../output/terminal.ts'
import { cleanText, drawTable, wrapText } from '../../output/text-table.ts'
import { withData, type StoredOptions } from './stored-commands.ts'

export interface ArenaRankingOptions extends StoredOptions, SharingFlags {
  blind?: boolean
  out?: string
}

function drawRanking(title: string, models: readonly RankedModel[], games: string, terminal: Terminal): string {
  if (models.length === 0) return `${title}\n  none yet\n`
  const table = drawTable(arenaTable, placeModels(models), terminal)
  return `${title}\n${wrapText(cleanText(describeArenaLead(models, games)), terminal.columns, '')}\n${table}`
}

/** `benchmaker arena-ranking` */
export async function showArenaRanking(options: ArenaRankingOptions, terminal: Terminal): Promise<number> {
  const { out, blind = false, json = false } = options
  if (out !== undefined && extname(out).toLowerCase() !== '.html')
    throw new InputError(`${out}: unknown extension; use .html`)
  if (out !== undefined) await checkWritable(out)
  return withData(options, async (storage) => {
    const ranking = buildArenaRanking(await listVotes(storage), await loadArenaRuns(storage), blind ? 'blind' : 'all')
    const report = shareRanking(ranking, sharingOf(options))
    if (report.runs.length === 0) throw new InputError('no Code Arena run yet; start one with benchmaker arena PROMPT')
    if (out !== undefined) {
      await writeFile(out, writeRankingHtml(report))
      terminal.stderr.write(`wrote ${cleanText(out)}\n`)
    }
    if (json) printJson(report, terminal)
    else
      terminal.stdout.write(
        `${drawRanking('By votes', report.votes, 'votes', terminal)}\n${drawRanking('By judgements', report.judgements, 'runs', terminal)}`,
      )
    return 0
  })
}
