import { InputError } from '../../../contract/index.ts'
import {
  describeHeadToHead,
  formatCount,
  formatRank,
  formatRatingInterval,
  listRankingNotes,
  listRankingVerdicts,
} from '../../../report/words/index.ts'
import { loadRankings, type LoadedRankings } from '../../../services/index.ts'
import type { PartialRanking, WeighSuites } from '../../../statistics/index.ts'
import { printJson, styleFor, type Terminal } from '../../output/terminal.ts'
import { cleanText, drawTable, wrapText } from '../../output/text-table.ts'
import { withData, type StoredOptions } from './stored-commands.ts'

export interface RankingOptions extends StoredOptions {
  weigh?: WeighSuites
}

const MAX_VERDICTS = 20

function drawRatings({ models }: Pick<LoadedRankings, 'models'>): string {
  return drawTable(
    [
      { title: '#', align: 'right' },
      { title: 'Model' },
      { title: 'Rating (95 % interval)', align: 'right' },
      { title: 'Cases', align: 'right' },
    ],
    models.map((model) => [
      formatRank(model.rank),
      cleanText(model.modelId),
      formatRatingInterval(model),
      formatCount(model.cases),
    ]),
  )
}

function drawPairs({ pairs }: LoadedRankings): string {
  return drawTable(
    [{ title: 'A' }, { title: 'B' }, { title: 'A won–tied–lost: share of points' }],
    pairs.map((pair) => [cleanText(pair.modelA), cleanText(pair.modelB), describeHeadToHead(pair)]),
  )
}

function drawParts(title: string, parts: readonly PartialRanking[]): string {
  if (parts.length < 2) return ''
  const models = [...new Set(parts.flatMap((part) => part.models.map(({ modelId }) => modelId)))]
  const table = drawTable(
    [{ title: 'Model' }, ...parts.map(({ name }) => ({ title: cleanText(name), align: 'right' as const }))],
    models.map((modelId) => [
      cleanText(modelId),
      ...parts.map((part) => {
        const found = part.models.find((model) => model.modelId === modelId)
        return found ? formatRatingInterval(found) : '–'
      }),
    ]),
  )
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
        `${heading('Ranking')}\n${drawRatings(rankings)}`,
        drawList('', listRankingNotes(rankings, weigh), terminal),
        drawList(`${heading('Which differences are real')}\n`, listRankingVerdicts(rankings), terminal),
        `\n${heading('Head to head')}\n${drawPairs(rankings)}`,
        drawParts(heading('By category (1,000 is the mean of the models in it)'), rankings.categories),
        drawParts(heading('By month (1,000 is the mean of the models in it)'), rankings.months),
      ].join(''),
    )
    return 0
  })
}
