/** `htm/preact` with everything that its standalone build has. */
export * from 'htm/preact'
export * from 'preact/hooks'
export { createContext } from 'preact'
