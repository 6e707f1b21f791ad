/** `npm run bench` lists the benchmarks; `npm run bench -- engine/runs start` runs one, with its arguments. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../bench')
/** A benchmark's opening comment says how it is run; other files are parts of benchmarks. */
const benchmarks = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .sort()
  .flatMap((file) => {
    const comment = file.endsWith('.ts') ? /^\/\*\*(.*?)\*\//s.exec(readFileSync(join(folder, file), 'utf8'))?.[1] : ''
    return comment?.includes(`node bench/${file}`)
      ? [{ name: file.slice(0, -'.ts'.length), about: comment.replace(/\n? +\*/g, '').trim() }]
      : []
  })

const [chosen, ...args] = process.argv.slice(2)
if (chosen === undefined) {
  for (const { name, about } of benchmarks) process.stdout.write(`${name}\n  ${about}\n\n`)
} else if (benchmarks.some(({ name }) => name === chosen)) {
  process.exitCode =
    spawnSync(process.execPath, [join(folder, `${chosen}.ts`), ...args], { stdio: 'inherit' }).status ?? 1
} else {
  process.stderr.write(`There is no benchmark ${chosen}; there are ${benchmarks.map(({ name }) => name).join(', ')}.\n`)
  process.exitCode = 2
}
