import { InputError, type Client, type ModelInfo, messageOf } from '../../contract/index.ts'
import { formatContext, formatCount, formatPrice, shortenName } from '../../report/words/index.ts'
import { composeApp, type App, type AppOptions } from '../compose.ts'
import { printWarnings } from '../output/print-warnings.ts'
import { printJson, type Terminal } from '../output/terminal.ts'
import { cleanText, drawTable } from '../output/text-table.ts'

interface ModelsOptions extends AppOptions {
  provider?: string
  search?: string
  json?: boolean
}

/** Every row is as wide as the longest name. No model with a longer one can be asked. */
const MAX_NAME_LENGTH = 300

const cleanName = (name: string): string => shortenName(cleanText(name), MAX_NAME_LENGTH)

function toRow({ id, name = '', contextLength, promptPrice, completionPrice }: ModelInfo): string[] {
  return [
    cleanName(id),
    cleanName(name),
    formatContext(contextLength),
    formatPrice(promptPrice),
    formatPrice(completionPrice),
  ]
}

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
      const columns = [
        { title: 'Model', cut: 'middle' as const },
        { title: 'Name', cut: 'middle' as const, isObvious: true },
        { title: 'Context', align: 'right' as const },
        { title: '$/M in', align: 'right' as const },
        { title: '$/M out', align: 'right' as const },
      ]
      terminal.stdout.write(drawTable(columns, models.map(toRow), terminal))
      if (models.length === 0) terminal.stderr.write(`None of ${formatCount(found.length, 'model')} match.\n`)
    }
    return 0
  } finally {
    await app.close()
  }
}
