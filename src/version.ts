import { readFileSync } from 'node:fs'

const metadata: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The build replaces this by the version itself (`tools/embedded-modules.ts`): a user's bundle has no package.json. */
export const version = metadata.version
