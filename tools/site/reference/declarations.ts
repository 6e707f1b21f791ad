import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

/** One export of a module, as its declaration file has it. */
export interface Declaration {
  name: string
  kind: 'function' | 'value' | 'class' | 'type'
  /** Without `export declare`. */
  text: string
  /** The comment above it. */
  comment: string
}

interface Module {
  /** Declared in the file, also those that it does not export. */
  declared: Map<string, Declaration>
  /** What each export is called here, and where it comes from. */
  exported: Map<string, Origin>
  imported: Map<string, Required<Origin>>
  /** Modules whose exports are all passed on (`export * from`). */
  passedOn: string[]
}

interface Origin {
  name: string
  from?: string
}

function commentBefore(source: string, start: number): string {
  const [, comment = ''] = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*$/.exec(source.slice(0, start)) ?? []
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim()
}

const KINDS: Record<string, Declaration['kind']> = {
  TSDeclareFunction: 'function',
  FunctionDeclaration: 'function',
  ClassDeclaration: 'class',
  TSInterfaceDeclaration: 'type',
  TSTypeAliasDeclaration: 'type',
}

function readModule(file: string): Module {
  const source = readFileSync(file, 'utf8')
  const module: Module = { declared: new Map(), exported: new Map(), imported: new Map(), passedOn: [] }
  const add = (declaration: Declaration) => {
    const earlier = module.declared.get(declaration.name)
    // Overloads are one export.
    if (earlier) Object.assign(earlier, { text: `${earlier.text}\n${declaration.text}` })
    else module.declared.set(declaration.name, declaration)
  }
  const nameOf = (node: { name: string } | { value: unknown }) => ('name' in node ? node.name : String(node.value))
  for (const statement of parseAst(source, { lang: 'ts' }, file).body) {
    if (statement.type === 'ImportDeclaration') {
      for (const specifier of statement.specifiers)
        if (specifier.type === 'ImportSpecifier')
          module.imported.set(specifier.local.name, { name: nameOf(specifier.imported), from: statement.source.value })
      continue
    }
    if (statement.type === 'ExportNamedDeclaration' && !statement.declaration) {
      for (const { local, exported } of statement.specifiers) {
        const from = statement.source?.value
        module.exported.set(nameOf(exported), { name: nameOf(local), ...(from !== undefined && { from }) })
      }
      continue
    }
    if (statement.type === 'ExportAllDeclaration') {
      module.passedOn.push(statement.source.value)
      continue
    }
    const isExport = statement.type === 'ExportNamedDeclaration'
    const node = isExport ? statement.declaration! : statement
    const comment = commentBefore(source, statement.start)
    const slice = (start: number, end: number) => source.slice(start, end).replace(/^declare /, '')
    const kind = KINDS[node.type]
    const names: string[] = []
    if (node.type === 'VariableDeclaration') {
      for (const { id, start, end } of node.declarations) {
        if (id.type !== 'Identifier') continue
        const text = source.slice(start, end)
        const isFunction = id.typeAnnotation?.typeAnnotation.type === 'TSFunctionType'
        add({ name: id.name, kind: isFunction ? 'function' : 'value', text: `const ${text}`, comment })
        names.push(id.name)
      }
    } else if (kind && 'id' in node && node.id && 'name' in node.id) {
      add({ name: node.id.name, kind, text: slice(node.start, node.end), comment })
      names.push(node.id.name)
    }
    if (isExport) for (const name of names) module.exported.set(name, { name })
  }
  return module
}

function resolve(file: string, imported: string): string {
  return join(dirname(file), imported.replace(/\.tsx?$/, '.d.ts'))
}

/** Every export of a declaration file, followed to where it is declared. */
export function readDeclarations(entry: string): Declaration[] {
  const modules = new Map<string, Module>()
  const load = (file: string): Module => {
    const known = modules.get(file)
    if (known) return known
    const read = readModule(file)
    modules.set(file, read)
    for (const from of read.passedOn)
      for (const name of load(resolve(file, from)).exported.keys()) read.exported.set(name, { name, from })
    return read
  }
  const find = (file: string, name: string): Declaration => {
    const { declared, exported, imported } = load(file)
    const named = exported.get(name)
    if (!named) throw new Error(`${file} does not export ${name}`)
    const origin = named.from === undefined ? (imported.get(named.name) ?? named) : named
    const found = origin.from === undefined ? declared.get(origin.name) : find(resolve(file, origin.from), origin.name)
    if (!found) throw new Error(`${file}: the declaration of ${name} was not found`)
    return found
  }
  return [...load(entry).exported.keys()]
    .map((name) => {
      const found = find(entry, name)
      if (found.name === name) return found
      return { ...found, name, text: found.text.replaceAll(new RegExp(String.raw`\b${found.name}\b`, 'g'), name) }
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}
