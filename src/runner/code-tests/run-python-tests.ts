import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { ScoringError, type ScoringInput, type ScoringResult } from '../../contract/index.ts'
import { buildProgram, listTests, type CodeTestsOptions } from '../../scoring/index.ts'
import { PYTHON_HOST } from './python-host.ts'
import { summarize } from './summarize.ts'

const MISSING =
  'answers in Python run in pyodide, which comes with the package benchmaker-previews. To install it, run: benchmaker install previews'

/** Starting takes about 2 s; on a busy machine many times that. */
const START_MS = 180_000

const PACKAGES = ['pyodide/package.json', 'benchmaker-previews/package.json']

/** Why answers in Python cannot be run here. */
export function describeMissingPython(folders: readonly string[]): string | undefined {
  return findPyodide(folders) === undefined ? MISSING : undefined
}

/** The folder of pyodide: beside this program, or beside benchmaker-previews, here or in one of the folders. */
function findPyodide(folders: readonly string[]): string | undefined {
  const here = join(process.cwd(), 'package.json')
  const seen = [
    import.meta.url,
    process.argv[1] ?? here,
    here,
    ...folders.map((folder) => join(folder, 'package.json')),
  ]
  const resolve = (name: string, from: string): string | undefined => {
    try {
      return createRequire(from).resolve(name)
    } catch {
      return undefined
    }
  }
  for (const from of seen)
    for (const name of PACKAGES) {
      const found = resolve(name, from)
      const pyodide = found === undefined || name === PACKAGES[0] ? found : resolve(PACKAGES[0]!, found)
      if (pyodide !== undefined) return dirname(pyodide)
    }
  return undefined
}

const replySchema = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ passed: z.array(z.boolean()) }),
  z.object({ error: z.string() }),
])
type Reply = z.output<typeof replySchema>

function startPython(folder: string, memoryMb: number): ChildProcess {
  const flags = [
    '--permission',
    `--allow-fs-read=${folder}${sep}*`,
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${memoryMb}`,
    '--no-warnings',
    '--input-type=module',
  ]
  const url = pathToFileURL(join(folder, 'pyodide.mjs')).href
  return spawn(process.execPath, [...flags, '--eval', PYTHON_HOST, url, String(memoryMb)], {
    cwd: folder,
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

/** How many times its deadline a process gets that had no processor for half of it. */
const PATIENCE = 4

/** The processor time that the process has used, in steps of 10 ms; infinite where it is not known. */
function readCpuMs({ pid }: ChildProcess): number {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Infinity
  }
}

/** The next reply of the process; undefined if it ended, or not in time. */
function nextReply(child: ChildProcess, deadlineMs: number, patience = 0): Promise<Reply | undefined> {
  const cpuBefore = readCpuMs(child)
  return new Promise((resolve) => {
    const finish = (reply: Reply | undefined) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(reply)
    }
    const onMessage = (message: unknown) => finish(replySchema.safeParse(message).data)
    const onExit = () => finish(undefined)
    // After what has already arrived: a busy program reads replies late.
    const stop = () => setImmediate(onExit)
    let timer = setTimeout(() => {
      const usedMs = readCpuMs(child) - cpuBefore
      // It waited for a processor that others used.
      if (usedMs < deadlineMs / 2) timer = setTimeout(stop, patience * deadlineMs)
      else stop()
    }, deadlineMs)
    child.once('message', onMessage)
    child.once('exit', onExit)
    child.once('error', onExit)
    if (child.exitCode !== null || child.signalCode !== null) onExit()
  })
}

/** One at a time: each takes 200 MB. The next one is started ahead, and does not keep the program alive. */
let last: Promise<unknown> = Promise.resolve()
let ahead: { child: ChildProcess; key: string; ready: Promise<Reply | undefined> } | undefined

function takeProcess(folder: string, memoryMb: number): NonNullable<typeof ahead> {
  const key = `${folder} ${memoryMb}`
  const waiting = ahead
  ahead = undefined
  if (waiting?.key === key && waiting.child.connected) return waiting
  waiting?.child.kill('SIGKILL')
  return launch(folder, memoryMb)
}

function launch(folder: string, memoryMb: number): NonNullable<typeof ahead> {
  const child = startPython(folder, memoryMb)
  return { child, key: `${folder} ${memoryMb}`, ready: nextReply(child, START_MS) }
}

process.once('exit', () => ahead?.child.kill('SIGKILL'))

function startAhead(folder: string, memoryMb: number): void {
  ahead ??= launch(folder, memoryMb)
  ahead.child.unref()
  ahead.child.channel?.unref()
}

/** Runs a program; its value says which tests passed. */
async function runProgram(
  folder: string,
  program: string,
  { deadlineMs, memoryMb }: { deadlineMs: number; memoryMb: number },
): Promise<Reply | undefined> {
  const started = takeProcess(folder, memoryMb)
  const { child } = started
  child.ref()
  child.channel?.ref()
  try {
    if ((await started.ready) === undefined)
      throw new ScoringError('scoring-failed', 'Python could not be started for the answer')
    startAhead(folder, memoryMb)
    child.send({ program })
    return await nextReply(child, deadlineMs, PATIENCE)
  } finally {
    child.kill('SIGKILL')
  }
}

/** An object that equals everything would pass any test. */
function guard(entryPoint: string, name: string): string {
  return `
def ${name}(${name}_call, ${name}_type=type, ${name}_kind=type(lambda: 0)):
    class Nothing:
        pass
    def check(*given, **named):
        value = ${name}_call(*given, **named)
        if value == Nothing():
            raise AssertionError('the value equals everything')
        return value
    return check if ${name}_type(${name}_call) is ${name}_kind else ${name}_call
${entryPoint} = ${name}(${entryPoint})
candidate = ${entryPoint}
`
}

/**
 * Answer and tests as one program, of which nothing can be left out: neither by exit(), which is an error, nor by other values
 * for the functions of Python, as no function decides whether a test passed.
 */
function joinTests(program: string, tests: readonly string[], entryPoint: string | undefined): string {
  const name = `t${randomUUID().replaceAll('-', '')}`
  const guarded = entryPoint === undefined ? '' : guard(entryPoint, `${name}g`)
  const calls = (test: string) =>
    entryPoint !== undefined && /^def check\(/m.test(test) && !/^check\(/m.test(test)
      ? `\ncheck(${entryPoint})\n`
      : '\n'
  if (tests.length === 1) return `${program}\n${guarded}\n${tests[0]}${calls(tests[0]!)}\n[True]\n`
  const tried = tests.map((test) => {
    const lines = `${test}${calls(test)}`.trimEnd().split('\n')
    return `try:\n${lines.map((line) => `    ${line}`).join('\n')}\n    ${name} = ${name} + [True]\nexcept:\n    ${name} = ${name} + [False]\n`
  })
  return `${program}\n${guarded}\n${name} = []\n${tried.join('')}${name}\n`
}

export async function runPythonTests(
  input: ScoringInput,
  { tests, entryPoint, seconds, memoryMb }: CodeTestsOptions,
  folders: readonly string[] = [],
): Promise<ScoringResult> {
  const folder = findPyodide(folders)
  if (folder === undefined) throw new ScoringError('scoring-failed', MISSING)
  const all = listTests(tests)
  const answer = buildProgram(input.response, { language: 'python', entryPoint, prompt: input.prompt })
  const limits = { deadlineMs: seconds * 1000 * all.length, memoryMb: Math.max(memoryMb, 128) }
  const running = last.then(() => runProgram(folder, joinTests(answer, all, entryPoint), limits))
  last = running.catch(() => undefined)
  const reply = await running
  if (reply && 'passed' in reply && reply.passed.length === all.length)
    return summarize(reply.passed.map((passed, index) => ({ passed, ...(!passed && { reason: all[index]! }) })))
  const reason = reply && 'error' in reply ? reply.error : 'it did not end in time, or ended its process'
  return summarize(all.map(() => ({ passed: false, reason })))
}
