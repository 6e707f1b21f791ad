import type { ModelRequest } from '../contract/index.ts'

/** What a request written by hand may leave out. */
export function fillRequest(
  request: Omit<ModelRequest, 'parameters'> & Partial<Pick<ModelRequest, 'parameters'>>,
): ModelRequest {
  return { ...request, parameters: request.parameters ?? {} }
}
