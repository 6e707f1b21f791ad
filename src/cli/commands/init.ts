import { readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { InputError } from '../../contract/index.ts'
import { checkWritable } from '../output/report-files.ts'
import { packageFile } from '../package-files.ts'
import { printJson, type Terminal } from '../output/terminal.ts'
import { cleanText } from '../output/text-table.ts'

/** `benchmaker init` */
export async function createStarterSuite(
  file: string,
  terminal: Terminal,
  { json = false }: { json?: boolean } = {},
): Promise<number> {
  if (!['', '.yaml', '.yml'].includes(extname(file).toLowerCase()))
    throw new InputError(`${file}: the first suite is written as YAML; use .yaml or .yml`)
  await checkWritable(file)
  const suite = await readFile(packageFile('examples/first-suite/suite.yaml'))
  await writeFile(file, suite, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(
      error.code === 'EEXIST'
        ? `${file} already exists and was not changed; choose another file`
        : `${file}: ${error.message}`,
      { cause: error },
    )
  })
  if (json) printJson({ wrote: [file] }, terminal)
  terminal.stderr.write(
    `Wrote ${cleanText(file)}. Try it with simulated models, no key needed:\n  benchmaker run ${cleanText(file)}\n`,
  )
  return 0
}
