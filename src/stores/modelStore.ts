import { benchmarkModeLocks, defaultParameters, type ModelParameters } from '../contract/index.ts'

/** The parameters sent to models. */
export interface ModelStore {
  /** As the user set them; Benchmark Mode does not overwrite them. */
  getParameters(): ModelParameters
  setParameters(changes: Partial<ModelParameters>): void
  /** Locks temperature and both penalties to 0, or unlocks them again. */
  toggleBenchmarkMode(): void
  /** As sent to the models. */
  getEffectiveParameters(): ModelParameters
}

export function createModelStore(initial: Partial<ModelParameters> = {}): ModelStore {
  let parameters: ModelParameters = { ...defaultParameters, ...initial }
  return {
    getParameters: () => ({ ...parameters }),
    setParameters: (changes) => {
      parameters = { ...parameters, ...changes }
    },
    toggleBenchmarkMode: () => {
      parameters = { ...parameters, benchmarkMode: !parameters.benchmarkMode }
    },
    getEffectiveParameters: () => ({ ...parameters, ...(parameters.benchmarkMode && benchmarkModeLocks) }),
  }
}
