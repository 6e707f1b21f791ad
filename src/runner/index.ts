export { createScoringWorker } from './scoring-worker.ts'
