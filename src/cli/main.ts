// The default import: a named one that an older Node does not have would end in a syntax error, not in the sentence below.
import { existsSync } from 'node:fs'
import nodeModule from 'node:module'
import { join } from 'node:path'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 16)) {
  process.stderr.write(`benchmaker needs Node 22.16 or newer (24 is best); this is ${process.versions.node}.\n`)
  process.exitCode = 2
} else {
  // Made with the build, where that has been done for this user; elsewhere Node finds a place.
  const compiled = join(import.meta.dirname, 'compile-cache')
  const isThere = existsSync(compiled) && nodeModule.enableCompileCache(compiled).status === nodeModule.constants.compileCacheStatus.ENABLED
  if (!isThere) nodeModule.enableCompileCache()
  const args = process.argv.slice(2)
  const { prepareToLoad } = await import('./memory.ts')
  prepareToLoad(args)
  // Loaded afterwards: an older Node could not even parse it.
  const { loadEnvironmentFile, runProgram } = await import('./program.ts')
  loadEnvironmentFile()
  process.exitCode = await runProgram(args)
}
