/**
 * The scoring thread's code. The build embeds the code here as text (`tools/embedded-modules.ts`), so that it also
 * works inside a user's bundle, which does not contain the file.
 */
export const threadSource: URL | string = new URL('./scoring-thread.ts', import.meta.url)
