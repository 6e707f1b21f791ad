import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { GeneratedPage } from '../build-site.ts'
import { readDeclarations, type Declaration } from './declarations.ts'

const packageSchema = z.object({
  exports: z.record(z.string(), z.union([z.string(), z.object({ types: z.string() })])),
})

/** Longer declarations, such as types that zod infers, tell a reader nothing. */
const MAX_LENGTH = 2000

function describe({ name, text, comment }: Declaration): string {
  const shown = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}\n// … and more` : text
  return [`### ${name}`, comment, `\`\`\`ts\n${shown.replaceAll('```', "'''")}\n\`\`\``]
    .filter((part) => part !== '')
    .join('\n\n')
}

function section(title: string, declarations: readonly Declaration[]): string {
  return declarations.length === 0 ? '' : [`## ${title}`, ...declarations.map(describe)].join('\n\n')
}

/** Two pages, from the declarations that the package ships: what can be called, and the types. */
export function writeLibrary(root: string): GeneratedPage[] {
  const { exports } = packageSchema.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const entries = Object.entries(exports).flatMap(([path, target]) =>
    typeof target === 'string' ? [] : [{ name: join('benchmaker', path), file: join(root, target.types) }],
  )
  const read = entries.map(({ name, file }) => ({ name, declarations: readDeclarations(file) }))
  const [main, ...others] = read
  const known = new Set(main!.declarations.map(({ name }) => name))
  const of = (kinds: readonly Declaration['kind'][]) => main!.declarations.filter(({ kind }) => kinds.includes(kind))
  const functions = of(['function'])
  const subpaths = others.map(({ name, declarations }) => {
    const own = declarations.filter((declaration) => !known.has(declaration.name))
    const values = own.filter(({ kind }) => kind !== 'type')
    const same = declarations.length - own.length
    return [
      `## ${name}`,
      `${same} of its exports are also in \`benchmaker\`.${values.length === 0 ? '' : ' Its own:'}`,
      ...values.map(describe),
    ].join('\n\n')
  })
  return [
    {
      path: 'reference/library.md',
      summary: 'every function of the library, with its signature.',
      markdown: [
        '# Library',
        `\`import { … } from 'benchmaker'\`: ${functions.length} functions. [Types](library-types.md) are on a page of their own, and [Extending the library](../extending.md) has examples.`,
        section('Functions', functions),
        section('Values', of(['value'])),
        section('Errors and classes', of(['class'])),
        ...subpaths,
      ].join('\n\n'),
    },
    {
      path: 'reference/library-types.md',
      summary: 'the types that functions of the library take and return.',
      markdown: [
        '# Library types',
        "`import type { … } from 'benchmaker'`. Functions are in [Library](library.md).",
        section('Types', of(['type'])),
      ].join('\n\n'),
    },
  ]
}
