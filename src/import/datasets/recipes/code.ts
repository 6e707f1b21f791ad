import { InputError } from '../../../contract/index.ts'
import type { DatasetCase, Recipe } from '../recipe.ts'
import { findIoFunction, hasIoTests, writeIoTests } from '../parts/io-tests.ts'
import { toText, type Row } from '../rows/row.ts'

const LANGUAGES: Readonly<Record<string, string>> = {
  python: 'python',
  py: 'python',
  humaneval: 'python',
  javascript: 'javascript',
  js: 'javascript',
  typescript: 'typescript',
  ts: 'typescript',
}

/** What HumanEval-X and MultiPL-E call the languages that cannot be run. */
const OTHER_LANGUAGES = new Set(
  'bash c c# c++ clojure coffeescript cpp cs csharp d dart elixir erlang fortran go groovy haskell hs java jl julia kotlin kt lua ml ocaml pascal perl php pl powershell r racket rb rkt rs ruby rust scala scheme sh sql swift tcl vb vim'.split(
    ' ',
  ),
)

/** HumanEval-X says it in the task's id, which in other files starts with a name of the dataset; MultiPL-E in a column. */
function findLanguage(row: Row): string {
  const column = row.text('language', 'lang', 'programminglanguage')
  const named = column ?? /^([A-Za-z+#]+)\/\d+$/.exec(row.text('taskid') ?? '')?.[1] ?? ''
  const language = LANGUAGES[named.toLowerCase()]
  if (language !== undefined) return language
  if (column !== undefined || OTHER_LANGUAGES.has(named.toLowerCase()))
    throw new InputError(`is in ${named}; only answers in Python, JavaScript and TypeScript can be run`)
  return isScript(row) ? 'javascript' : 'python'
}

/** No word says it: neither do `def` or `assert` of Python stand in it. */
function isScript(row: Row): boolean {
  const code = ['prompt', 'code', 'canonicalsolution', 'test', 'tests', 'testlist']
    .map((name) => toText(row.get(name)) ?? JSON.stringify(row.get(name) ?? ''))
    .join('\n')
  return (
    !/^\s*(?:def|class|assert|import|from) ?\w*/m.test(code) && /\bfunction\b|=>|\bconst |console\.assert/.test(code)
  )
}

function listTests(row: Row): string[] {
  const list = row.structure('testlist', 'tests', 'asserts')
  return Array.isArray(list) ? list.flatMap((test) => toText(test) ?? []) : []
}

function joinLines(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part.trim() !== '').join('\n')
}

/** The function that the tests call: the reference solution defines it. */
function findEntryPoint(row: Row, tests: string): string | undefined {
  const named = row.text('entrypoint')
  if (named !== undefined) return named
  // The prompt of HumanEval-X has the head of the function, the solution only its body.
  const code = joinLines(row.text('prompt', 'declaration'), row.text('code', 'canonicalsolution', 'solution'))
  const defined = [...code.matchAll(/(?:^|\n)\s*(?:async\s+)?(?:def|function|const)\s+([A-Za-z_]\w*)/g)].map(
    (match) => match[1]!,
  )
  return defined.findLast((name) => new RegExp(String.raw`\b${name}\s*\(`).test(tests))
}

const TASKS = ['questioncontent', 'question', 'problem', 'description', 'prompt', 'problemstatement']

/** A function to write, called with inputs whose outputs are known. */
function makeIoCase(row: Row): DatasetCase {
  const task = row.text(...TASKS)
  if (task === undefined) throw new InputError('has no task')
  const name = findIoFunction(row)
  if (name === undefined)
    throw new InputError('its tests give a program its input as text (stdin); only functions can be called here')
  const start = row.text('startercode')
  return {
    prompt: `${task}\n\nAnswer with the whole code in Python, in a code block.${start === undefined ? ` It must define ${name}.` : ` It starts with:\n\n\`\`\`python\n${start}\n\`\`\``}`,
    scoringMethod: 'code-tests',
    language: 'python',
    tests: writeIoTests(row, name),
  }
}

/** BigCodeBench's tests are a class that nobody calls. */
function runUnitTests(tests: string): string | undefined {
  const name = /^class (\w+)\(unittest\.TestCase\)/m.exec(tests)?.[1]
  if (name === undefined || /unittest\.main\(|TestRunner/.test(tests)) return undefined
  return [
    'import unittest',
    'unittest_result = unittest.TestResult()',
    `unittest.defaultTestLoader.loadTestsFromTestCase(${name}).run(unittest_result)`,
    "assert unittest_result.testsRun > 0, 'no test was run'",
    'assert unittest_result.wasSuccessful(), (unittest_result.failures + unittest_result.errors)[0][1][-250:]',
  ].join('\n')
}

export const code: Recipe = {
  name: 'code',
  reads: 'a function to write, run against tests (HumanEval, HumanEval+, MBPP, BigCodeBench, LiveCodeBench, MultiPL-E)',
  recognises: (fields) =>
    (fields.has('assertion') && fields.has('entrypoint') && fields.has('prompt')) ||
    (hasIoTests(fields) && TASKS.some((name) => fields.has(name))) ||
    ((fields.has('test') || fields.has('testlist') || fields.has('tests')) &&
      ['prompt', 'text', 'instruction', 'completeprompt'].some((name) => fields.has(name)) &&
      ['entrypoint', 'canonicalsolution', 'code', 'stoptokens', 'declaration', 'testlist'].some((name) =>
        fields.has(name),
      )),
  toCase(row) {
    if (hasIoTests(row.table.fields)) return makeIoCase(row)
    const language = findLanguage(row)
    const list = listTests(row)
    const single = row.text('test', 'assertion') ?? (list.length === 0 ? row.text('tests') : undefined)
    const imports = row.structure('testimports')
    const setup = joinLines(
      ...(Array.isArray(imports) ? imports.map((line) => toText(line)) : []),
      row.text('testsetupcode', 'testsetup'),
    )
    const own = list.length > 0 ? joinLines(...list) : single
    if (own === undefined) throw new InputError('has no tests')
    const entryPoint = findEntryPoint(row, own)
    // HumanEval's tests are a function that takes the answer's.
    const isChecked = /\bdef check\(/.test(own) && entryPoint !== undefined && !/^check\(/m.test(own)
    // One program, also of MBPP's list: a task is solved if all its tests pass, as published figures count it.
    const tests = joinLines(setup, own, runUnitTests(own), isChecked ? `check(${entryPoint})` : undefined)
    const task = row.text('completeprompt', 'prompt', 'text', 'instruction')
    if (task === undefined) throw new InputError('has no prompt')
    const isCode =
      /^\s*(?:from|import|def|class|function|const|\/\/|#|\/\*|"""|async)\b|\n\s*(?:def|function|const|class) /.test(
        task,
      ) || /^\s*(?:\/\/|#|\/\*)/.test(task)
    const prompt = isCode
      ? `Complete this function. Answer with the whole function in a code block, with everything that it needs.\n\n\`\`\`${language}\n${task}\n\`\`\``
      : `${task}\n\nAnswer with the whole code in a code block.${list.length > 0 ? ` It must pass these tests:\n\n\`\`\`${language}\n${joinLines(...list)}\n\`\`\`` : ''}`
    return {
      prompt,
      scoringMethod: 'code-tests',
      language,
      tests,
      ...(entryPoint !== undefined && { entryPoint }),
    }
  },
}
