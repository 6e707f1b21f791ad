import type { ModelInfo } from '../contract/index.ts'
import { composeApp, type AppOptions } from './compose.ts'
import type { Terminal } from './terminal.ts'
import { cleanText, formatTable, shorten } from './text-table.ts'

interface ModelsOptions extends AppOptions {
  provider?: string
  search?: string
  json?: boolean
}

/** US dollars for a million tokens: how prices are talked about. */
function formatPrice(price: number | undefined): string {
  return price === undefined ? 'unknown' : `$${Number((price * 1e6).toPrecision(4))}`
}

function describeModel({ id, name = '', contextLength, promptPrice, completionPrice }: ModelInfo, columns: number): string[] {
  return [
    cleanText(id),
    shorten(cleanText(name), Math.max(16, columns - 90)),
    contextLength === undefined ? '' : contextLength.toLocaleString('en'),
    formatPrice(promptPrice),
    formatPrice(completionPrice),
  ]
}

/** `benchmaker models` */
export async function listModels(options: ModelsOptions, terminal: Terminal): Promise<number> {
  const app = composeApp(options)
  try {
    const found: ModelInfo[] = []
    for (const client of app.listedClients(options.provider)) found.push(...(await client.listModels()))
    const wanted = options.search?.toLowerCase()
    const models = found.filter(({ id, name = '' }) => wanted === undefined || `${id} ${name}`.toLowerCase().includes(wanted))
    if (options.json) terminal.stdout.write(`${JSON.stringify({ models }, null, 2)}\n`)
    else {
      const columns = [{ title: 'Model' }, { title: 'Name' }, { title: 'Context', align: 'right' as const }, { title: '$/M in', align: 'right' as const }, { title: '$/M out', align: 'right' as const }]
      terminal.stdout.write(formatTable(columns, models.map((model) => describeModel(model, terminal.columns))))
      if (models.length === 0) terminal.stderr.write(`None of ${found.length} models matches.\n`)
    }
    return 0
  } finally {
    await app.close()
  }
}
