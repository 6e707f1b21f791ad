import { defineConfig, type OxlintOverride } from 'oxlint'
import { rooms } from './tools/rooms.ts'

const roomNames = Object.keys(rooms)

/** Folder depths inside a room. */
const DEPTHS = [0, 1, 2, 3, 4]

/** One override per depth, because relative paths to other rooms depend on it. */
function restrictRoom(room: string, depth: number): OxlintOverride {
  const { imports, types = [], pure } = rooms[room]!
  const forbidden = roomNames.filter((other) => other !== room && !imports.includes(other))
  const up = '../'.repeat(depth + 1)
  const files = `src/${room}/${'*/'.repeat(depth)}*.{ts,tsx}`
  return {
    files: [files],
    excludeFiles: ['**/*.test.ts', '**/*.test.tsx'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            ...forbidden.map((other) => ({
              group: [`${up}${other}/**`],
              allowTypeImports: types.includes(other),
              message: `src/${room} may not import src/${other}: see tools/rooms.ts.`,
            })),
            {
              group: [`${up}index.ts`],
              message: `src/${room} may not import the library's public entry: see tools/rooms.ts.`,
            },
            ...(pure
              ? [{ group: ['node:*'], message: `src/${room} is pure: take impure functions as arguments.` }]
              : []),
          ],
        },
      ],
      ...(pure && {
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: 'Pure room: take the time as an argument.' },
          { object: 'Math', property: 'random', message: 'Pure room: take the generator as an argument.' },
        ],
        'house/no-clock-date': 'error',
      }),
    },
  }
}

const importRules = roomNames.flatMap((room) => DEPTHS.map((depth) => restrictRoom(room, depth)))

export default defineConfig({
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'react', 'jsx-a11y'],
  jsPlugins: ['./tools/lint-plugin.mjs'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  ignorePatterns: ['dist/**', 'node_modules/**'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'off',
    'no-console': 'error',
    'no-await-in-loop': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-named-as-default': 'off',
    'import/no-unassigned-import': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'no-underscore-dangle': 'off',
    'oxc/no-map-spread': 'off',
    'unicorn/no-thenable': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'react/react-in-jsx-scope': 'off',
    // Tables take functions that draw their cells.
    'react/no-unstable-nested-components': ['error', { allowAsProps: true }],
    'jsx-a11y/prefer-tag-over-role': 'off',
    'jsx-a11y/control-has-associated-label': 'off',
    'jsx-a11y/no-noninteractive-tabindex': 'off',
  },
  overrides: [
    ...importRules,
    {
      files: ['src/**'],
      excludeFiles: [
        'src/report/words/**',
        'src/contract/numbers.ts',
        // The library's names of verdicts.
        'src/statistics/tests/equivalence.ts',
        '**/*.test.ts',
        '**/*.test.tsx',
        '**/testing/**',
      ],
      rules: { 'house/no-number-format': 'error', 'house/no-verdict-words': 'error' },
    },
    { files: ['tools/**', 'bench/**', 'test/**', 'integrations/**'], rules: { 'no-console': 'off' } },
  ],
})
