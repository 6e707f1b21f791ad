import { join } from 'node:path'

/** As users start it: from its source it would take five times the processor time to start. */
export const builtProgram = join(import.meta.dirname, '../../../dist/cli.js')
