import { z } from 'zod'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { createArenaStore, type ArenaState } from '../../stores/arenaStore.ts'
import { PAGE_TOKENS, type ArenaTask } from './make-arena-request.ts'

const RUN_KEY = 'benchmaker-code-arena'
const TASK_KEY = 'benchmaker-code-arena-task'

/** Models, judges, parameters and limits: the same kind of choices as in the Arena, remembered apart from them. */
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
    // Somebody else wrote there, or storage is switched off: start afresh.
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
    // Full or switched off: the words still hold for this page.
  }
})

export function useArenaTask(): TaskState {
  return useStore(tasks)
}

/** Puts the choices of an earlier run into the form. */
export function chooseAgain({ models, ...task }: Partial<ArenaTask> & { models: string[] }): void {
  tasks.getState().change(task)
  choices.getState().choose({ models })
}
