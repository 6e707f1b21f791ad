import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { InputError, type Storage, messageOf } from '../../../contract/index.ts'
import { writeDrawing, type ChartTheme } from '../../../report/charts/svg/canvas.ts'
import { writeChart, type ReportChartKind } from '../../../report/charts/svg/charts.ts'
import { drawTrend } from '../../../report/charts/svg/trend-chart.ts'
import { loadTrend } from '../../../services/index.ts'
import { nameByLetters, renameTrend } from '../../../report/sharing/rename-trend.ts'
import { findDataFolder } from '../../data-folder.ts'
import { findPreviewFiles } from '../../package-files.ts'
import type { ReadingOptions } from '../../options/reading-options.ts'
import type { SharingFlags } from '../../options/sharing-options.ts'
import { checkWritable } from '../../output/report-files.ts'
import { printDocument, printJson, type Terminal } from '../../output/terminal.ts'
import { cleanText } from '../../output/text-table.ts'
import { findResult } from './find-run.ts'
import { buildStored, withData, type StoredOptions } from './stored-commands.ts'
import { findTrendSuite } from './trend.ts'

export interface ChartOptions extends StoredOptions, SharingFlags, ReadingOptions {
  kind?: ReportChartKind | 'trend'
  theme?: ChartTheme
  out?: string
}

async function drawChart(name: string, options: ChartOptions, storage: Storage): Promise<string> {
  const { kind = 'leaderboard', theme = 'light', anonymous = false } = options
  if (anonymous && (kind === 'cost' || kind === 'latency'))
    throw new InputError(`--anonymous leaves out costs and times, so there is no chart of ${kind}`)
  if (kind !== 'trend') {
    const runs = await findResult(storage, name)
    return writeChart(await buildStored(runs, { ...options, storage }), kind, theme)
  }
  const asked = await findTrendSuite(name, options, storage)
  const trend = await loadTrend(asked, { storage, now: storage.now() })
  const { suite } = asked
  const drawing = anonymous
    ? drawTrend(renameTrend(trend), nameByLetters(trend.models).rename(suite.name))
    : drawTrend(trend, suite.name)
  if (!drawing) throw new InputError(`no run of a suite ${name} has a score; name it as benchmaker list shows it`)
  return writeDrawing(drawing, theme)
}

/** `benchmaker chart RUN` */
export async function chartStored(name: string, options: ChartOptions, terminal: Terminal): Promise<number> {
  const { out } = options
  const extension = out === undefined ? '.svg' : extname(out).toLowerCase()
  if (extension !== '.svg' && extension !== '.png') throw new InputError(`${out}: unknown extension; use .svg or .png`)
  if (out === undefined && options.json) throw new InputError('--json needs --out: without it, the chart is printed')
  if (out !== undefined) await checkWritable(out)
  return withData(options, async (storage) => {
    const svg = await drawChart(name, options, storage)
    if (out === undefined) {
      printDocument(svg, terminal)
      return 0
    }
    if (extension === '.svg') await writeFile(out, svg)
    else {
      const { drawSvg } = await import('../../../preview/index.ts')
      const previews = findPreviewFiles(findDataFolder(options.data, process.env), process.env)
      const png = await drawSvg(svg, previews).catch((error: unknown) => {
        throw new InputError(
          `a PNG needs a browser: ${messageOf(error)} An SVG needs none: --out ${out.slice(0, -4)}.svg`,
          { cause: error },
        )
      })
      await writeFile(out, png)
    }
    if (options.json) printJson({ wrote: [out] }, terminal)
    terminal.stderr.write(`wrote ${cleanText(out)}\n`)
    return 0
  })
}
