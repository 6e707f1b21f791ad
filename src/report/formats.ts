import { InputError } from '../contract/index.ts'
import { csvFormat } from './formats/csv.ts'
import { htmlFormat } from './formats/html/html.ts'
import { jsonFormat } from './formats/json.ts'
import { junitFormat } from './formats/junit.ts'
import { markdownFormat } from './formats/markdown.ts'
import type { ReportFormat } from './formats/report-format.ts'
import type { Report } from './model/report.ts'

export type { ReportFormat } from './formats/report-format.ts'

/** Everything a report can be written as, in the order of menus. A new format is its file and a place here. */
export const formats: readonly ReportFormat[] = [htmlFormat, jsonFormat, csvFormat, markdownFormat, junitFormat]

/** By name or extension, with or without its dot: `markdown`, `md` and `.md` are one. */
export function findFormat(name: string): ReportFormat | undefined {
  const wanted = name.toLowerCase()
  return formats.find((format) => [format.name, format.extension, format.extension.slice(1)].includes(wanted))
}

/** The report as text. `format` is the name of one of `formats`, or a format of one's own. */
export function writeReport(report: Report, { format }: { format: string | Pick<ReportFormat, 'write'> }): string {
  const found = typeof format === 'string' ? findFormat(format) : format
  if (!found)
    throw new InputError(
      `there is no format ${String(format)}; there are ${formats.map(({ name }) => name).join(', ')}`,
    )
  const written = found.write(report)
  return typeof written === 'string' ? written : [...written].join('')
}
