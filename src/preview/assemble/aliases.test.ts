import { expect, it } from 'vitest'
import { applyAlias, readAliases } from './aliases.ts'

const file = (name: string, code: string) => ({
  name,
  code,
  kind: 'ts' as const,
  language: 'ts',
  isNamed: true,
  isComplete: true,
})

it('folders are found by the names that vite.config and tsconfig give them', () => {
  const aliases = readAliases([
    file(
      'vite.config.ts',
      `export default defineConfig({ plugins: [react()], resolve: { alias: { '#ui': path.resolve(__dirname, './src/ui'), "@lib": fileURLToPath(new URL('./src/lib', import.meta.url)), hooks: '/src/hooks' } } })`,
    ),
    file(
      'tsconfig.app.json',
      `{ "compilerOptions": { "baseUrl": ".", "paths": { "~api/*": ["./src/api/*"], "$store": ["src/store.ts"] } } }`,
    ),
  ])
  expect(Object.fromEntries(aliases)).toEqual({
    '#ui': 'src/ui',
    '@lib': 'src/lib',
    hooks: 'src/hooks',
    '~api': 'src/api',
    $store: 'src/store.ts',
  })
  expect(applyAlias('#ui/Button', aliases)).toBe('/src/ui/Button')
  expect(applyAlias('$store', aliases)).toBe('/src/store.ts')
  expect(applyAlias('hooks-of-others', aliases)).toBe('hooks-of-others')
})
