import { z } from 'zod'
import { vendors } from '../../../src/contract/ports/vendors.ts'
import { runRequestSchema } from '../../../src/contract/runs/run-request.ts'
import { formats } from '../../../src/report/formats.ts'
import { environmentVariables } from '../../../src/settings/environment-variables.ts'
import type { GeneratedPage } from '../build-site.ts'
import { code, plain, table } from './markdown-tables.ts'
import { writeFields, type JsonSchema } from './schema-fields.ts'

/** What a run is asked for, from the schema that both doors fill. */
export function writeRunRequest(): GeneratedPage {
  const schema = z.toJSONSchema(runRequestSchema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return {
    path: 'reference/run-request.md',
    summary: 'what is stored of every run, and can be asked for.',
    markdown: `# Run requests\n\nThe terminal, the web app and the library all fill this request. It is stored with every run, in exports under \`request\`, and \`benchmaker resume\` reads nothing else.\n\n${writeFields(schema)}`,
  }
}

export function writeFormats(): GeneratedPage {
  const rows = formats.map(({ name, label, extension, mediaType }) => [
    code(name),
    plain(label),
    code(extension),
    code(mediaType),
  ])
  return {
    path: 'reference/report-formats.md',
    summary: 'the formats in which results can be exported.',
    markdown: [
      '# Report formats',
      '`benchmaker export RUN --out FILE` and `run --out FILE` choose the format by the extension; `--format NAME` writes it to stdout. The web app has the same formats under Export, and the library `writeReport`.',
      table(['name', 'what it is', 'extension', 'media type'], rows),
    ].join('\n\n'),
  }
}

export function writeProviders(): GeneratedPage {
  const rows = vendors.map(({ name, label, variables }) => [
    plain(label),
    code(`${name}/…`),
    variables.map((variable) => code(variable)).join(' or '),
  ])
  return {
    path: 'reference/providers.md',
    summary: 'where models are asked, and which key each needs.',
    markdown: [
      '# Providers',
      'A model is named `provider/model`. Without a key of its own provider, a model such as `openai/gpt-4o` is asked through OpenRouter.',
      table(['provider', 'models', 'key'], rows),
      'Also without a key: `demo/good`, `demo/fair` and `demo/poor` (simulated), `ollama/…` (a local Ollama), and any OpenAI-compatible server with `--base-url` (its key, if it needs one: `BENCHMAKER_API_KEY`) or saved as an endpoint in Settings.',
    ].join('\n\n'),
  }
}

export function writeEnvironment(): GeneratedPage {
  const rows = environmentVariables.map(({ name, meaning }) => [code(name), plain(meaning)])
  const keys = vendors.flatMap(({ label, variables }) =>
    variables.map((variable) => [code(variable), `the key of ${plain(label)}`]),
  )
  return {
    path: 'reference/environment.md',
    summary: 'every environment variable.',
    markdown: [
      '# Environment variables',
      table(['variable', 'meaning'], rows),
      '## Keys',
      'These may also be in an `.env` file in the current folder. Variables take precedence over keys saved in Settings.',
      table(['variable', 'meaning'], keys),
    ].join('\n\n'),
  }
}
