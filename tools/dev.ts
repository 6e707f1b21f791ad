/**
 * `npm run dev [-- options of serve]`: the program from its sources, started again when one changes, and the web app,
 * built again when one of its files changes: reload the page to see it.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')

// The documentation is in the same folder, so it is not emptied.
await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn', build: { watch: {}, emptyOutDir: false } })
const program = spawn(
  process.execPath,
  [
    // The server lists the files of the web app when it starts.
    ...['src', 'dist/web/index.html'].map((path) => `--watch-path=${join(root, path)}`),
    '--watch-preserve-output',
    join(root, 'src/cli/main.ts'),
    'serve',
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
)
program.on('exit', (code) => process.exit(code ?? 0))
