/** The earlier name of `@xyflow/react`, which exported its component as default. */
export * from '@xyflow/react'
export { ReactFlow as default } from '@xyflow/react'
