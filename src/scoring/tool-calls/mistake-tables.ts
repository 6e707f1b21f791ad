import type { ToolCallReasons } from './reasons.ts'

export interface ToolRow {
  tool: string
  expected: number
  exact: number
  argumentsDiffer: number
  missing: number
  /** Calls of this tool that match no expected action. */
  extra: number
}

/** How often an argument was wrong among the expected calls of its tool that were made. */
export interface ArgumentRow {
  tool: string
  argument: string
  wrong: number
  of: number
}

/** Counts, record by record, which tools and arguments went wrong. */
export function createMistakeTables() {
  const tools = new Map<string, ToolRow>()
  const arguments_ = new Map<string, ArgumentRow>()

  const toolRow = (tool: string): ToolRow => {
    const row = tools.get(tool) ?? { tool, expected: 0, exact: 0, argumentsDiffer: 0, missing: 0, extra: 0 }
    tools.set(tool, row)
    return row
  }
  const argumentRow = (tool: string, argument: string): ArgumentRow => {
    const key = `${tool}\n${argument}`
    const row = arguments_.get(key) ?? { tool, argument, wrong: 0, of: 0 }
    arguments_.set(key, row)
    return row
  }

  return {
    add({ actions, extraCalls }: ToolCallReasons): void {
      for (const { name, kind, arguments: expected, differences } of actions) {
        const row = toolRow(name)
        row.expected += 1
        if (kind === 'exact') row.exact += 1
        else if (kind === 'tool not called') row.missing += 1
        else row.argumentsDiffer += 1
        if (kind === 'tool not called') continue
        const wrong = new Set(differences.map(({ path }) => topLevelName(path)))
        const wanted = typeof expected === 'object' && expected !== null ? Object.keys(expected) : []
        for (const argument of new Set([...wanted, ...wrong])) {
          const counts = argumentRow(name, argument)
          counts.of += 1
          if (wrong.has(argument)) counts.wrong += 1
        }
      }
      for (const { name } of extraCalls) toolRow(name).extra += 1
    },
    tools: (): ToolRow[] =>
      [...tools.values()].sort((a, b) => b.expected - b.exact - (a.expected - a.exact) || b.extra - a.extra),
    arguments: (): ArgumentRow[] =>
      [...arguments_.values()].filter(({ wrong }) => wrong > 0).sort((a, b) => b.wrong - a.wrong || a.of - b.of),
  }
}

function topLevelName(path: string): string {
  const quoted = /^\["((?:[^"\\]|\\.)*)"\]/.exec(path)
  if (quoted) return String(JSON.parse(`"${quoted[1]}"`))
  return /^[^.[]+/.exec(path)?.[0] ?? path
}
