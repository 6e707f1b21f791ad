/** Every run of the Code Arena is stored as one of this suite, under a name that begins so. */
export const ARENA_SUITE_ID = 'code-arena'
export const ARENA_NAME_PREFIX = 'Code Arena: '

/** More previews side by side help nobody. */
export const mostArenaModels = 6

/**
 * What a frame with a model's page may do, on the app's side and in the page's own headers alike. Scripts and forms (without them
 * no `submit` event comes; sending them is forbidden by `form-action`). Never `allow-same-origin`: the page has no origin, and so
 * no storage and no cookies.
 */
export const iframeSandbox = 'allow-scripts allow-forms allow-pointer-lock'
