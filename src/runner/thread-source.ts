/**
 * The scoring thread's code. The build puts the code itself here as text (`tools/embedded-modules.ts`), so that it also works
 * inside somebody else's bundle, where no file lies beside it.
 */
export const threadSource: URL | string = new URL('./scoring-thread.ts', import.meta.url)
