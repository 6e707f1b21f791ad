import { labelRun } from '../../../services/index.ts'
import { readLabelOptions, type LabelOptions } from '../../options/label-options.ts'
import { drawLabel } from '../../output/results/label-text.ts'
import { printJson, type Terminal } from '../../output/terminal.ts'
import { cleanText } from '../../output/text-table.ts'
import { findRunId } from './find-run.ts'
import { withApp, type StoredOptions } from './stored-commands.ts'

/** `benchmaker label RUN` */
export function labelStored(name: string, options: LabelOptions & StoredOptions, terminal: Terminal): Promise<number> {
  const change = readLabelOptions(options)
  return withApp(options, async (app) => {
    const storage = await app.storage()
    const runId = await findRunId(storage, name)
    const label = await labelRun(storage, runId, change)
    if (options.json) printJson({ run: runId, label: label ?? null }, terminal)
    terminal.stderr.write(`Labelled run ${cleanText(runId)}${label ? ':' : ': it has no name, tags or note now.'}\n`)
    terminal.stderr.write(drawLabel(label, terminal))
    return 0
  })
}
