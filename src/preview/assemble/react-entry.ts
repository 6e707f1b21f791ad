import type { CodeFile } from '../extract/code-file.ts'

const DECLARED =
  /^(?:export\s+)?(?:async\s+)?(?:function\s+([A-Z]\w*)|class\s+([A-Z]\w*)\s+extends|(?:const|let|var)\s+([A-Z]\w*)\s*(?::[^=\n]+)?=\s*(?:\(|async|function|memo|React\.memo|forwardRef|React\.forwardRef|\w+\s*=>|styled))/gm

/** Imports the components of other files that bare markup uses. */
function importUsed({ code, name }: CodeFile, files: CodeFile[]): string {
  const used = new Set([...code.matchAll(/<([A-Z]\w*)/g)].map(([, component]) => component!))
  return [...used]
    .flatMap((component) => {
      const file = files.find(
        (other) => other.name !== name && new RegExp(`\\bexport\\b[^\\n]*\\b${component}\\b`).test(other.code),
      )
      if (!file) return []
      const isDefault = new RegExp(`\\bexport\\s+default\\b[^\\n]*\\b${component}\\b`).test(file.code)
      return [`import ${isDefault ? component : `{ ${component} }`} from ${JSON.stringify(`/${file.name}`)}\n`]
    })
    .join('')
}

/** Exports the main component of a file without exports: `App`, or the last one that no other uses, or the last. */
export function exportComponent(file: CodeFile, files: CodeFile[] = []): CodeFile {
  if (/^\s*export\s/m.test(file.code) || /\bmodule\.exports\b/.test(file.code)) return file
  const names = [...file.code.matchAll(DECLARED)].map(([, one, two, three]) => (one ?? two ?? three)!)
  const unused = names.filter((name) => !new RegExp(`<${name}[\\s/>]`).test(file.code))
  const chosen = names.includes('App') ? 'App' : (unused.at(-1) ?? names.at(-1))
  if (chosen === undefined) {
    // Bare markup: `<div>…</div>` alone in a jsx fence.
    return /^\s*<[A-Za-z>]/.test(file.code)
      ? { ...file, code: `${importUsed(file, files)}export default function App() { return (<>${file.code}</>) }` }
      : file
  }
  return { ...file, code: `${file.code}\nexport default ${chosen}\n` }
}
