import type { CodeFile } from '../extract/code-file.ts'

const ENDINGS = [
  '',
  '.tsx',
  '.ts',
  '.jsx',
  '.js',
  '.mjs',
  '.vue',
  '.svelte',
  '.json',
  '.css',
  '.scss',
  '/index.tsx',
  '/index.ts',
  '/index.jsx',
  '/index.js',
  '/index.vue',
]

function joinPath(from: string, specifier: string): string {
  const parts = specifier.startsWith('.') ? from.split('/').slice(0, -1) : []
  for (const part of specifier.replace(/[?#].*$/, '').split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** Finds the file for an import or address: by its path, or by the end of the path if only one file fits. */
export function findFile(files: CodeFile[], specifier: string, from = ''): CodeFile | undefined {
  const path = joinPath(from, specifier.replace(/^(?:[@~]|\$lib|src)\//, ''))
  if (path === '') return undefined
  const candidates = ENDINGS.map((ending) => path + ending)
  // TypeScript imports `./x.ts` as `./x.js`.
  if (/\.jsx?$/.test(path)) candidates.push(path.replace(/\.js(x?)$/, '.ts$1'), path.replace(/\.js$/, '.tsx'))
  for (const candidate of candidates) {
    const exact = files.find(({ name }) => name === candidate)
    if (exact) return exact
  }
  for (const candidate of candidates) {
    const short = candidate.replace(/^(?:src|app|public|static)\//, '')
    const fitting = files.filter(
      ({ name }) => name.endsWith(`/${short}`) || name === short || candidate.endsWith(`/${name}`),
    )
    if (fitting.length === 1) return fitting[0]
  }
  return undefined
}
