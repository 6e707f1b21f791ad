import { Hono } from 'hono'
import { calibrateRequestSchema } from '../../contract/index.ts'
import { createCalibrations } from './calibrations.ts'
import { createPanels } from './panels.ts'
import { listSampleChoices, readBuiltInSamples, readOwnSamples, readRatedSamples } from './samples.ts'
import type { ServerContext } from '../context.ts'
import { checkJson } from '../http/read-body.ts'
import { Refusal } from '../http/refusal.ts'

/** Calibration and agreement of judges. */
export function judgeRoutes(context: ServerContext) {
  const calibrations = createCalibrations(context)
  const panels = createPanels(context)

  return new Hono()
    .get('/calibrations', async (c) => c.json(await calibrations.list()))
    .post('/calibrations', checkJson(calibrateRequestSchema), async (c) => {
      const { judgeModelId, preset, set: name, samples, runId } = c.req.valid('json')
      if ([name, samples, runId].filter((source) => source !== undefined).length > 1)
        throw new Refusal(
          422,
          'two-sources',
          'Give either the name of a set, your own samples or a run with rated answers, not several.',
        )
      const set = samples
        ? readOwnSamples(samples)
        : runId === undefined
          ? readBuiltInSamples(name, preset)
          : await readRatedSamples(context.storage, runId)
      return c.json(await calibrations.create(judgeModelId, { set, preset, signal: c.req.raw.signal }), 201)
    })
    .get('/calibrations/:id', async (c) => c.json(await calibrations.find(c.req.param('id'))))
    .delete('/calibrations/:id', async (c) => {
      await calibrations.remove(c.req.param('id'))
      return c.json({})
    })
    .get('/judges/samples', async (c) => c.json(await listSampleChoices(context.storage)))
    .get('/judges/agreement', async (c) => c.json(await panels.measure()))
}

/** For the web app's client. */
export type JudgeRoutes = ReturnType<typeof judgeRoutes>
