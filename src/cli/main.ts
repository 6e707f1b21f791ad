// The default import: a named one that an older Node does not have would end in a syntax error, not in the sentence below.
import nodeModule from 'node:module'

/**
 * A run makes much garbage a call. Left alone, Node lets it pile up to hundreds of megabytes before it looks for what is still
 * in use, which is a tenth; looking sooner costs some hundredths of a millisecond a call.
 */
async function collectGarbageSooner(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--optimize-for-size')
  // By so much the memory may grow from one collection to the next.
  setFlagsFromString('--heap-growing-percent=10')
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 16)) {
  process.stderr.write(`benchmaker needs Node 22.16 or newer (24 is best); this is ${process.versions.node}.\n`)
  process.exitCode = 2
} else {
  nodeModule.enableCompileCache()
  if (['run', 'resume'].some((command) => process.argv.includes(command))) await collectGarbageSooner()
  // Loaded afterwards: an older Node could not even parse it.
  const { loadEnvironmentFile, runProgram } = await import('./program.ts')
  loadEnvironmentFile()
  process.exitCode = await runProgram(process.argv.slice(2))
}
