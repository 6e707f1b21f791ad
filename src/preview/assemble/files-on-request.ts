import type { CodeFile } from '../extract/code-file.ts'
import { compileGlobalScript } from './compile-script.ts'
import { inlineScript, insertFirst } from './write-html.ts'

/** What asks for a file while the page runs. */
const REQUESTS = /\bWorker\s*\(|\bfetch\s*\(|\bd3\.(?:json|csv|tsv|text|xml|svg)\s*\(/

function isRequested({ name }: CodeFile, files: CodeFile[]): boolean {
  const named = new RegExp(`["'\`/]${name.replace(/^.*\//, '').replace(/[^\w]/g, '\\$&')}["'\`?#]`)
  return files.some((other) => other.name !== name && REQUESTS.test(other.code) && named.test(other.code))
}

async function readForBrowser({ name, kind, code }: CodeFile): Promise<string> {
  if (kind !== 'ts') return code
  const compiled = await compileGlobalScript({ name, kind, code })
  return 'problem' in compiled ? code : compiled.code
}

/** Hands a page the files of its answer that it requests while it runs: a worker's script, data. The bootstrap serves them. */
export async function addRequestedFiles(html: string, files: CodeFile[]): Promise<string> {
  const texts: [string, string][] = []
  for (const file of files) if (isRequested(file, files)) texts.push([file.name, await readForBrowser(file)])
  if (texts.length === 0) return html
  const list = JSON.stringify(Object.fromEntries(texts)).replaceAll('<', '\\u003c')
  return insertFirst(html, inlineScript(`window.previewFiles = ${list}`))
}
