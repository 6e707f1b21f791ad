import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vendorScript } from '../assemble/assemble-html.ts'
import { assemblePage, type AssembledPage } from '../assemble/assemble-page.ts'
import { warmUpCompilers } from '../assemble/compile-script.ts'
import { addEarlyStyles } from '../assemble/early-styles.ts'
import { insertFirst } from '../assemble/write-html.ts'
import type { ExtractedCode } from '../extract/code-file.ts'
import { extractCode } from '../extract/extract-code.ts'
import { savedPageStart } from '../preview-headers.ts'
import { vendoredFiles } from '../vendor/vendored-files.ts'

/** Work on code that a model wrote: it may take forever, or all memory. */
export type PageJob =
  | {
      kind: 'assemble'
      response: string
      isComplete: boolean
      earlier?: readonly string[] | undefined
      alternative?: number | undefined
    }
  | { kind: 'embed-styles'; html: string }
  | { kind: 'embed-scripts'; html: string }
  | { kind: 'warm-up' }

export type PageResult = { extracted: ExtractedCode } | { page: AssembledPage } | { html: string }

const vendor = new Map<string, Promise<string>>()

function readVendor(previews: string, name: string): Promise<string> {
  const path = join(previews, 'vendor', name)
  const text = vendor.get(path) ?? readFile(path, 'utf8')
  vendor.set(path, text)
  text.catch(() => vendor.delete(path))
  return text
}

async function embedScript(html: string, name: string, previews: string): Promise<string> {
  const tag = vendorScript(name.replace(/\.js$/, ''))
  if (!html.includes(tag)) return html
  // This script only replaces what a frame without an origin lacks; a saved page does not need it.
  if (name === 'bootstrap.js') return html.replace(tag, '')
  const script = await readVendor(previews, name).catch(() => undefined)
  if (script === undefined) return html
  const code = script.replaceAll(/<(\/script|!--)/gi, '<\\$1')
  return html.replace(tag, () => `<script>${code}</script>`)
}

/** Calls `onResult` with each part of the result as soon as it is known. Without benchmaker-previews there is only the code. */
export async function runPageJob(
  job: PageJob,
  previews: string | undefined,
  onResult: (result: PageResult) => void,
): Promise<void> {
  if (job.kind === 'assemble') {
    const { response, ...options } = job
    const extracted = extractCode(response, options)
    onResult({ extracted })
    if (previews !== undefined) onResult({ page: await assemblePage(extracted) })
    return
  }
  if (previews === undefined) return
  const embedStyles = (html: string) => addEarlyStyles(html, () => readVendor(previews, 'tailwind.css'))
  if (job.kind === 'embed-styles') {
    onResult({ html: await embedStyles(job.html) })
  } else if (job.kind === 'embed-scripts') {
    let { html } = job
    for (const { name, isServed } of vendoredFiles) if (isServed) html = await embedScript(html, name, previews)
    onResult({ html: insertFirst(html, `${savedPageStart}\n`) })
  } else {
    await Promise.all([warmUpCompilers(), embedStyles(vendorScript('tailwind'))])
  }
}
