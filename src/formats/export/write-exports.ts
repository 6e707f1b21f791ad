import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { InputError } from '../../contract/index.ts'
import { checkWritable } from './check-writable.ts'
import type { RunReport } from './report.ts'
import { formatRunCsv } from './run-csv.ts'
import { formatRunJson } from './run-json.ts'
import { formatRunHtml } from './run-html.ts'
import { formatRunJunit } from './run-junit.ts'
import { formatRunMarkdown } from './run-markdown.ts'

/** Every format, with the extension that stands for it. A new one is its file and a line here. */
const FORMATS: { name: string; extension: string; format: (report: RunReport) => string }[] = [
  { name: 'json', extension: '.json', format: formatRunJson },
  { name: 'csv', extension: '.csv', format: formatRunCsv },
  { name: 'markdown', extension: '.md', format: formatRunMarkdown },
  { name: 'junit', extension: '.xml', format: (report) => formatRunJunit(report) },
  { name: 'html', extension: '.html', format: formatRunHtml },
]

/** The report as text, by the name of a format. */
export function formatReport(report: RunReport, name: string): string {
  const found = FORMATS.find((format) => format.name === name)
  if (!found)
    throw new InputError(`there is no format ${name}; there are ${FORMATS.map((format) => format.name).join(', ')}`)
  return found.format(report)
}

/** Refuses a file whose extension stands for no format, or that cannot be written, before anything is run. */
export async function checkExportFiles(files: readonly string[]): Promise<void> {
  for (const file of files) {
    if (!FORMATS.some(({ extension }) => extension === extname(file).toLowerCase()))
      throw new InputError(
        `${file}: the extension says the format; there are ${FORMATS.map(({ extension }) => extension).join(' ')}`,
      )
    await checkWritable(file)
  }
}

/** Writes the report to files, each in the format of its extension. */
export async function writeReport(report: RunReport, files: readonly string[]): Promise<void> {
  await checkExportFiles(files)
  for (const file of files) {
    const { format } = FORMATS.find(({ extension }) => extension === extname(file).toLowerCase())!
    await writeFile(file, format(report)).catch((error: Error) => {
      throw new InputError(`${file} cannot be written: ${error.message}`, { cause: error })
    })
  }
}
