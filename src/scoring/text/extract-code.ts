import { dropThinking } from './read-answer.ts'

export type CodeLanguage = 'python' | 'javascript' | 'typescript'

const NAMES: Readonly<Record<CodeLanguage, RegExp>> = {
  python: /^(?:python|py|python3|ipython|pycon)$/i,
  javascript: /^(?:javascript|js|jsx|mjs|cjs|node)$/i,
  typescript: /^(?:typescript|ts|tsx)$/i,
}

interface Block {
  name: string
  code: string
}

/** Fenced blocks; one that is never closed ends with the text. */
function findBlocks(text: string): Block[] {
  return [
    ...text.matchAll(/^[ \t]*(```+|~~~+)[ \t]*([\w+#.-]*)[^\n]*\n([\s\S]*?)(?:^[ \t]*\1[ \t]*$|$(?![\s\S]))/gm),
  ].map(([, , name = '', code = '']) => ({ name, code }))
}

function definitionOf(name: string, language: CodeLanguage): RegExp {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return language === 'python'
    ? new RegExp(String.raw`^(?:async[ \t]+)?(?:def|class)[ \t]+${escaped}\b|^${escaped}[ \t]*(?::[^=\n]+)?=(?!=)`, 'm')
    : new RegExp(
        String.raw`\b(?:function\s*\*?|class)\s+${escaped}\b|\b(?:const|let|var)\s+${escaped}\b|\b(?:exports|module\.exports|globalThis)\.${escaped}\s*=|^\s*${escaped}\s*=(?!=)`,
        'm',
      )
}

function defines(code: string, name: string, language: CodeLanguage): boolean {
  return definitionOf(name, language).test(code)
}

/** Prompts in a console transcript would not run. */
function dropConsole(code: string): string {
  if (!/^>>> /m.test(code) || /^(?:def|class) /m.test(code)) return code
  return code
    .split('\n')
    .flatMap((line) => (/^(?:>>>|\.\.\.)(?: |$)/.test(line) ? [line.slice(4)] : []))
    .join('\n')
}

/**
 * The code of an answer: of its fenced blocks in the language (or in none), the last that defines the entry point; without an
 * entry point, all of them; without a fence, the whole answer.
 */
function extractCode(response: string, language: CodeLanguage, entryPoint?: string): string {
  const text = dropThinking(response)
  const blocks = findBlocks(text)
  const inLanguage = blocks.filter(({ name }) => NAMES[language].test(name))
  const isScript = language !== 'python'
  const other = blocks.filter(
    ({ name }) =>
      name === '' || (isScript && Object.values(NAMES).some((one) => one !== NAMES.python && one.test(name))),
  )
  const usable = inLanguage.length > 0 ? inLanguage : other.length > 0 ? other : blocks
  if (usable.length === 0) return text
  if (entryPoint === undefined) return usable.map(({ code }) => dropConsole(code)).join('\n')
  const defining = usable.filter(({ code }) => defines(code, entryPoint, language))
  if (defining.length > 0) return defining.at(-1)!.code
  return usable.toSorted((a, b) => b.code.length - a.code.length)[0]!.code
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** The body of a function as it follows its head; trimming an answer takes the indentation of its first line. */
function indentBody(body: string): string {
  const lines = body
    .replace(/^\s*\n/, '')
    .trimEnd()
    .split('\n')
  const rest = lines.slice(1).filter((line) => line.trim() !== '')
  const first = lines[0] ?? ''
  if (indentOf(first) > 0) return lines.join('\n')
  const least = Math.min(...rest.map(indentOf), Infinity)
  const isTrimmed = least > 0 && !(/:\s*(?:#.*)?$/.test(first) && indentOf(rest[0] ?? '') <= 4)
  const indented = lines.map((line, index) => (index === 0 || !isTrimmed ? `    ${line}` : line))
  return indented.join('\n')
}

/** The code that a prompt asks to complete: it defines the entry point, usually without a body. */
function promptCode(prompt: string, language: CodeLanguage, entryPoint: string): string | undefined {
  const code = extractCode(prompt, language, entryPoint)
  if (!defines(code, entryPoint, language)) return undefined
  // Without a fence, words may stand before the code.
  const start = code.search(
    language === 'python'
      ? /^(?:from|import|def|class|@|async def|[A-Z_]+\s*=)\b/m
      : /^(?:import|function|const|let|class|\/\/|\/\*|export|async)/m,
  )
  return start > 0 ? code.slice(start) : code
}

/**
 * The program that an answer stands for: its code, after what the prompt has before the entry point (imports and helpers), or
 * the prompt completed by the answer if that is only a body.
 */
export function buildProgram(
  response: string,
  {
    language,
    entryPoint,
    prompt,
  }: { language: CodeLanguage; entryPoint?: string | undefined; prompt?: string | undefined },
): string {
  const code = extractCode(response, language, entryPoint)
  const asked = entryPoint === undefined || prompt === undefined ? undefined : promptCode(prompt, language, entryPoint)
  if (asked === undefined || entryPoint === undefined) return code
  const head = asked.search(definitionOf(entryPoint, language))
  if (defines(code, entryPoint, language)) return `${asked.slice(0, head).trimEnd()}\n\n${code}`
  if (language === 'python') return `${asked.trimEnd()}\n${indentBody(code)}\n`
  return `${asked.trimEnd()}\n${code}`
}
