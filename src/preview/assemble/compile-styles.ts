import type { CodeFile } from '../extract/code-file.ts'
import { compilers } from './compilers.ts'

/** True for a style sheet in a language that browsers do not read and Sass does. */
export function isStyleSource({ name, language }: Pick<CodeFile, 'name' | 'language'>): boolean {
  return /\.s[ac]ss$/i.test(name) || language === 'scss' || language === 'sass'
}

const ORIGIN = 'answer:///'

/** Finds the file that `@use 'variables'` means: `_variables.scss`, wherever it is. */
function findPartial(files: CodeFile[], url: URL): CodeFile | undefined {
  const path = decodeURIComponent(url.pathname)
    .replace(/^\/+/, '')
    .replace(/\.(?:s[ac]ss|css)$/, '')
  const stem = path.replace(/^.*\//, '').replace(/^_/, '')
  return files.find(
    ({ name }) =>
      /\.(?:s[ac]ss|css)$/i.test(name) &&
      name
        .replace(/^.*\//, '')
        .replace(/^_/, '')
        .replace(/\.\w+$/, '') === stem,
  )
}

/** Compiles SCSS or Sass to CSS; `@use` and `@import` find the other files of the answer. */
export async function compileStyles(
  { name, code }: Pick<CodeFile, 'name' | 'code'>,
  files: CodeFile[],
): Promise<{ css: string } | { problem: string }> {
  const { compileString } = await compilers.sass()
  try {
    const { css } = compileString(code, {
      syntax: name.endsWith('.sass') ? 'indented' : 'scss',
      logger: { warn: () => undefined, debug: () => undefined },
      url: new URL(encodeURI(name), ORIGIN),
      importer: {
        canonicalize: (url, { containingUrl }) => {
          const wanted = new URL(url, containingUrl ?? ORIGIN)
          return findPartial(files, wanted) ? wanted : null
        },
        load: (url) => {
          const file = findPartial(files, url)
          return file ? { contents: file.code, syntax: file.name.endsWith('.sass') ? 'indented' : 'scss' } : null
        },
      },
    })
    return { css }
  } catch (error) {
    const message = error instanceof Error ? error.message.split('\n')[0]! : String(error)
    return { problem: `${name} cannot be compiled: ${message.replace(/\.$/, '')}.` }
  }
}
