import type { CodeFile } from '../extract/code-file.ts'

const VITE_ALIAS =
  /['"]?([@~#$]?[\w/-]*)['"]?\s*:\s*(?:(?:path\.)?(?:resolve|join)\(\s*[^,()]+,\s*|fileURLToPath\(\s*new URL\(\s*)?['"]\.?\/?([\w./-]*)['"]/g

const TYPESCRIPT_PATH = /"([^"]+?)\/?\*?"\s*:\s*\[\s*"\.?\/?([^"*]*?)\/?\*?"/g

/** The names that a project gives its folders: `#ui` for `src/ui`, by `vite.config` or `tsconfig`. */
export function readAliases(files: readonly CodeFile[]): Map<string, string> {
  const aliases = new Map<string, string>()
  const add = (matches: Iterable<RegExpMatchArray>): void => {
    for (const [, name = '', folder = ''] of matches) if (name !== '') aliases.set(name, folder.replace(/\/$/, ''))
  }
  for (const { name, code } of files) {
    const block = /\balias\s*:\s*[{[]([\s\S]*?)[}\]]/.exec(code)?.[1]
    if (/(?:^|\/)vite\.config\.\w+$/.test(name) && block !== undefined) add(block.matchAll(VITE_ALIAS))
    const paths = /"paths"\s*:\s*\{([\s\S]*?)\}/.exec(code)?.[1]
    if (/(?:^|\/)[jt]sconfig(?:\.\w+)?\.json$/.test(name) && paths !== undefined) add(paths.matchAll(TYPESCRIPT_PATH))
  }
  return aliases
}

/** The path of a file in the project; what has no alias is returned as it is. */
export function applyAlias(specifier: string, aliases: ReadonlyMap<string, string>): string {
  const [name, folder] = [...aliases].find(([alias]) => specifier === alias || specifier.startsWith(`${alias}/`)) ?? []
  return name === undefined ? specifier : `/${folder}${specifier.slice(name.length)}`
}
