import { benchmarkModeLocks, defaultParameters, type Parameters } from '../contract/index.ts'

/** The parameters models are asked with. */
export interface ModelStore {
  /** As the user set them; Benchmark Mode does not overwrite them. */
  getParameters(): Parameters
  setParameters(changes: Partial<Parameters>): void
  /** Locks temperature and both penalties to 0, or frees them again. */
  toggleBenchmarkMode(): void
  /** As they are sent. */
  getEffectiveParameters(): Parameters
}

export function createModelStore(initial: Partial<Parameters> = {}): ModelStore {
  let parameters: Parameters = { ...defaultParameters, ...initial }
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
