import { InputError } from '../contract/index.ts'
import { formatRunHtml } from './formats/html/run-html.ts'
import { formatRunCsv } from './formats/run-csv.ts'
import { formatRunJson } from './formats/run-json.ts'
import { formatRunJunit } from './formats/run-junit.ts'
import { formatRunMarkdown } from './formats/run-markdown.ts'
import type { RunReport } from './model/report.ts'

/** Every format, with the extension that stands for it. A new one is its file and a line here. */
export const formats: readonly { name: string; extension: string; format: (report: RunReport) => string }[] = [
  { name: 'json', extension: '.json', format: formatRunJson },
  { name: 'csv', extension: '.csv', format: formatRunCsv },
  { name: 'markdown', extension: '.md', format: formatRunMarkdown },
  { name: 'junit', extension: '.xml', format: (report) => formatRunJunit(report) },
  { name: 'html', extension: '.html', format: formatRunHtml },
]

/** The report as text, by the name of a format. */
export function formatReport(report: RunReport, name: string): string {
  const found = formats.find((format) => format.name === name)
  if (!found)
    throw new InputError(`there is no format ${name}; there are ${formats.map((format) => format.name).join(', ')}`)
  return found.format(report)
}
