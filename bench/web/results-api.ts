/**
 * The results routes over 100,000 stored cells (10 models × 10,000 cases) in SQLite: time, size of the response, and how
 * long each blocks the event loop. Run: `node bench/web/results-api.ts [cases] [models]`
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { caseRoutes } from '../../src/server/results/cases/case-routes.ts'
import { compareRoutes } from '../../src/server/results/compare/compare-routes.ts'
import { overviewRoutes } from '../../src/server/results/overview/overview-routes.ts'
import { resultsRoutes } from '../../src/server/results/routes.ts'
import { startRouteServer } from '../../src/server/testing/route-server.ts'
import { importRun } from '../../src/services/index.ts'
import { formatTime } from '../measure.ts'
import { makeLargeRun } from './large-run.ts'

const [cases = 10_000, modelCount = 10] = process.argv.slice(2).map(Number)
const models = Array.from({ length: modelCount }, (_, index) => `lab/model-${index}`)
const server = await startRouteServer([resultsRoutes, caseRoutes, overviewRoutes, compareRoutes])
for (const id of ['large', 'again']) await importRun(makeLargeRun(id, { cases, models }), server.storage, Date.now())
console.log(`${(cases * modelCount).toLocaleString('en')} cells per run are stored`)

const delay = monitorEventLoopDelay({ resolution: 1 })

async function measure(label: string, path: string): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50))
  delay.reset()
  delay.enable()
  const start = performance.now()
  const reply = await server.request(path)
  let size = 0
  for await (const piece of reply.body ?? []) size += piece.byteLength
  const took = performance.now() - start
  await new Promise((resolve) => setTimeout(resolve, 20))
  delay.disable()
  console.log(
    `${label}: ${formatTime(took)}, ${(size / 1000).toFixed(0)} kB, blocked at most ${formatTime(delay.max / 1e6)}${reply.ok ? '' : `  ${reply.status}`}`,
  )
}

await measure('figures, first time', '/results/large')
const waited = performance.now()
while ((await (await server.request('/results/large')).text()).includes('"pendingComparisons":true'))
  await new Promise((resolve) => setTimeout(resolve, 100))
console.log(
  `comparisons of ${(modelCount * (modelCount - 1)) / 2} pairs: ${formatTime(performance.now() - waited)} later`,
)
await measure('figures, cached', '/results/large')
await measure('telling failures', '/results/large/failures')
await measure('cases, first page', '/results/large/cases?limit=100')
await measure('cases, by disagreement', '/results/large/cases?limit=100&sort=spread')
await measure('cases, last page', `/results/large/cases?limit=100&offset=${cases - 100}`)
await measure('cases, failed, with a tag', '/results/large/cases?limit=100&state=failed&tag=tag%203')
await measure('cases, 200 at once', '/results/large/cases?limit=200')
await measure('cases, first page with answers', '/results/large/cases?limit=100&answers=1')
await measure('groups by tag', '/results/large/groups?by=tag')
await measure('figures of one tag', '/results/large?group=tag%3Atag%203')
await measure('search in prompts and answers', '/results/large/cases?limit=100&search=case-9999')
await measure('one case', '/results/large/case?id=case-500')
await measure('two models', `/results/large/compare?a=${models[0]}&b=${models[1]}`)
await measure('two runs, first time', '/compare?a=large&b=again')
await measure('export as CSV', '/results/large/export?format=csv')
await server.close()
