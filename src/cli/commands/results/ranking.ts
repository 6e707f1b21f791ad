import { InputError } from '../../../contract/index.ts'
import { formatCount, listRankingNotes, listRankingVerdicts } from '../../../report/words/index.ts'
import { headToHeadTable, partsTable, ratingTable } from '../../../report/tables/rankings.ts'
import { loadRankings } from '../../../services/index.ts'
import type { PartialRanking, WeighSuites } from '../../../statistics/index.ts'
import { printJson, styleFor, type Terminal } from '../../output/terminal.ts'
import { cleanText, drawTable, wrapText } from '../../output/text-table.ts'
import { withData, type StoredOptions } from './stored-commands.ts'

export interface RankingOptions extends StoredOptions {
  weigh?: WeighSuites
}

const MAX_VERDICTS = 20

function drawParts(title: string, parts: readonly PartialRanking[]): string {
  if (parts.length < 2) return ''
  const models = [...new Set(parts.flatMap((part) => part.models.map(({ modelId }) => modelId)))]
  const table = drawTable(partsTable(parts), models)
  return `\n${title}\n${table}`
}

function drawList(title: string, lines: readonly string[], terminal: Terminal): string {
  if (lines.length === 0) return ''
  const shown = lines.slice(0, MAX_VERDICTS)
  const rest = lines.length - shown.length
  const all = rest > 0 ? [...shown, `… and ${formatCount(rest, 'more pair')}`] : shown
  return `\n${title}${all.map((line) => `  ${wrapText(cleanText(line), terminal.columns, '    ')}\n`).join('')}`
}

/** `benchmaker ranking [SUITE…|RUN…]` */
export function showRanking(names: string[], options: RankingOptions, terminal: Terminal): Promise<number> {
  const { weigh = 'suites' } = options
  return withData(options, async (storage) => {
    const rankings = await loadRankings({ names, weigh }, { storage })
    if (rankings.models.length === 0)
      throw new InputError('no two models have a score on the same case, so there is nothing to rank')
    if (options.json) {
      printJson(rankings, terminal)
      return 0
    }
    const heading = (text: string) => styleFor(terminal)('bold', text)
    terminal.stdout.write(
      [
        `${heading('Ranking')}\n${drawTable(ratingTable, rankings.models)}`,
        drawList('', listRankingNotes(rankings, weigh), terminal),
        drawList(`${heading('Which differences are real')}\n`, listRankingVerdicts(rankings), terminal),
        `\n${heading('Head to head')}\n${drawTable(headToHeadTable, rankings.pairs)}`,
        drawParts(heading('By category (1,000 is the mean of the models in it)'), rankings.categories),
        drawParts(heading('By month (1,000 is the mean of the models in it)'), rankings.months),
      ].join(''),
    )
    return 0
  })
}
