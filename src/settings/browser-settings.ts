import { join } from 'node:path'
import { z } from 'zod'
import { readSandbox, type Sandbox } from '../contract/index.ts'
import { readPrivateJson, writePrivateFile } from './private-file.ts'

/** Whether Chromium opens model-written pages in its sandbox, and who decided it. */
export interface SandboxSetting {
  sandbox: Sandbox
  setBy: 'environment' | 'settings' | 'default'
}

const savedSchema = z.object({ sandbox: z.enum(['on', 'off']) })

/** A file and not a document: neither a shared database nor a restored backup may turn off this machine's sandbox. */
const fileIn = (dataFolder: string) => join(dataFolder, 'browser.json')

export function readSandboxSetting(
  dataFolder: string,
  env: Readonly<Record<string, string | undefined>>,
): SandboxSetting {
  const variable = readSandbox(env['BENCHMAKER_CHROMIUM_SANDBOX'])
  if (variable !== undefined) return { sandbox: variable, setBy: 'environment' }
  const saved = savedSchema.safeParse(readPrivateJson(fileIn(dataFolder))).data
  return saved ? { ...saved, setBy: 'settings' } : { sandbox: 'on', setBy: 'default' }
}

export function saveSandboxSetting(dataFolder: string, sandbox: Sandbox): void {
  writePrivateFile(fileIn(dataFolder), `${JSON.stringify({ sandbox })}\n`)
}
