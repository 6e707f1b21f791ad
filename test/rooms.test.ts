import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rooms } from '../tools/rooms.ts'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)
const roomNames = Object.keys(rooms)
const pureRooms = roomNames.filter((room) => rooms[room]!.pure)
let folder: string

function plant(path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-rooms-'))
  for (const part of ['oxlint.config.ts', 'tsconfig.base.json', 'tools', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The rules that each planted file breaks, according to the real linter. */
async function lint(): Promise<Map<string, string[]>> {
  const { stdout } = await run(join(root, 'node_modules/.bin/oxlint'), ['--format=json', 'src'], { cwd: folder }).catch(
    (failed) => failed,
  )
  const { diagnostics }: { diagnostics: { filename: string; code: string }[] } = JSON.parse(stdout)
  const codes = new Map<string, string[]>()
  for (const { filename, code } of diagnostics) codes.set(filename, [...(codes.get(filename) ?? []), code])
  return codes
}

describe('the import table', () => {
  it('names every room', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map(({ name }) => name).sort()).toEqual(roomNames.toSorted())
  })

  it('is enforced: a planted import is caught exactly where the table forbids it', async () => {
    const expected: string[] = []
    for (const room of roomNames)
      for (const other of roomNames.filter((name) => name !== room)) {
        const isForbidden = !rooms[room]!.imports.includes(other)
        const plants = {
          [`src/${room}/static-${other}.ts`]: `import { x } from '../${other}/index.ts'\nexport const y = x\n`,
          [`src/${room}/export-${other}.ts`]: `export { x } from '../${other}/index.ts'\n`,
          [`src/${room}/lazy-${other}.ts`]: `export const load = () => import('../${other}/index.ts')\n`,
          [`src/${room}/deep/${other}.ts`]: `import { x } from '../../${other}/index.ts'\nexport const y = x\n`,
          [`src/${room}/deep/deeper/${other}.ts`]: `import { x } from '../../../${other}/index.ts'\nexport const y = x\n`,
          [`src/${room}/deep/View-${other}.tsx`]: `import { x } from '../../${other}/index.ts'\nexport const y = x\n`,
        }
        for (const [path, text] of Object.entries(plants)) {
          plant(path, text)
          if (isForbidden) expected.push(path)
        }
        // A subfolder may have the name of another room.
        plant(`src/${room}/deep/own-${other}.ts`, `import { x } from '../${other}/x.ts'\nexport const y = x\n`)
        const typed = `src/${room}/typed-${other}.ts`
        plant(typed, `import type { X } from '../${other}/index.ts'\nexport type Y = X\n`)
        if (isForbidden && !rooms[room]!.types?.includes(other)) expected.push(typed)
      }
    const caught = [...(await lint())]
      .filter(([, codes]) => codes.includes('eslint(no-restricted-imports)'))
      .map(([file]) => file)
    expect(caught.sort()).toEqual(expected.sort())
    expect(expected.length).toBeGreaterThan(roomNames.length)
  })

  it('no room may import the library itself', async () => {
    for (const room of roomNames) {
      plant(`src/${room}/face.ts`, "import { x } from '../index.ts'\nexport const y = x\n")
      plant(`src/${room}/deep/face.ts`, "import { x } from '../../index.ts'\nexport const y = x\n")
      plant(`src/${room}/deep/own-list.ts`, "import { x } from '../index.ts'\nexport const y = x\n")
    }
    const found = await lint()
    for (const room of roomNames) {
      const isCaught = (file: string) =>
        found.get(`src/${room}/${file}`)?.includes('eslint(no-restricted-imports)') ?? false
      expect([room, isCaught('face.ts'), isCaught('deep/face.ts'), isCaught('deep/own-list.ts')]).toEqual([
        room,
        true,
        true,
        false,
      ])
    }
  })

  it('pure rooms may not read the clock, use randomness or import Node modules', async () => {
    const plants = {
      'clock.ts': ['export const t = () => Date.now()\n', 'eslint(no-restricted-properties)'],
      'date.ts': ['export const t = () => new Date()\n', 'house(no-clock-date)'],
      'dice.ts': ['export const t = () => Math.random()\n', 'eslint(no-restricted-properties)'],
      'file.ts': [
        "import { readFileSync } from 'node:fs'\nexport const t = readFileSync\n",
        'eslint(no-restricted-imports)',
      ],
    } as const
    for (const room of roomNames)
      for (const [file, [text]] of Object.entries(plants)) plant(`src/${room}/${file}`, text)
    const found = await lint()
    for (const room of roomNames)
      for (const [file, [, code]] of Object.entries(plants)) {
        const codes = found.get(`src/${room}/${file}`) ?? []
        expect([room, file, codes.includes(code)]).toEqual([room, file, pureRooms.includes(room)])
      }
  })

  it('numbers, times and verdicts are worded in src/report/words only', async () => {
    const number = 'house(no-number-format)'
    const verdict = 'house(no-verdict-words)'
    const plants: Record<string, [text: string, ...codes: string[]]> = {
      'fixed.ts': ['export const t = (x: number) => x.toFixed(1)\n', number],
      'locale.ts': ["export const t = (x: number) => x.toLocaleString('en')\n", number],
      'intl.ts': ["export const t = new Intl.NumberFormat('en')\n", number],
      'date.ts': ["export const t = Intl.DateTimeFormat('en')\n", number],
      'round.ts': ['export const t = (x: number) => Number(x.toFixed(2))\n'],
      'literal.ts': ["export const t = 'a beats b'\n", verdict],
      'template.ts': ['export const t = (a: string) => `${a} is too close to call`\n', verdict],
      'screen.tsx': ['export const t = <p>They are practically the same.</p>\n', verdict],
      'name.ts': ['export const t = (beats: boolean) => beats\n'],
    }
    const folders = ['src/report/words', 'src/report/planted', 'src/cli/planted', 'src/server/planted']
    for (const folderOfWords of folders)
      for (const [file, [text]] of Object.entries(plants)) plant(`${folderOfWords}/${file}`, text)
    const found = await lint()
    for (const planted of folders)
      for (const [file, [, ...codes]] of Object.entries(plants)) {
        const caught = (found.get(`${planted}/${file}`) ?? []).filter((code) => code === number || code === verdict)
        expect([planted, file, [...new Set(caught)]]).toEqual([planted, file, planted.endsWith('words') ? [] : codes])
      }
  })

  it('files that import each other are caught', async () => {
    plant('src/cli/one.ts', "import { b } from './two.ts'\nexport const a = () => b\n")
    plant('src/cli/two.ts', "import { a } from './one.ts'\nexport const b = () => a\n")
    expect((await lint()).get('src/cli/one.ts')).toContain('import(no-cycle)')
  })
})

it.each(pureRooms)('%s compiles with neither Node nor DOM types', async (room) => {
  const config = JSON.parse(readFileSync(join(root, 'src', room, 'tsconfig.json'), 'utf8'))
  plant(`types/${room}/tsconfig.json`, JSON.stringify({ ...config, include: ['planted.ts'], references: [] }))
  plant(`types/${room}/planted.ts`, 'export const impure = [process, document, setTimeout, console, Buffer]\n')
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', `types/${room}`], { cwd: folder }).catch(
    (failed) => failed,
  )
  for (const name of ['process', 'document', 'setTimeout', 'console', 'Buffer'])
    expect(stdout).toContain(`Cannot find name '${name}'`)
})
