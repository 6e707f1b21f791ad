declare module 'virtual:lucide-icons' {
  /** As `icon-drawings.ts` writes and reads them. */
  export const drawings: string
}
