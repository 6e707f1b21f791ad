import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The JavaScript engine of the isolate. The build embeds it here (`tools/embedded-modules.ts`). */
export function readIsolateWasm(): Uint8Array<ArrayBuffer> {
  return readFileSync(createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'))
}
