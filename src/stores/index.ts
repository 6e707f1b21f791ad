export { createModelStore, type ModelStore } from './modelStore.ts'
export { createRunStore, type RunStore } from './runStore.ts'
