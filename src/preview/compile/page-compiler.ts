import { countNoun, writeNumber } from '../../contract/index.ts'
import { Worker } from 'node:worker_threads'
import type { AssembledPage } from '../assemble/assemble-page.ts'
import type { ExtractedCode } from '../extract/code-file.ts'
import { MISSING_PREVIEWS } from '../previews-package.ts'
import { makeBundle } from '../packages/bundle.ts'
import type { PageFiles } from '../vendor/vendor-files.ts'
import type { PageJob, PageResult } from './page-jobs.ts'
import type { PageReply, PageRequest } from './page-thread.ts'

const DEADLINE_MS = 5000
/** On a busy machine a thread may get too little CPU time before its deadline; then it gets the time again. */
const MAX_TRIES = 3
const MAX_THREADS = 2
const MEMORY_MB = 512

/** Far more than any page that a person would look at. */
const MOST_CHARACTERS = 2_000_000

/** Turns answers into pages in threads, under a deadline: what a model wrote cannot stop the program. */
export interface PageCompiler {
  /** Never throws for bad code: `page.problems` says what is wrong. */
  assemble(
    response: string,
    options: { isComplete: boolean; earlier?: readonly string[] | undefined; alternative?: number | undefined },
  ): Promise<{ extracted: ExtractedCode; page: AssembledPage }>
  /** Embeds styles that would take the browser time to generate; returns the page unchanged if that takes too long. */
  embedStyles(html: string): Promise<string>
  /** The page as one file that runs on its own, with its scripts embedded; undefined if that takes too long. */
  embedScripts(html: string): Promise<string | undefined>
  /** Loads the compilers, so that the first page does not wait for them. */
  warmUp(): Promise<void>
  close(): Promise<void>
}

interface WaitingJob {
  id: number
  job: PageJob
  onResult(result: PageResult): void
  /** `problem` in words if it did not finish. */
  finish(problem?: string): void
}

/** CPU time of the thread in milliseconds; undefined where Node cannot tell. */
async function readCpuMs(worker: Worker): Promise<number | undefined> {
  if (!('cpuUsage' in worker)) return undefined
  const used = await worker.cpuUsage().catch(() => undefined)
  return used && (used.user + used.system) / 1000
}

class PageThread {
  readonly #options: PageFiles & { deadlineMs: number }
  readonly #waiting: WaitingJob[] = []
  #worker: Worker | undefined
  #current: WaitingJob | undefined
  #timer: NodeJS.Timeout | undefined
  #lastId = 0

  constructor(options: PageFiles & { deadlineMs: number }) {
    this.#options = options
  }

  get load(): number {
    return this.#waiting.length + (this.#current ? 1 : 0)
  }

  /** Resolves with the reason in words if the job did not finish. */
  run(job: PageJob, onResult: (result: PageResult) => void): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push({ id: ++this.#lastId, job, onResult, finish: resolve })
      this.#startNext()
    })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    for (const { finish } of this.#waiting.splice(0)) finish('Benchmaker is closing.')
    this.#end('Benchmaker is closing.')
    await worker?.terminate()
  }

  #start(): Worker {
    // In the same folder as this module: the bundle has it there under the same name.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const { NODE_COMPILE_CACHE } = process.env
    const worker = new Worker(new URL(`./page-thread.${extension}`, import.meta.url), {
      workerData: { previews: this.#options.previews, packages: this.#options.packages },
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      env: NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE },
      execArgv: [],
    })
    worker.on('message', (reply: PageReply) => this.#read(worker, reply))
    worker.on('error', (error: Error) => this.#lose(worker, error))
    worker.on('exit', () => this.#lose(worker, new Error('its thread ended')))
    worker.unref()
    return worker
  }

  #read(worker: Worker, reply: PageReply): void {
    if (worker !== this.#worker || reply.id !== this.#current?.id) return
    if (reply.type === 'began') this.#watch(worker, reply.id)
    else if (reply.type === 'result') this.#current.onResult(reply.result)
    else this.#end(reply.type === 'failed' ? `The page’s code could not be compiled: ${reply.message}.` : undefined)
  }

  /** Counts from the start of the job: a job ahead of it costs it nothing. */
  #watch(worker: Worker, id: number): void {
    const { deadlineMs } = this.#options
    const isOver = () => worker !== this.#worker || id !== this.#current?.id
    let used: number | undefined
    void readCpuMs(worker).then((before) => (used ??= before))
    const look = async (tries: number): Promise<void> => {
      const now = await readCpuMs(worker)
      if (isOver()) return
      const wasHeldUp = now !== undefined && used !== undefined && now - used < deadlineMs / 2
      if (wasHeldUp && tries < MAX_TRIES) {
        used = now
        this.#timer = setTimeout(() => void look(tries + 1), deadlineMs)
        return
      }
      this.#worker = undefined
      void worker.terminate()
      this.#end(`The page’s code could not be compiled within ${deadlineMs / 1000} s.`)
    }
    this.#timer = setTimeout(() => void look(1), deadlineMs)
  }

  /** A thread that runs out of memory is replaced; only its current job is lost. */
  #lose(worker: Worker, error: Error & { code?: string }): void {
    if (worker !== this.#worker) return
    this.#worker = undefined
    this.#end(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? `The page’s code could not be compiled with ${MEMORY_MB} MB of memory.`
        : `The page’s code could not be compiled: ${error.message}.`,
    )
  }

  #end(problem?: string): void {
    clearTimeout(this.#timer)
    const ended = this.#current
    this.#current = undefined
    this.#worker?.unref()
    ended?.finish(problem)
    this.#startNext()
  }

  #startNext(): void {
    const next = this.#current ? undefined : this.#waiting.shift()
    if (!next) return
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#current = next
    const request: PageRequest = { id: next.id, job: next.job }
    this.#worker.postMessage(request)
  }
}

function failedPage(problem: string): AssembledPage {
  return {
    html: '',
    runs: false,
    usesVendor: [],
    blocked: [],
    missing: [],
    installable: [],
    notes: [],
    problems: [problem],
    isUnsupported: false,
  }
}

/** Without the files of benchmaker-previews it only extracts code. */
export function createPageCompiler({
  previews,
  packages,
  deadlineMs = DEADLINE_MS,
}: PageFiles & { deadlineMs?: number }): PageCompiler {
  const threads: PageThread[] = []

  const run = (job: PageJob, onResult: (result: PageResult) => void): Promise<string | undefined> => {
    let thread = threads.toSorted((a, b) => a.load - b.load)[0]
    if (!thread || (thread.load > 0 && threads.length < MAX_THREADS)) {
      thread = new PageThread({ previews, packages, deadlineMs })
      threads.push(thread)
    }
    return thread.run(job, onResult)
  }

  const changeHtml = async (job: PageJob): Promise<string | undefined> => {
    let html: string | undefined
    await run(job, (result) => {
      if ('html' in result) html = result.html
    })
    return html
  }

  return {
    async assemble(response, options) {
      let extracted: ExtractedCode = { files: [], notes: [], isComplete: options.isComplete }
      let page: AssembledPage | undefined
      const assemble = (made?: Extract<PageJob, { kind: 'assemble' }>['made']): Promise<string | undefined> =>
        run({ kind: 'assemble', response, ...options, made }, (result) => {
          if ('extracted' in result) ({ extracted } = result)
          if ('page' in result) ({ page } = result)
        })
      const problem =
        response.length > MOST_CHARACTERS
          ? `The answer has ${countNoun(response.length, 'character')}; no page is made of more than ${writeNumber(MOST_CHARACTERS)}.`
          : await assemble()
      const wanted = page?.wanted
      if (wanted && packages !== undefined)
        await assemble({ ...wanted, bundle: await makeBundle(wanted, { folder: packages, previews }) })
      const missing = previews === undefined ? MISSING_PREVIEWS : 'The page’s code could not be compiled.'
      return { extracted, page: page ?? failedPage(problem ?? missing) }
    },
    embedStyles: async (html) => (await changeHtml({ kind: 'embed-styles', html })) ?? html,
    embedScripts: (html) => changeHtml({ kind: 'embed-scripts', html }),
    async warmUp() {
      await run({ kind: 'warm-up' }, () => undefined)
    },
    async close() {
      await Promise.all(threads.splice(0).map((thread) => thread.close()))
    },
  }
}
