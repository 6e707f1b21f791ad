import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { environmentVariables } from './environment-variables.ts'

const root = join(import.meta.dirname, '../..')

/** `BENCHMAKER_` and a name; a name that ends in `_` is a prefix in a sentence or pattern. */
function findNames(files: readonly string[]): string[] {
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'))
  return [...new Set(texts.flatMap((text) => text.match(/BENCHMAKER_[A-Z_]*[A-Z]/g) ?? []))].sort()
}

it('lists every variable that the program reads: the reference is drawn from it', () => {
  const sources = globSync(['src/**/*.{ts,tsx}', 'bin/*'], { cwd: root }).filter(
    (file) => !/\.test\.tsx?$|\/testing\/|environment-variables\.ts$/.test(file),
  )
  expect(environmentVariables.map(({ name }) => name).sort()).toEqual(findNames(sources))
})
