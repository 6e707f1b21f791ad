import type { ModelRequest } from '../contract/index.ts'

/** Fills in what a hand-written request may leave out. */
export function fillRequest(
  request: Omit<ModelRequest, 'parameters'> & Partial<Pick<ModelRequest, 'parameters'>>,
): ModelRequest {
  return { ...request, parameters: request.parameters ?? {} }
}
