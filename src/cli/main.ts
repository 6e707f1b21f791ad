// A default import: a named import missing in an older Node would be a syntax error instead of the message below.
import nodeModule from 'node:module'

/** Waits for the output to be written, but not for open sockets and threads. */
async function end(exitCode: number): Promise<never> {
  const printed = [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve)))
  await Promise.all(printed)
  process.exit(exitCode)
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 16)) {
  process.stderr.write(`benchmaker needs Node 22.16 or newer (24 is best); this is ${process.versions.node}.\n`)
  process.exitCode = 2
} else {
  const args = process.argv.slice(2)
  nodeModule.enableCompileCache()
  // Loaded here because an older Node could not even parse it.
  const { loadEnvironmentFile, runProgram, saveMemory } = await import('./program.ts')
  // A stored run may be large; `run` looks at the size of its suite first.
  if (args.includes('resume') || args.includes('rescore')) saveMemory()
  loadEnvironmentFile()
  await end(await runProgram(args))
}
