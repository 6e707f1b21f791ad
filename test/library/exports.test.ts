import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const listed: Record<string, string[]> = JSON.parse(readFileSync(join(import.meta.dirname, 'exports.json'), 'utf8'))

// A name that goes breaks someone's program, and one that comes has to stay: both are decided in exports.json.
it.each(Object.keys(listed))('benchmaker/%s exports the listed names and no other', async (entry) => {
  expect(Object.keys(await import(join(root, `dist/library/${entry}.js`))).sort()).toEqual(listed[entry])
})
