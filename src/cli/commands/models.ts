import { InputError, type Client, type ModelInfo, messageOf } from '../../contract/index.ts'
import type { Table } from '../../report/tables/table.ts'
import { formatContext, formatCount, formatPrice, shortenName } from '../../report/words/index.ts'
import { composeApp, type App, type AppOptions } from '../compose.ts'
import { printWarnings } from '../output/notice.ts'
import { printJson, type Terminal } from '../output/terminal.ts'
import { cleanText, drawTable } from '../output/text-table.ts'

interface ModelsOptions extends AppOptions {
  provider?: string
  search?: string
  json?: boolean
}

/** Every row is as wide as the longest name. No model with a longer one can be asked. */
const MAX_NAME_LENGTH = 300

const modelTable: Table<ModelInfo> = [
  { key: 'model', label: 'Model', role: 'name', cut: 'middle', text: ({ id }) => shortenName(id, MAX_NAME_LENGTH) },
  {
    key: 'name',
    label: 'Name',
    cut: 'middle',
    isObvious: true,
    text: ({ name = '' }) => shortenName(name, MAX_NAME_LENGTH),
  },
  { key: 'context', label: 'Context', align: 'end', text: ({ contextLength }) => formatContext(contextLength) },
  { key: 'in', label: '$/M in', align: 'end', text: ({ promptPrice }) => formatPrice(promptPrice) },
  { key: 'out', label: '$/M out', align: 'end', text: ({ completionPrice }) => formatPrice(completionPrice) },
]

function findClients(app: App, provider: string | undefined): Client[] {
  const clients = app.listedClients(provider)
  if (clients.length > 0) return clients
  const available = [...new Set(app.listedClients().map((client) => client.provider))]
  throw new InputError(
    `no provider ${cleanText(provider ?? '')} is available, only ${available.map(cleanText).join(', ')}; others need a key (benchmaker doctor shows which keys are set)`,
  )
}

/** `benchmaker models` */
export async function listModels(options: ModelsOptions, terminal: Terminal): Promise<number> {
  const app = await composeApp({ ...options, warn: (warning) => printWarnings([warning], terminal) })
  try {
    const clients = findClients(app, options.provider)
    const found: ModelInfo[] = []
    for (const client of clients) {
      const models = await client.listModels().catch((error: unknown) => {
        if (clients.length === 1) throw error
        // One unreachable endpoint must not hide the models of the others.
        terminal.stderr.write(`warning: ${cleanText(client.provider)}: ${cleanText(messageOf(error))}\n`)
        return []
      })
      found.push(...models)
    }
    const wanted = options.search?.toLowerCase()
    const models = found.filter(
      ({ id, name = '' }) => wanted === undefined || `${id} ${name}`.toLowerCase().includes(wanted),
    )
    if (options.json) printJson({ models }, terminal)
    else {
      terminal.stdout.write(drawTable(modelTable, models, terminal))
      if (models.length === 0) terminal.stderr.write(`None of ${formatCount(found.length, 'model')} match.\n`)
    }
    return 0
  } finally {
    await app.close()
  }
}
