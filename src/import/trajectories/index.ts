export { readTrajectories, type ReadTrajectoriesOptions } from './read-trajectories.ts'
export { readTrajectoryKey } from './read-key.ts'
export { writeAtif, type AtifDocument } from './write-atif.ts'
