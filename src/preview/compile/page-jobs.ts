import { vendorScript } from '../assemble/assemble-html.ts'
import { assemblePage, type AssembledPage } from '../assemble/assemble-page.ts'
import { warmUpCompilers } from '../assemble/compile-script.ts'
import { addEarlyStyles } from '../assemble/early-styles.ts'
import { insertFirst } from '../assemble/write-html.ts'
import type { ExtractedCode } from '../extract/code-file.ts'
import { extractCode } from '../extract/extract-code.ts'
import { savedPageStart } from '../preview-headers.ts'
import { openPagePackages, type WantedBundle } from '../packages/page-packages.ts'
import type { PackageBundle } from '../packages/bundle.ts'
import type { PageFiles, VendorReader } from '../vendor/vendor-files.ts'
import { VENDOR_PATH, vendoredFiles } from '../vendor/vendored-files.ts'

/** Work on code that a model wrote: it may take forever, or all memory. */
export type PageJob =
  | {
      kind: 'assemble'
      response: string
      isComplete: boolean
      earlier?: readonly string[] | undefined
      alternative?: number | undefined
      /** What the page wanted when it was assembled before. */
      made?: (WantedBundle & { bundle: PackageBundle }) | undefined
    }
  | { kind: 'embed-styles'; html: string }
  | { kind: 'embed-scripts'; html: string }
  | { kind: 'warm-up' }

export type PageResult = { extracted: ExtractedCode } | { page: AssembledPage } | { html: string }

async function embedScript(html: string, name: string, readVendor: VendorReader): Promise<string> {
  const tag = vendorScript(name.replace(/\.js$/, ''))
  if (!html.includes(tag)) return html
  // This script only replaces what a frame without an origin lacks; a saved page does not need it.
  if (name === 'bootstrap.js') return html.replace(tag, '')
  const script = await readVendor(name).catch(() => undefined)
  if (script === undefined) return html
  const code = script.toString('utf8').replaceAll(/<(\/script|!--)/gi, '<\\$1')
  return html.replace(tag, () => `<script>${code}</script>`)
}

/** What was installed for pages, as a page loads it. */
const BUNDLE = new RegExp(`src="${VENDOR_PATH}(package-[0-9a-f]+\\.js)"`, 'g')

/** Calls `onResult` with each part of the result as soon as it is known. Without benchmaker-previews there is only the code. */
export async function runPageJob(
  job: PageJob,
  { previews, packages, readVendor }: PageFiles & { readVendor: VendorReader },
  onResult: (result: PageResult) => void,
): Promise<void> {
  if (job.kind === 'assemble') {
    const { response, made, ...options } = job
    const extracted = extractCode(response, options)
    onResult({ extracted })
    if (previews !== undefined)
      onResult({ page: await assemblePage(extracted, await openPagePackages(packages, made)) })
    return
  }
  if (previews === undefined) return
  const embedStyles = (html: string) =>
    addEarlyStyles(html, async () => (await readVendor('tailwind.css')).toString('utf8'))
  if (job.kind === 'embed-styles') {
    onResult({ html: await embedStyles(job.html) })
  } else if (job.kind === 'embed-scripts') {
    let { html } = job
    const bundles = [...html.matchAll(BUNDLE)].map(([, name]) => name!)
    const served = vendoredFiles.flatMap(({ name, isServed }) => (isServed ? [name] : []))
    for (const name of new Set([...served, ...bundles])) html = await embedScript(html, name, readVendor)
    onResult({ html: insertFirst(html, `${savedPageStart}\n`) })
  } else {
    await Promise.all([warmUpCompilers(), embedStyles(vendorScript('tailwind'))])
  }
}
