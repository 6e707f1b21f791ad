import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { InputError } from '../../../contract/index.ts'
import { describeArenaLead, type ArenaGames } from '../../../report/words/index.ts'
import { describeArenaStyle, describeKinds } from '../../../report/words/code-arena.ts'
import { writeRankingHtml } from '../../../report/formats/html/ranking-html.ts'
import { buildArenaRanking, type ArenaRanking } from '../../../report/model/arena/arena-ranking.ts'
import { shareRanking } from '../../../report/sharing/share-ranking.ts'
import { listVotes, loadArenaRuns } from '../../../services/index.ts'
import { arenaTable, equalTable, partsTable, placeModels } from '../../../report/tables/rankings.ts'
import { sharingOf, type SharingFlags } from '../../options/sharing-options.ts'
import { checkWritable } from '../../output/report-files.ts'
import { printJson, type Terminal } from '../../output/terminal.ts'
import { cleanText, drawTable, wrapText } from '../../output/text-table.ts'
import { withData, type StoredOptions } from './stored-commands.ts'

export interface ArenaRankingOptions extends StoredOptions, SharingFlags {
  blind?: boolean
  out?: string
}

function drawRanking(title: string, ranking: ArenaRanking, games: ArenaGames, terminal: Terminal): string {
  const models = ranking[games]
  const kinds = ranking.kinds[games]
  const style = ranking.style[games]
  if (models.length === 0) return `${title}\n  none yet\n`
  const wrap = (text: string) => `${wrapText(cleanText(text), terminal.columns, '')}\n`
  const lead = wrap(describeArenaLead(models, games))
  const parts = kinds.filter((kind) => kind.models.length > 0)
  const rows = models.map(({ modelId }) => modelId)
  return [
    `${title}\n${lead}${drawTable(arenaTable, placeModels(models), terminal)}`,
    ...(style ? [`\n${title}, at equal length of code\n${wrap(describeArenaStyle(style, games))}`] : []),
    ...(style?.state === 'rated' ? [drawTable(equalTable, style.models, terminal)] : []),
    ...(kinds.length > 0 ? [`\n${title}, by kind of task\n${describeKinds(kinds, games).map(wrap).join('')}`] : []),
    ...(parts.length > 0 ? [drawTable(partsTable(parts), rows, terminal)] : []),
  ].join('')
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
        `${drawRanking('By votes', report, 'votes', terminal)}\n${drawRanking('By judgements', report, 'judgements', terminal)}`,
      )
    return 0
  })
}
