import { InputError } from '../contract/index.ts'
import { csvFormat } from './formats/csv.ts'
import { everyEvalEverFormat } from './formats/every-eval-ever.ts'
import { htmlFormat } from './formats/html/html.ts'
import { huggingFaceFormat } from './formats/hugging-face.ts'
import { inspectFormat } from './formats/inspect.ts'
import { jsonFormat } from './formats/json.ts'
import { junitFormat } from './formats/junit.ts'
import { latexFormat } from './formats/latex.ts'
import { leaderboardCsvFormat } from './formats/leaderboard-csv.ts'
import { markdownFormat } from './formats/markdown.ts'
import { mlflowFormat } from './formats/mlflow.ts'
import { openTelemetryFormat } from './formats/open-telemetry.ts'
import { pullRequestFormat } from './formats/pull-request.ts'
import type { ReportFormat } from './formats/report-format.ts'
import { wandbFormat } from './formats/wandb.ts'
import type { Report } from './model/report.ts'
import { suggestName } from '../scoring/text/suggest-name.ts'

export type { ReportFormat } from './formats/report-format.ts'

/** All report formats, in menu order. A new format needs its own file and an entry here. */
export const formats: readonly ReportFormat[] = [
  htmlFormat,
  jsonFormat,
  csvFormat,
  markdownFormat,
  junitFormat,
  latexFormat,
  leaderboardCsvFormat,
  pullRequestFormat,
  everyEvalEverFormat,
  inspectFormat,
  openTelemetryFormat,
  mlflowFormat,
  wandbFormat,
  huggingFaceFormat,
]

/** Finds a format by name or extension, with or without the dot: `markdown`, `md` and `.md` are the same. */
export function findFormat(name: string): ReportFormat | undefined {
  const wanted = name.toLowerCase()
  return formats.find((format) => [format.name, format.extension, format.extension.slice(1)].includes(wanted))
}

/** Finds the format of a file by the end of its name; `.pr.md` wins over `.md`. */
export function findFormatOfFile(file: string): ReportFormat | undefined {
  const name = file.toLowerCase()
  return formats
    .filter(({ extension }) => name.endsWith(extension))
    .toSorted((a, b) => b.extension.length - a.extension.length)[0]
}

/** The report as text. `format` is the name of one of `formats`, or a custom format. */
export function writeReport(report: Report, { format }: { format: string | Pick<ReportFormat, 'write'> }): string {
  const found = typeof format === 'string' ? findFormat(format) : format
  if (!found) {
    const names = formats.map(({ name }) => name)
    const meant = suggestName(String(format), names)
    const hint = meant === undefined ? `use one of ${names.join(', ')}` : `did you mean ${meant}?`
    throw new InputError(`there is no format ${String(format)}; ${hint}`)
  }
  const written = found.write(report)
  return typeof written === 'string' ? written : [...written].join('')
}
