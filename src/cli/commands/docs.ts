import { existsSync, globSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { InputError, messageOf } from '../../contract/index.ts'
import { printJson, type Terminal } from '../output/terminal.ts'
import { cleanText } from '../output/text-table.ts'
import { packageFile } from '../package-files.ts'

export interface DocsOptions {
  output?: string
  json?: boolean
}

/** In every page: only a folder that holds the documentation is written over. */
const GENERATOR = '<meta name="generator" content="Benchmaker documentation">'

function isCopy(folder: string): boolean {
  const start = join(folder, 'index.html')
  return existsSync(start) && readFileSync(start, 'utf8').includes(GENERATOR)
}

function checkOutput(folder: string, site: string): void {
  const from = resolve(site)
  const to = resolve(folder)
  if (`${to}/`.startsWith(`${from}/`) || `${from}/`.startsWith(`${to}/`))
    throw new InputError(`--output ${folder}: the documentation is already in this folder; choose another one`)
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory()) throw new InputError(`--output ${folder}: this is a file; choose a folder`)
  if (readdirSync(folder).length > 0 && !isCopy(folder))
    throw new InputError(`--output ${folder}: the folder holds other files; choose a new or empty one`)
}

/** `benchmaker docs` */
export async function copyDocs({ output, json = false }: DocsOptions, terminal: Terminal): Promise<number> {
  const site = packageFile('dist/web/help')
  if (!isCopy(site)) throw new InputError('the documentation is not built yet; run npm start once, which builds it')
  if (output !== undefined) {
    checkOutput(output, site)
    try {
      // Nothing is removed: someone may have put files of their own beside an older copy.
      await cp(site, output, { recursive: true })
    } catch (error) {
      throw new InputError(`--output ${output}: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }
  const folder = resolve(output ?? site)
  const start = pathToFileURL(join(folder, 'index.html')).href
  if (json) printJson({ folder, start, pages: globSync('**/*.html', { cwd: folder }).length }, terminal)
  else
    terminal.stdout.write(
      `${output === undefined ? 'The documentation opens offline, and under Help in the web app' : `Copied the documentation to ${cleanText(output)}`}:\n  ${cleanText(start)}\n`,
    )
  return 0
}
