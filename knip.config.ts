import { readFileSync } from 'node:fs'
import type { KnipConfig } from 'knip'

type Names = Record<string, string>

function listDependencies(folder: string): string[] {
  const declared: { dependencies?: Names; devDependencies?: Names; optionalDependencies?: Names } = JSON.parse(
    readFileSync(`${folder}/package.json`, 'utf8'),
  )
  return Object.keys({ ...declared.dependencies, ...declared.devDependencies, ...declared.optionalDependencies })
}

/**
 * Files of the root use what other packages declare; knip looks for it in the root's package.json only.
 * `test/dependencies.test.ts` checks that it is used.
 */
const declaredElsewhere = ['packages/previews', 'tools', 'test'].flatMap(listDependencies)

export default {
  ignoreDependencies: [new RegExp(`^(?:${declaredElsewhere.join('|')})$`)],
  workspaces: {
    '.': {
      entry: [
        'src/cli/main.ts',
        'src/runner/scoring-thread.ts',
        'src/preview/compile/page-thread.ts',
        'src/server/results/selection/results-thread.ts',
        'src/preview/in-page/**/*.{ts,tsx}',
        'bench/*/*.ts',
      ],
      project: ['src/**/*.{ts,tsx,css}', 'bench/**/*.ts'],
      ignoreDependencies: ['@types/json-schema'],
      vite: true,
      vitest: true,
    },
    tools: { entry: ['*.{ts,mjs}', 'site/in-page/site.ts'], project: ['**/*.{ts,mjs}'] },
    test: { entry: ['**/*.test.ts', 'fakes/*-mcp-server.ts'], project: ['**/*.ts'] },
  },
} satisfies KnipConfig
