import type { PlaceOptions } from '../../options/serve-place.ts'

export interface ServeOptions extends PlaceOptions {
  port?: number
  open?: boolean
  data?: string
  json?: boolean
  /** Continues what was in progress when the server was stopped. */
  continueRuns?: boolean
}

export const DEFAULT_PORT = 4747
