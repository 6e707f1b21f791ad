/** Writes what a package of ours contains of others: their licences, and a software bill of materials in CycloneDX. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

interface LockedPackage {
  version: string
  license?: string
  integrity?: string
}

interface Manifest {
  name: string
  version: string
  license?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/**
 * Writes THIRD-PARTY-NOTICES.txt and sbom.cdx.json next to the bundles of the package in `home`: what it declares, all of
 * which is bundled, and the packages of the bundled modules. Style sheets, fonts and drawings are in no list of modules.
 */
export function writeThirdParties(root: string, home: string, moduleIds: readonly string[]): void {
  const manifest = readManifest(home)
  const packageOf = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).map(
    (name) => [home, root].map((folder) => join(folder, 'node_modules', name)).find(existsSync) ?? name,
  )
  const bundled = moduleIds.flatMap((id) => packageOf.exec(id)?.[1] ?? [])
  const folders = [...new Set([...declared, ...bundled])].sort()
  writeFileSync(join(home, 'dist/THIRD-PARTY-NOTICES.txt'), collectNotices(folders))
  writeFileSync(
    join(home, 'dist/sbom.cdx.json'),
    `${JSON.stringify(listMaterials(root, manifest, folders), null, 1)}\n`,
  )
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

const COMMON_LICENSE = /^(?:MIT|ISC|0BSD|BSD-\d-Clause|Apache-2\.0)$/
const NO_TEXT = 'The packages above contain no licence text.'

function collectNotices(folders: readonly string[]): string {
  const notices = folders.map((folder) => {
    const { name, version, license = 'see below' } = readManifest(folder)
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|notice)(\.|$)/i.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8').trim())
    return { head: `${name} ${version} (${license})`, license, text: texts.join('\n\n') || NO_TEXT }
  })
  const special = notices.filter(({ license }) => !COMMON_LICENSE.test(license))
  // Many packages share an identical licence text.
  const byText = Map.groupBy(notices, ({ text }) => text)
  return [
    ['The packages above are under other licences than MIT, ISC, BSD or Apache 2.0.', special] as const,
    ...byText,
  ]
    .map(([text, group]) => `${group.map(({ head }) => head).join('\n')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** From the lockfile alone, and without a time or a random number: the same sources give the same bytes. */
function listMaterials(root: string, { name, version, license }: Manifest, folders: readonly string[]): object {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  const components = new Map(
    folders.map((folder) => {
      const locked = packages[relative(root, folder)]
      if (!locked) throw new Error(`${folder} is bundled, but is not in package-lock.json`)
      const component = describe(folder.split('/node_modules/').at(-1)!, locked)
      return [component['bom-ref'], component]
    }),
  )
  const whole = describe(name, { version, ...(license !== undefined && { license }) })
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { lifecycles: [{ phase: 'build' }], component: { ...whole, type: 'application' } },
    components: [...components.values()],
    dependencies: [{ ref: whole['bom-ref'], dependsOn: [...components.keys()] }],
  }
}

function describe(name: string, { version, license, integrity }: LockedPackage) {
  const [algorithm, hash = ''] = integrity?.split('-') ?? []
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license !== undefined && { licenses: [nameLicense(license)] }),
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    }),
  }
}

/** An identifier of SPDX, an expression of several, or a licence that has no identifier, such as gsap's. */
function nameLicense(license: string): object {
  if (/^[\w.+-]+$/.test(license)) return { license: { id: license } }
  return / (?:AND|OR|WITH) /.test(license) ? { expression: license } : { license: { name: license } }
}
