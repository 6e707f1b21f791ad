import { compilers } from './compilers.ts'

/** As TypeScript's `experimentalDecorators` has them, which is how libraries document them. */

const HELPER = `function __decorate(decorators, target, key, descriptor) {
  const isClass = key === undefined
  let result = isClass ? target : descriptor === null ? Object.getOwnPropertyDescriptor(target, key) : descriptor
  for (const decorate of decorators.reverse()) result = (isClass ? decorate(result) : decorate(target, key, result)) || result
  if (!isClass && result) Object.defineProperty(target, key, result)
  return result
}`

const DECORATOR = /^\s*@[A-Za-z_]\w*(?:\(|\s)/m

type Tree = ReturnType<Awaited<ReturnType<typeof compilers.vue>>['babelParse']>
type Statement = Tree['program']['body'][number]
type ClassNode = Extract<Statement, { type: 'ClassDeclaration' }>

interface Edit {
  start: number
  end: number
  text: string
}

function findClass(statement: Statement): ClassNode | undefined {
  if (statement.type === 'ClassDeclaration') return statement
  const inside =
    statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
      ? statement.declaration
      : undefined
  return inside?.type === 'ClassDeclaration' ? inside : undefined
}

/** Takes the decorators of a class out of it, and calls them after it. */
function moveDecorators(node: ClassNode, code: string): Edit[] {
  const name = node.id?.name
  if (name === undefined) return []
  const edits: Edit[] = []
  const take = (decorators: ClassNode['decorators']): string[] =>
    (decorators ?? []).map(({ start, end, expression }) => {
      edits.push({ start: start!, end: end!, text: '' })
      return code.slice(expression.start!, expression.end!)
    })
  const calls: { isStatic: boolean; text: string }[] = []
  for (const member of node.body.body) {
    if (!('decorators' in member) || !('key' in member) || member.key.type !== 'Identifier') continue
    const taken = take(member.decorators)
    if (taken.length === 0) continue
    const isStatic = 'static' in member && member.static === true
    const target = isStatic ? name : `${name}.prototype`
    const descriptor = member.type === 'ClassMethod' ? 'null' : 'undefined'
    const text = `__decorate([${taken.join(', ')}], ${target}, ${JSON.stringify(member.key.name)}, ${descriptor});`
    calls.push({ isStatic, text })
  }
  const own = take(node.decorators)
  const onClass = own.length > 0 ? [`${name} = __decorate([${own.join(', ')}], ${name});`] : []
  // Members of instances come before static ones.
  const inOrder = calls.toSorted((a, b) => Number(a.isStatic) - Number(b.isStatic)).map(({ text }) => text)
  return [...edits, { start: node.end!, end: node.end!, text: `\n${[...inOrder, ...onClass].join('\n')}` }]
}

/** Code without decorators that does what they do; code that has none, or cannot be read, is returned as it is. */
export async function compileDecorators(code: string, isTyped: boolean): Promise<string> {
  if (!DECORATOR.test(code)) return code
  const { babelParse } = await compilers.vue()
  let tree: Tree
  try {
    tree = babelParse(code, {
      sourceType: 'module',
      plugins: ['jsx', 'decorators-legacy', ...(isTyped ? ['typescript' as const] : [])],
    })
  } catch {
    // The compiler that follows says what is wrong.
    return code
  }
  const edits = tree.program.body
    .flatMap((statement) => findClass(statement) ?? [])
    .flatMap((node) => moveDecorators(node, code))
    .toSorted((a, b) => b.start - a.start)
  const compiled = edits.reduce(
    (text, { start, end, text: other }) => text.slice(0, start) + other + text.slice(end),
    code,
  )
  return edits.length === 0 ? code : `${compiled}\n${HELPER}\n`
}
