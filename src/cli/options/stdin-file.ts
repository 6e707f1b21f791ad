import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { InputError } from '../../contract/index.ts'
import type { Terminal, TextSink } from '../output/terminal.ts'

const STDIN = '-'

/** The ending by which readers of files know what the content shows; Parquet, archives and YAML need none. */
export function guessExtension(content: Buffer): string {
  const start = content
    .subarray(0, 65_536)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  const [first = '', second = ''] = start.split(/\r\n|\n|\r/)
  if (/^\{.*\}\s*$/.test(first) && second.trimStart().startsWith('{')) return '.jsonl'
  if (start.startsWith('{') || start.startsWith('[')) return '.json'
  if (/^(?:PK|PAR1|[#-])|:(?:\s|$)/.test(first) || start.includes('\u0000')) return ''
  if (first.includes('\t')) return '.tsv'
  return /[,;]/.test(first) ? '.csv' : ''
}

/** Names stdin instead of the file that it was copied to. */
function renameFile(text: string, file: string, folder: string): string {
  return text
    .replaceAll(`benchmaker run ${file}`, `benchmaker run ${STDIN}`)
    .replaceAll(file, 'stdin')
    .replaceAll(folder, 'stdin')
}

/**
 * Runs a command on files of which one may be `-`, stdin. Readers look at a file several times, so stdin is copied to a
 * private file first, which no message names.
 */
export async function withStdin(
  paths: readonly string[],
  terminal: Terminal,
  work: (paths: string[], terminal: Terminal) => Promise<number>,
): Promise<number> {
  const places = paths.filter((path) => path === STDIN).length
  if (places === 0) return work([...paths], terminal)
  if (places > 1) throw new InputError('-: stdin can be only one of the files')
  const stdin = terminal.stdin ?? process.stdin
  if (stdin.isTTY)
    throw new InputError('-: stdin is a terminal\nPipe a file into it: cat suite.yaml | benchmaker run -')
  const content = await buffer(stdin)
  if (content.length === 0) throw new InputError('stdin: is empty')
  const folder = await mkdtemp(join(tmpdir(), 'benchmaker-stdin-'))
  const file = join(folder, `stdin${guessExtension(content)}`)
  const rename = (text: string) => renameFile(text, file, folder)
  const renameIn = (sink: TextSink): TextSink => ({ ...sink, write: (text) => sink.write(rename(text)) })
  try {
    await writeFile(file, content, { mode: 0o600 })
    const files = paths.map((path) => (path === STDIN ? file : path))
    return await work(files, { ...terminal, stdout: renameIn(terminal.stdout), stderr: renameIn(terminal.stderr) })
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(rename(error.message), { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
