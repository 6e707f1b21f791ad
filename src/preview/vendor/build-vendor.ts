/** Builds the files that previews load: `buildVendor('dist/vendor')`. For the build and the tests, not for the program. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { iconData } from './icon-data.ts'
import { libraries, type Library } from './libraries.ts'
import { writeLibraryEntry, shareLibraries } from './library-entry.ts'
import { writeStyleScript } from './style-script.ts'
import { vendoredFiles } from './vendored-files.ts'

const require = createRequire(import.meta.url)

async function bundle(input: string, plugins: Plugin[]): Promise<{ code: string; moduleIds: string[] }> {
  const made = await rolldown({
    input,
    platform: 'browser',
    plugins: [iconData, ...plugins],
    moduleTypes: { '.png': 'dataurl' },
    resolve: { conditionNames: ['production', 'browser', 'module', 'default'] },
    transform: {
      define: {
        'process.env.NODE_ENV': '"production"',
        // Scripts have neither; what is left loads files that pages cannot have.
        'import.meta.url': 'location.href',
        'import.meta.hot': 'undefined',
        'import.meta.env': '{ MODE: "production" }',
        __VUE_PROD_DEVTOOLS__: 'false',
      },
    },
    checks: { eval: false, pluginTimings: false },
    // React's directives mean nothing outside a server; packages begin with them.
    onLog: (level, log, write) => {
      if (log.code !== 'MODULE_LEVEL_DIRECTIVE') write(level, log)
    },
  })
  const { output } = await made.generate({ format: 'iife', minify: true, comments: false, codeSplitting: false })
  await made.close()
  return { code: output[0].code, moduleIds: output[0].moduleIds }
}

async function makeLibrary(library: Library): Promise<{ code: string; moduleIds: string[] }> {
  if (library.styles !== undefined) {
    const source = require.resolve(library.styles)
    return { code: writeStyleScript(source, readFileSync(source, 'utf8')), moduleIds: [source] }
  }
  const entry = `virtual:${library.name}`
  return bundle(entry, [
    {
      name: 'library-entry',
      resolveId: (id) => (id === entry ? id : undefined),
      load: (id) => (id === entry ? writeLibraryEntry(library) : undefined),
    },
    shareLibraries(library),
  ])
}

/** Writes every vendored file into the folder; returns the modules in them, for their licences. */
export async function buildVendor(outDir: string): Promise<{ moduleIds: string[] }> {
  mkdirSync(outDir, { recursive: true })
  const moduleIds: string[] = []
  await Promise.all(
    vendoredFiles.map(async ({ name, entry = '', make }) => {
      if (make === 'copy') {
        const source = require.resolve(entry)
        copyFileSync(source, join(outDir, name))
        moduleIds.push(source)
        return
      }
      const library = libraries.find((candidate) => `${candidate.name}.js` === name)
      const made = library ? await makeLibrary(library) : await bundle(join(import.meta.dirname, entry), [])
      writeFileSync(join(outDir, name), made.code)
      moduleIds.push(...made.moduleIds)
    }),
  )
  return { moduleIds }
}
