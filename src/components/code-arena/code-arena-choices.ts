import { z } from 'zod'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { createArenaStore, type ArenaState } from '../../stores/arenaStore.ts'
import { PAGE_TOKENS, type ArenaTask } from './make-arena-request.ts'

const RUN_KEY = 'benchmaker-code-arena'
const TASK_KEY = 'benchmaker-code-arena-task'

/** Models, judges, parameters and limits, as in the Arena but stored separately. */
const choices = createArenaStore({
  getItem: () =>
    window.localStorage.getItem(RUN_KEY) ?? JSON.stringify({ choices: {}, parameters: { maxTokens: PAGE_TOKENS } }),
  setItem: (_key, value) => window.localStorage.setItem(RUN_KEY, value),
})

export function useCodeArena<T>(select: (state: ArenaState) => T): T {
  return useStore(choices, select)
}

const taskSchema = z.object({
  prompt: z.string().catch(''),
  systemPrompt: z.string().catch(''),
  isQuickJudge: z.boolean().catch(false),
})

interface TaskState {
  task: ArenaTask
  change(changes: Partial<ArenaTask>): void
}

function readTask(): ArenaTask {
  try {
    return taskSchema.parse(JSON.parse(window.localStorage.getItem(TASK_KEY) ?? '{}'))
  } catch {
    // The text is not ours, or storage is disabled: start with the defaults.
    return taskSchema.parse({})
  }
}

const tasks = createStore<TaskState>((set) => ({
  task: readTask(),
  change: (changes) => set(({ task }) => ({ task: { ...task, ...changes } })),
}))
tasks.subscribe(({ task }) => {
  try {
    window.localStorage.setItem(TASK_KEY, JSON.stringify(task))
  } catch {
    // Storage is full or disabled: the task still applies until the page is closed.
  }
})

export function useArenaTask(): TaskState {
  return useStore(tasks)
}

/** Copies the choices of an earlier run to the form. */
export function reuseRun({ models, ...task }: Partial<ArenaTask> & { models: string[] }): void {
  tasks.getState().change(task)
  choices.getState().choose({ models })
}
