import { runProgram } from '../program.ts'

/** Runs the command line in this process and returns what it prints. */
export async function runCli(args: string[], { columns = 120 }: { columns?: number } = {}) {
  let out = ''
  let err = ''
  const exitCode = await runProgram(args, {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
    columns,
    colour: false,
    progress: false,
  })
  return { exitCode, out, err }
}
