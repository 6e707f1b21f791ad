import { writeFile } from 'node:fs/promises'
import { InputError } from '../../contract/index.ts'
import { findFormatOfFile, formats, writeReport, type Report, type ReportFormat } from '../../report/index.ts'
import { checkWritable } from './check-writable.ts'

function findFormat(file: string): ReportFormat {
  const format = findFormatOfFile(file)
  if (format) return format
  throw new InputError(
    `${file}: unknown extension; use one of ${formats.map(({ extension: supported }) => supported).join(', ')}`,
  )
}

/** Refuses a file with an unknown extension, or one that cannot be written, before anything runs. */
export async function checkExportFiles(files: readonly string[]): Promise<void> {
  for (const file of files) {
    findFormat(file)
    await checkWritable(file)
  }
}

/** Writes the report to files, each in the format of its extension. */
export async function writeReportFiles(report: Report, files: readonly string[]): Promise<void> {
  await checkExportFiles(files)
  for (const file of files)
    await writeFile(file, writeReport(report, { format: findFormat(file) })).catch((error: Error) => {
      throw new InputError(`${file} cannot be written: ${error.message}`, { cause: error })
    })
}
