import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Hono } from 'hono'
import { z } from 'zod'
import { parseExactJson } from '../../contract/index.ts'
import { writeAtif } from '../../import/trajectories/index.ts'
import { redactSecrets, type Redacted } from '../../report/sharing/redact-secrets.ts'
import { findGradeSetting, stringifyAny } from '../../scoring/tool-calls/index.ts'
import type { ServerContext } from '../context.ts'
import { attachmentHeaders } from '../http/attachment.ts'
import { checkJson, readPieces } from '../http/read-body.ts'
import { checkQuery } from '../http/read-query.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { runJobIn, startThread } from '../results/selection/background-thread.ts'
import { readPart } from '../tool-calls/record-spool.ts'
import type { ReadSet, RecordedRun } from './read-set.ts'
import { choicesSchema, createTrajectorySets, type AboutSet, type TrajectorySet } from './trajectory-sets.ts'

export type { RecordedRun, RunRow } from './read-set.ts'

/** GET /api/trajectories/:id */
export interface TrajectorySetReply extends ReadSet {
  about: AboutSet
}

const MAX_FILE_BYTES = 512 * 1024 * 1024

const nameSchema = z.object({ name: z.string().min(1).max(1000) })
const fileSchema = z.object({ set: z.string(), path: z.string().min(1).max(4000) })
const keySchema = z.strictObject({ name: z.string().min(1).max(1000), text: z.string().max(10_000_000) })
const atifSchema = z.object({ redact: z.enum(['0', '1']).default('1') })

/** Recorded runs of agents: files, what they hold, grades, and each conversation. */
export function trajectoryRoutes(context: ServerContext) {
  const sets = createTrajectorySets(context)

  const read = async (set: TrajectorySet): Promise<TrajectorySetReply> => {
    let found: ReadSet | undefined
    try {
      await runJobIn(
        startThread(),
        {
          kind: 'read-trajectories',
          input: {
            files: set.files,
            key: existsSync(set.key) ? set.key : undefined,
            choices: set.about.choices,
            target: set.read,
          },
        },
        (result) => {
          if (result.part === 'trajectories') found = result.read
        },
      )
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw new Refusal(
        422,
        'not-read',
        message.replaceAll(`${set.files}/`, '').replaceAll(set.key, set.about.keyName ?? 'the key'),
      )
    }
    if (!found) throw new Error('nothing was read')
    const { rows } = found
    await sets.change(set, {
      trajectories: rows.length,
      models: [...new Set(rows.flatMap(({ model }) => model ?? []))].slice(0, 100),
      formats: [...new Set(rows.map(({ format }) => format))],
    })
    return { about: set.about, ...found }
  }

  const loadRun = async (id: string, index: string): Promise<string> => {
    const set = await sets.find(id)
    const places = z
      .array(z.tuple([z.number(), z.number()]))
      .parse(JSON.parse(await readFile(join(set.read, 'places.json'), 'utf8')))
    const place = /^\d{1,9}$/.test(index) ? places[Number(index)] : undefined
    if (!place) throw notFound('The recorded run')
    return readPart(join(set.read, 'runs.jsonl'), place)
  }

  return new Hono()
    .get('/trajectories', async (c) => c.json(await sets.list()))
    .post('/trajectories', checkQuery(nameSchema), async (c) => {
      const { about } = await sets.create(c.req.valid('query').name)
      return c.json(about, 201)
    })
    .post('/trajectories/files', checkQuery(fileSchema), async (c) => {
      const { set: id, path } = c.req.valid('query')
      await sets.addFile(await sets.find(id), path, readPieces(c, MAX_FILE_BYTES))
      return c.json({})
    })
    .post('/trajectories/:id/read', checkJson(choicesSchema), async (c) => {
      const set = await sets.find(c.req.param('id'))
      const choices = c.req.valid('json')
      if (!findGradeSetting(choices.credit))
        throw new Refusal(400, 'unknown-credit', `There is no credit ${choices.credit}.`)
      const before = set.about.choices
      set.about = { ...set.about, choices }
      try {
        return c.json(await read(set))
      } catch (error) {
        set.about = { ...set.about, choices: before }
        if (set.about.trajectories === 0) await sets.remove(set.about.id)
        throw error
      }
    })
    .put('/trajectories/:id/key', checkJson(keySchema), async (c) => {
      const set = await sets.find(c.req.param('id'))
      const before = existsSync(set.key)
        ? { name: set.about.keyName ?? 'key.yaml', text: await readFile(set.key, 'utf8') }
        : undefined
      await sets.setKey(set, c.req.valid('json'))
      try {
        return c.json(await read(set))
      } catch (error) {
        await sets.setKey(set, before)
        throw error
      }
    })
    .delete('/trajectories/:id/key', async (c) => {
      const set = await sets.find(c.req.param('id'))
      await sets.setKey(set, undefined)
      return c.json(await read(set))
    })
    .get('/trajectories/:id', async (c) => {
      const set = await sets.find(c.req.param('id'))
      const reply: TrajectorySetReply = {
        about: set.about,
        ...parseExactJson<ReadSet>(await readFile(join(set.read, 'list.json'), 'utf8')),
      }
      return c.json(reply)
    })
    .get('/trajectories/:id/runs/:index', async (c) => {
      // As it was written: a conversation can be long, and nothing here reads it.
      const text = await loadRun(c.req.param('id'), c.req.param('index'))
      return c.body(text, 200, { 'content-type': 'application/json; charset=utf-8' })
    })
    .get('/trajectories/:id/runs/:index/removed', async (c) => {
      const { trajectory } = parseExactJson<RecordedRun>(await loadRun(c.req.param('id'), c.req.param('index')))
      const removed: Redacted<unknown>['removed'] = redactSecrets(writeAtif(trajectory)).removed
      return c.json(removed)
    })
    .get('/trajectories/:id/runs/:index/atif', checkQuery(atifSchema), async (c) => {
      const { trajectory } = parseExactJson<RecordedRun>(await loadRun(c.req.param('id'), c.req.param('index')))
      const whole = writeAtif(trajectory)
      const document = c.req.valid('query').redact === '1' ? redactSecrets(whole).value : whole
      return c.body(stringifyAny(document), 200, {
        ...attachmentHeaders('trajectory.json', 'application/json; charset=utf-8'),
        'x-content-type-options': 'nosniff',
      })
    })
    .delete('/trajectories/:id', async (c) => {
      await sets.remove(c.req.param('id'))
      return c.json({})
    })
}

/** For the web app's client. */
export type TrajectoryRoutes = ReturnType<typeof trajectoryRoutes>
