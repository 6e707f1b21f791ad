import { writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { InputError } from '../../contract/index.ts'
import { formats } from '../../report/formats.ts'
import type { RunReport } from '../../report/index.ts'
import { checkWritable } from './check-writable.ts'

/** Refuses a file whose extension stands for no format, or that cannot be written, before anything is run. */
export async function checkExportFiles(files: readonly string[]): Promise<void> {
  for (const file of files) {
    if (!formats.some(({ extension }) => extension === extname(file).toLowerCase()))
      throw new InputError(
        `${file}: the extension says the format; there are ${formats.map(({ extension }) => extension).join(' ')}`,
      )
    await checkWritable(file)
  }
}

/** Writes the report to files, each in the format of its extension. */
export async function writeReport(report: RunReport, files: readonly string[]): Promise<void> {
  await checkExportFiles(files)
  for (const file of files) {
    const { format } = formats.find(({ extension }) => extension === extname(file).toLowerCase())!
    await writeFile(file, format(report)).catch((error: Error) => {
      throw new InputError(`${file} cannot be written: ${error.message}`, { cause: error })
    })
  }
}
