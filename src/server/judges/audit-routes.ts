import { Hono } from 'hono'
import { auditRequestSchema } from '../../contract/index.ts'
import type { ServerContext } from '../context.ts'
import { checkJson } from '../http/read-body.ts'
import { createAudits } from './audits.ts'

/** Audits of judges. */
export function auditRoutes(context: ServerContext) {
  const audits = createAudits(context)

  return new Hono()
    .get('/audits', async (c) => c.json(await audits.list()))
    .post('/audits', checkJson(auditRequestSchema), async (c) => c.json(await audits.start(c.req.valid('json')), 201))
    .post('/audits/estimate', checkJson(auditRequestSchema), async (c) =>
      c.json(await audits.estimate(c.req.valid('json'))),
    )
    .get('/audits/:id', async (c) => c.json(await audits.find(c.req.param('id'))))
    .post('/audits/:id/stop', async (c) => c.json(audits.stop(c.req.param('id'))))
    .delete('/audits/:id', async (c) => {
      await audits.remove(c.req.param('id'))
      return c.json({})
    })
}

/** For the web app's client. */
export type AuditRoutes = ReturnType<typeof auditRoutes>
