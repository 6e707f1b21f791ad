/**
 * Builds dist/: a bundle with lazy chunks for the program, another for the library, the web app, the documentation, types,
 * and the names and licences of everything bundled; and packages/previews/dist, the files of the package benchmaker-previews.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as buildWeb } from 'vite'
import { buildFonts } from '../src/preview/vendor/build-fonts.ts'
import { buildVendor } from '../src/preview/vendor/build-vendor.ts'
import { bundleLibrary } from './bundle-library.ts'
import { bundleCompilers, bundleProgram } from './bundle.ts'
import { embedModules } from './embedded-modules.ts'
import { buildSite } from './site/build-site.ts'
import { writeReference } from './site/reference/reference.ts'
import { writeThirdParties } from './third-parties.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const previews = join(root, 'packages/previews/dist')
const stamp = join(dist, '.setup')
const startedAt = new Date()

for (const folder of [dist, previews]) rmSync(folder, { recursive: true, force: true })

// On a core of its own, while the rest is bundled.
const types = once(
  spawn(join(root, 'node_modules/.bin/tsc'), ['-b', '--force'], { cwd: root, stdio: 'inherit' }),
  'exit',
)

const embedded = await embedModules(root)
const output = [
  ...(await bundleProgram(root, dist, embedded.plugin)),
  ...(await bundleLibrary(root, dist, embedded.plugin)),
]

const web = [await buildWeb({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' })].flat()

const compilers = await bundleCompilers(root, previews)
const vendor = await buildVendor(join(previews, 'vendor'))
const fonts = await buildFonts(join(previews, 'fonts'))
copyFileSync(join(root, 'LICENSE'), join(previews, 'LICENSE'))
writeThirdParties(root, join(previews, '..'), [...listModules(compilers), ...vendor.moduleIds, ...fonts.moduleIds])

const [tscStatus]: (number | null)[] = await types
if (tscStatus !== 0) process.exit(1)

// The library's reference reads the types.
const site = await buildSite({ root, output: join(dist, 'web/help'), reference: writeReference(root) })

const bundled = [output, ...web.map((built) => ('output' in built ? built.output : []))].flat()
writeThirdParties(root, root, [...embedded.moduleIds, ...site.moduleIds, ...listModules(bundled)])

// The stamp has the time the build started: a file saved during the build is newer and triggers another build.
const temporary = `${stamp}.new`
writeFileSync(temporary, startedAt.toISOString())
utimesSync(temporary, startedAt, startedAt)
renameSync(temporary, stamp)

function listModules(chunks: readonly object[]): string[] {
  return chunks.flatMap((item) => ('moduleIds' in item && Array.isArray(item.moduleIds) ? item.moduleIds : []))
}
