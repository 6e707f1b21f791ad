import { readFileSync } from 'node:fs'

const metadata: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The build writes the version itself here (`tools/embedded-modules.ts`): inside somebody else's bundle there is no package.json. */
export const version = metadata.version
