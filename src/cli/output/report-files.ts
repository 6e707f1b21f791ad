import { writeFile, access, constants, stat } from 'node:fs/promises'
import { InputError } from '../../contract/index.ts'
import { findFormatOfFile, formats, writeReport, type Report, type ReportFormat } from '../../report/index.ts'
import { dirname } from 'node:path'

function describeWriteError({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied'
  return code === 'EROFS' ? 'the disk is read-only' : message
}

/** Refuses a file that cannot be written, before any work: its folder must exist and be writable. */
export async function checkWritable(file: string): Promise<void> {
  const folder = dirname(file)
  const found = await stat(folder).catch(() => undefined)
  if (!found) throw new InputError(`${file}: there is no folder ${folder}\nCreate it first, or choose another.`)
  if (!found.isDirectory()) throw new InputError(`${file} cannot be written: ${folder} is not a folder`)
  const target = await stat(file).catch(() => undefined)
  if (target?.isDirectory()) throw new InputError(`${file} cannot be written: it is a folder; choose a file in it`)
  await access(target ? file : folder, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(`${file} cannot be written: ${describeWriteError(error)}`, { cause: error })
  })
}

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
  for (const file of files) {
    const format = findFormat(file)
    const parts = format.writeFiles?.(report) ?? [{ bytes: new TextEncoder().encode(writeReport(report, { format })) }]
    for (const { of, bytes } of parts) {
      const name = of === undefined || parts.length === 1 ? file : nameFor(file, { of, format })
      await writeFile(name, bytes).catch((error: Error) => {
        throw new InputError(`${name} cannot be written: ${error.message}`, { cause: error })
      })
    }
  }
}

/** `results.eval` of several models: `results-openai_gpt-5.eval`, one for each. */
function nameFor(file: string, { of, format }: { of: string; format: ReportFormat }): string {
  return `${file.slice(0, -format.extension.length)}-${of.replaceAll(/[^\w.@-]+/g, '_')}${format.extension}`
}
