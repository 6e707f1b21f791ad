import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { runProgram } from '../src/cli/program.ts'
import * as benchmaker from '../src/index.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })]

/** The fenced block after a `<!-- checked: … -->` comment. */
function checkedBlock(page: string, label: string): string {
  const found = new RegExp(`<!-- checked: ${label}[^>]*-->\\n\`\`\`\\w+\\n(.*?)\`\`\``, 's').exec(read(page))
  if (!found) throw new Error(`${page} has no checked block "${label}"`)
  return found[1]!
}

describe('README.md', () => {
  it('shows both commands', () => {
    expect(read('README.md')).toContain('npm start')
    expect(read('README.md')).toContain('npm test')
  })

  it('shows the actual output of the program', async () => {
    let printed = ''
    const sink = { write: (text: string) => (printed += text) }
    await runProgram(['score'], { stdout: sink, stderr: sink, columns: 120, colour: false, progress: false })
    expect(checkedBlock('README.md', 'output of benchmaker score')).toBe(printed)
  })

  it('has a library example that prints what its comments say', async () => {
    const example = checkedBlock('README.md', 'runs, and prints')
    const printed: string[] = []
    const body = example
      .replace(/^import \{(.*)\} from 'benchmaker'$/m, 'const {$1} = benchmaker')
      .replaceAll('comparison!', 'comparison')
    const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
    await new AsyncFunction('benchmaker', 'console', body)(benchmaker, {
      log: (value: unknown) => printed.push(typeof value === 'string' ? value : inspect(value)),
    })
    const promised = [...example.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map(([, comment]) => comment)
    expect(promised.length).toBeGreaterThan(4)
    expect(printed).toEqual(promised)
  })
})

describe.each(pages)('%s', (page) => {
  it('names only paths that exist', () => {
    const text = read(page)
    const inCode = [...text.matchAll(/`((?:src|docs|test|tools|bench|bin|examples)\/[\w./-]*)`/g)].map(
      ([, path]) => path!,
    )
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => join(dirname(page), path!))
    const missing = [...inCode, ...links].filter((path) => !existsSync(join(root, path)))
    expect(missing).toEqual([])
  })
})
